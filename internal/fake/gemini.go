package fake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// geminiWire returns the generateContent protocol of Google's v1beta API. Lines end in CR LF, a
// stream ends with the finish reason and has no other marker, token counts are repeated and
// grow, and the body of an error states the wait.
func geminiWire() *wire {
	return &wire{
		name: "gemini", root: "/v1beta/", read: readGemini, appendReply: geminiWhole, writeStream: geminiStream, appendError: geminiError,
		paths:      []string{"/v1beta/models/{}:generateContent", "/v1beta/models/{}:streamGenerateContent"},
		modelsPath: "/v1beta/models", appendModels: appendGeminiModels,
		idHeader:      "X-Request-Id",
		unnamedEvents: true, waitInBody: true,
	}
}

// A geminiRequest is the body of a request, and that of one in a batch.
type geminiRequest struct {
	Contents []geminiContent `json:"contents"`
	System   *geminiContent  `json:"systemInstruction"`
	System2  *geminiContent  `json:"system_instruction"`
	Tools    json.RawMessage `json:"tools"`
	Config   struct {
		MaxOutputTokens int      `json:"maxOutputTokens"`
		Temperature     *float64 `json:"temperature"`
		TopP            *float64 `json:"topP"`
		Seed            *int64   `json:"seed"`
		Stop            []string `json:"stopSequences"`
		Logprobs        int      `json:"logprobs"`
		WithLogprobs    bool     `json:"responseLogprobs"`
	} `json:"generationConfig"`
}

type geminiContent struct {
	Role  string `json:"role"`
	Parts []struct {
		Text   string `json:"text"`
		Inline *struct {
			Media string `json:"mimeType"`
			Data  string `json:"data"`
		} `json:"inlineData"`
		File *struct {
			URI string `json:"fileUri"`
		} `json:"fileData"`
	} `json:"parts"`
}

func (c *geminiContent) message(as string) verbatim.Message {
	m := verbatim.Message{Role: as}
	for _, p := range c.Parts {
		switch {
		case p.Inline != nil:
			m.Content = append(m.Content, inline(p.Inline.Media, p.Inline.Data))
		case p.File != nil:
			m.Content = append(m.Content, imageAt(p.File.URI))
		default:
			m.Content = append(m.Content, verbatim.Part{Text: p.Text})
		}
	}
	return m
}

// geminiModel returns the model that a path names, and the method after the colon.
func geminiModel(path string) (model, verb string) {
	_, rest, _ := strings.Cut(path, "/models/")
	model, verb, _ = strings.Cut(rest, ":")
	return model, verb
}

func readGemini(body []byte, r *http.Request) (*request, *apiError) {
	var in geminiRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, badRequest("Invalid JSON payload received. "+err.Error(), "")
	}
	q, e := in.request()
	if e != nil {
		return nil, e
	}
	var verb string
	q.model, verb = geminiModel(r.URL.Path)
	q.stream = verb == "streamGenerateContent"
	q.array = q.stream && r.URL.Query().Get("alt") != "sse"
	return q, nil
}

// request returns the request, without what its path says.
func (in *geminiRequest) request() (*request, *apiError) {
	if len(in.Contents) == 0 {
		return nil, badRequest("* GenerateContentRequest.contents: contents is not specified", "")
	}
	q := &request{maxTokens: in.Config.MaxOutputTokens, stop: in.Config.Stop, tool: offeredTool(in.Tools), params: verbatim.Params{Temperature: in.Config.Temperature, TopP: in.Config.TopP, Seed: in.Config.Seed}}
	var err *apiError
	if q.params.Logprobs, err = (logprobParams{in.Config.WithLogprobs, in.Config.Logprobs}).alternatives(); err != nil {
		return nil, err
	}
	for _, system := range []*geminiContent{in.System, in.System2} {
		if system != nil {
			q.prompt = append(q.prompt, system.message("system"))
		}
	}
	for _, c := range in.Contents {
		q.prompt = append(q.prompt, c.message(roleOf(c.Role)))
	}
	return q, nil
}

// geminiStatus returns the name of a status in Google's APIs.
func geminiStatus(status int) string {
	name := map[int]string{
		http.StatusBadRequest:         "INVALID_ARGUMENT",
		http.StatusUnauthorized:       "UNAUTHENTICATED",
		http.StatusForbidden:          "PERMISSION_DENIED",
		http.StatusNotFound:           "NOT_FOUND",
		http.StatusTooManyRequests:    "RESOURCE_EXHAUSTED",
		http.StatusServiceUnavailable: "UNAVAILABLE",
		529:                           "UNAVAILABLE",
		http.StatusGatewayTimeout:     "DEADLINE_EXCEEDED",
	}[status]
	if status < 500 {
		return cmp.Or(name, "FAILED_PRECONDITION")
	}
	return cmp.Or(name, "INTERNAL")
}

func geminiError(b []byte, e *apiError) []byte {
	b = append(b, `{"error":{"code":`...)
	b = strconv.AppendInt(b, int64(e.status), 10)
	b = appendText(b, `,"message":`, e.message)
	b = append(b, `,"status":"`...)
	b = append(b, geminiStatus(e.status)...)
	b = append(b, '"')
	var details []string
	if e.kind == "insufficient_quota" {
		details = append(details, `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"generativelanguage.googleapis.com/generate_content_requests","quotaId":"GenerateRequestsPerDayPerProjectPerModel"}]}`)
	}
	if e.after > 0 && (e.form == "" || e.form == "seconds") {
		details = append(details, `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"`+strconv.FormatFloat(e.after.Seconds(), 'f', -1, 64)+`s"}`)
	}
	if len(details) > 0 {
		b = append(b, `,"details":[`+strings.Join(details, ",")+"]"...)
	}
	return append(b, "}}"...)
}

func geminiFinish(f verbatim.Finish) string {
	switch f {
	case verbatim.FinishLength:
		return "MAX_TOKENS"
	case verbatim.FinishFilter, verbatim.FinishRefusal:
		return "SAFETY"
	}
	return "STOP"
}

// geminiChunk appends a response: parts, which are JSON joined by commas, the finish reason, ""
// for none, and the tokens of text and reasoning so far.
func geminiChunk(b []byte, r *reply, parts, finish string, list []verbatim.Token, text, reasoning int64) []byte {
	b = append(b, `{"candidates":[{"content":{"parts":[`...)
	b = append(b, parts...)
	b = append(b, `],"role":"model"}`...)
	if finish != "" {
		b = appendText(b, `,"finishReason":`, finish)
	}
	b = appendGeminiLogprobs(b, list)
	b = append(b, `,"index":0}]`...)
	if r.usage == "twice" {
		b = geminiUsage(b, r, text/2, reasoning/2)
	}
	b = geminiUsage(b, r, text, reasoning)
	b = r.appendUnknown(b, "xUnknown")
	b = appendText(b, `,"modelVersion":`, r.request.model)
	b = append(b, `,"responseId":"`...)
	b = append(b, r.id...)
	return append(b, `"}`...)
}

func geminiUsage(b []byte, r *reply, text, reasoning int64) []byte {
	b, ok := r.openUsage(b, "usageMetadata")
	if !ok {
		return b
	}
	b = r.appendCount(b, `"promptTokenCount":`, r.prompt)
	if text > 0 {
		b = r.appendCount(b, `,"candidatesTokenCount":`, text)
	}
	b = r.appendCount(b, `,"totalTokenCount":`, r.prompt+text+reasoning)
	b = r.appendCount(b, `,"promptTokensDetails":[{"modality":"TEXT","tokenCount":`, r.prompt)
	b = append(b, `}]`...)
	if reasoning > 0 {
		b = r.appendCount(b, `,"thoughtsTokenCount":`, reasoning)
	}
	return append(b, '}')
}

func geminiPart(text string, isReasoning bool) string {
	b := append([]byte(nil), `{"text":`...)
	b = rawjson.AppendString(b, text)
	if isReasoning {
		b = append(b, `,"thought":true`...)
	}
	return string(append(b, '}'))
}

func geminiWhole(b []byte, r *reply) []byte {
	var parts []string
	if r.reasoning != "" {
		parts = append(parts, geminiPart(r.reasoning, true))
	}
	if call, ok := r.call(); ok {
		parts = append(parts, call.Part())
	} else if r.text != "" {
		parts = append(parts, geminiPart(r.text, false))
	}
	finish := r.finishReason(geminiFinish)
	if r.noFinish {
		finish = ""
	}
	return geminiChunk(b, r, strings.Join(parts, ","), finish, r.tokens, r.textTokens(), r.reasoningTokens())
}

func geminiStream(s *script, r *reply) {
	open, shut, next := "data: ", "\r\n\r\n", ""
	if r.request.array {
		open, shut, next = "[", "", ",\r\n"
	}
	text, reasoning := 0, 0
	event := func(parts, finish string, list []verbatim.Token, spent int64) {
		s.add(open)
		s.b = geminiChunk(s.b, r, parts, finish, list, r.tokensBefore(text), tokens(reasoning))
		s.add(shut)
		s.flush(spent)
		if next != "" {
			open = next
		}
	}
	for piece := range r.pieces(r.reasoning) {
		reasoning += len(piece)
		event(geminiPart(piece, true), "", nil, tokens(len(piece)))
	}
	if call, ok := r.call(); ok { // a call is sent as a whole
		text = len(r.text)
		event(call.Part(), "", nil, tokens(text))
	} else {
		for piece, list := range r.textPieces() {
			text += len(piece)
			event(geminiPart(piece, false), "", list, tokens(len(piece)))
		}
	}
	switch {
	case r.apiError != nil:
		s.add(open)
		s.b = geminiError(s.b, r.apiError)
		s.add(shut)
	case !r.noFinish && !r.noEnd:
		event(geminiPart("", false), r.finishReason(geminiFinish), nil, 0)
	}
	if r.request.array && r.apiError == nil && !r.noEnd {
		s.add("]")
	}
	s.flush(0)
}

func appendGeminiModels(b []byte, names []string) []byte {
	return appendModels(b, names, `{"models":[`, func(name string) string {
		return `{"name":"models/` + name[1:] + `,"version":"001","displayName":` + name + `,"inputTokenLimit":1048576,"outputTokenLimit":65536,"supportedGenerationMethods":["generateContent","batchGenerateContent"]}`
	}, "]}")
}

// Gemini's batch API: the requests are in the body of the call. A batch is an operation, and its
// metadata has the state and the results.

func geminiBatches() *batchAPI {
	return &batchAPI{
		name:       "gemini",
		createPath: "/v1beta/models/{}:batchGenerateContent", listPath: "/v1beta/batches", cancelSuffix: ":cancel", cancelReply: "{}",
		read: readGeminiBatch, appendJob: (*batches).appendGeminiBatch, expiresWhole: true,
		listHead: `{"operations":[`, listTail: geminiListTail,
		afterParam: "pageToken", limitParam: "pageSize", defaultLimit: 50,
	}
}

func readGeminiBatch(b *batches, r *http.Request) (*job, *apiError) {
	var in struct {
		Batch struct {
			Name  string `json:"displayName"`
			Input struct {
				File     string `json:"fileName"`
				Requests struct {
					Requests []struct {
						Request  geminiRequest   `json:"request"`
						Metadata json.RawMessage `json:"metadata"`
					} `json:"requests"`
				} `json:"requests"`
			} `json:"inputConfig"`
		} `json:"batch"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, badRequest("Invalid JSON payload received. "+err.Error(), "")
	}
	if in.Batch.Input.File != "" {
		return nil, badRequest("This server takes requests inside the call only.", "")
	}
	requests := in.Batch.Input.Requests.Requests
	if len(requests) == 0 {
		return nil, badRequest("* BatchGenerateContentRequest.batch.input_config: requests are not specified", "")
	}
	j := &job{id: b.newID(""), name: in.Batch.Name}
	j.model, _ = geminiModel(r.URL.Path)
	for _, q := range requests {
		one := jobRequest{metadata: q.Metadata}
		if one.request, one.apiError = q.Request.request(); one.apiError == nil {
			forBatch(geminiWire(), one.request, j.model)
		}
		j.requests = append(j.requests, one)
	}
	return j, nil
}

// geminiState returns the state of a job.
func (b *batches) geminiState(j *job) string {
	switch progress := b.progress(j); {
	case j.cancelled:
		return "BATCH_STATE_CANCELLED"
	case progress >= 1 && b.expiresWhole(j):
		return "BATCH_STATE_EXPIRED"
	case progress >= 1:
		return "BATCH_STATE_SUCCEEDED"
	case progress > 0.1:
		return "BATCH_STATE_RUNNING"
	}
	return "BATCH_STATE_PENDING"
}

// expiresWhole draws whether a job of Gemini's expires.
func (b *batches) expiresWhole(j *job) bool {
	k := keyOf(question(j.requests[0].prompt()))
	return rand.New(rand.NewPCG(mix(b.config.Seed+drawBatch), uint64(k[0])<<8|uint64(k[1]))).Float64() < b.config.Batch.Expired
}

// appendGeminiBatch appends a job as an operation.
func (b *batches) appendGeminiBatch(out []byte, _ *http.Request, j *job) []byte {
	state := b.geminiState(j)
	over := !j.ended.IsZero()
	out = append(out, `{"name":"batches/`+j.id+`","metadata":{"@type":"type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch","model":`...)
	out = rawjson.AppendString(out, "models/"+j.model)
	out = appendText(out, `,"displayName":`, j.name)
	out = append(out, `,"createTime":`...)
	out = appendTime(out, j.created)
	if over {
		out = append(out, `,"endTime":`...)
		out = appendTime(out, j.ended)
	}
	out = append(out, `,"updateTime":`...)
	out = appendTime(out, j.created)
	out = fmt.Appendf(out, `,"batchStats":{"requestCount":"%d"`, len(j.requests))
	if over {
		out = fmt.Appendf(out, `,"successfulRequestCount":"%d","failedRequestCount":"%d"`, j.count("succeeded"), j.count("errored"))
	} else {
		out = fmt.Appendf(out, `,"pendingRequestCount":"%d"`, len(j.requests))
	}
	out = append(out, `},"state":"`+state+`","name":"batches/`+j.id+`"`...)
	if !over {
		return append(out, `}}`...)
	}
	if state != "BATCH_STATE_SUCCEEDED" {
		return append(out, `},"done":true,"error":{"code":1,"message":"`+state+`"}}`...)
	}
	output := geminiOutput(nil, j)
	out = append(append(out, `,"output":`...), output...)
	out = append(out, `},"done":true,"response":{"@type":"type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatchOutput",`...)
	return append(append(out, output[1:]...), '}')
}

func geminiOutput(b []byte, j *job) []byte {
	b = append(b, `{"inlinedResponses":{"inlinedResponses":[`...)
	for i, r := range j.results {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		if r.state == "succeeded" {
			b = append(b, `"response":`...)
			b = geminiWhole(b, r.reply)
		} else {
			b = appendText(b, `"error":{"code":13,"message":`, r.apiError.message)
			b = append(b, '}')
		}
		if len(r.request.metadata) > 0 {
			b = append(append(b, `,"metadata":`...), r.request.metadata...)
		}
		b = append(b, '}')
	}
	return append(b, `]}}`...)
}

func geminiListTail(jobs []*job, more bool) string {
	if !more {
		return "]}"
	}
	return `],"nextPageToken":"` + jobs[len(jobs)-1].id + `"}`
}
