package fake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/rawjson"
)

// anthropicWire returns Anthropic's Messages protocol of version 2023-06-01: named events
// from message_start to message_stop, and token counts that grow.
func anthropicWire() *wire {
	return &wire{
		name: "anthropic", root: "/v1/messages", read: readAnthropic, appendReply: anthropicWhole, writeStream: anthropicStream, appendError: anthropicError,
		paths:  []string{"/v1/messages"},
		header: "Anthropic-Version", appendModels: appendAnthropicModels,
		calls:    map[string]wireCall{"GET /v1/models": listModels, "GET /v1/models/{*}": showModel, "POST /v1/messages/count_tokens": countTokens("input_tokens")},
		idHeader: "Request-Id", idPrefix: "req_",
		setQuota: setAnthropicQuota,
		params: paramTable{
			takes:  "model system messages max_tokens stream stop_sequences temperature top_p metadata service_tier thinking.display",
			forms:  "output_config.format output_format",
			tools:  "tools tool_choice",
			effort: "output_config.effort", budget: "thinking.budget_tokens",
		},
	}
}

// An anthropicRequest is the body of a request, and the params of one in a batch.
type anthropicRequest struct {
	Model     string          `json:"model"`
	System    json.RawMessage `json:"system"`
	Messages  []inputMessage  `json:"messages"`
	MaxTokens *int            `json:"max_tokens"`
	Stream    bool            `json:"stream"`
	Stop      []string        `json:"stop_sequences"`
	Tools     json.RawMessage `json:"tools"`
	samplingParams
}

func readAnthropic(body []byte, r *http.Request) (*request, *apiError) {
	if r != nil && r.Header.Get("Anthropic-Version") == "" {
		return nil, badRequest("anthropic-version: header is required", "")
	}
	var in anthropicRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, badRequest("The request body is not valid JSON: "+err.Error(), "")
	}
	if r != nil && strings.HasSuffix(r.URL.Path, "/count_tokens") {
		in.MaxTokens = new(1)
	}
	switch {
	case in.MaxTokens == nil:
		return nil, badRequest("max_tokens: Field required", "")
	case *in.MaxTokens < 1:
		return nil, badRequest("max_tokens: Input should be greater than or equal to 1", "")
	case len(in.Messages) == 0:
		return nil, badRequest("messages: at least one message is required", "")
	}
	q := &request{model: in.Model, stream: in.Stream, maxTokens: *in.MaxTokens, params: in.params(), stop: in.Stop, tool: offeredTool(in.Tools)}
	system, err := parseContent(in.System)
	if err != nil {
		return nil, badRequest("system: "+err.Error(), "")
	}
	if len(system) > 0 {
		q.prompt = append(q.prompt, verbatim.Message{Role: "system", Content: system})
	}
	if i, err := q.addMessages(in.Messages); err != nil {
		return nil, badRequest("messages."+strconv.Itoa(i)+".content: "+err.Error(), "")
	}
	return q, nil
}

// anthropicKind returns the type of an error with a status.
func anthropicKind(status int) string {
	kind := map[int]string{
		http.StatusUnauthorized:          "authentication_error",
		http.StatusPaymentRequired:       "billing_error",
		http.StatusForbidden:             "permission_error",
		http.StatusNotFound:              "not_found_error",
		http.StatusRequestEntityTooLarge: "request_too_large",
		http.StatusTooManyRequests:       "rate_limit_error",
		http.StatusServiceUnavailable:    "overloaded_error",
		529:                              "overloaded_error",
		http.StatusGatewayTimeout:        "timeout_error",
	}[status]
	if status < 500 {
		return cmp.Or(kind, "invalid_request_error")
	}
	return cmp.Or(kind, "api_error")
}

func anthropicError(b []byte, e *apiError) []byte {
	kind := anthropicKind(e.status)
	if e.kind == "insufficient_quota" {
		kind = "enforced_spend_limit_reached"
	}
	b = appendText(b, `{"type":"error","error":{"type":`, kind)
	b = appendText(b, `,"message":`, e.message)
	return append(b, `},"request_id":"req_0"}`...)
}

// anthropicStop appends the members that say why the reply ended.
func anthropicStop(b []byte, r *reply) []byte {
	spell := r.spell(anthropicFinish, "tool_use")
	if r.stopped != "" && r.finish == verbatim.FinishStop {
		spell = func(verbatim.Finish) string { return "stop_sequence" }
	}
	b = r.appendFinish(append(b, `"stop_reason":`...), spell)
	return appendStringOrNull(append(b, `,"stop_sequence":`...), r.stopped)
}

func anthropicFinish(f verbatim.Finish) string {
	switch f {
	case verbatim.FinishLength:
		return "max_tokens"
	case verbatim.FinishFilter, verbatim.FinishRefusal:
		return "refusal"
	}
	return "end_turn"
}

// anthropicUsage appends `,"usage":…` with a number of output tokens.
func anthropicUsage(b []byte, r *reply, completion int64) []byte {
	b, ok := r.openUsage(b, "usage")
	if !ok {
		return b
	}
	b = r.appendCount(b, `"input_tokens":`, r.prompt)
	b = r.appendCount(b, `,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":`, completion)
	if r.reasoning != "" {
		b = r.appendCount(b, `,"output_tokens_details":{"thinking_tokens":`, min(r.reasoningTokens(), completion))
		b = append(b, '}')
	}
	return append(b, '}')
}

func anthropicHead(b []byte, r *reply) []byte {
	b = append(b, `{"id":"msg_`...)
	b = append(b, r.id...)
	b = appendText(b, `","type":"message","role":"assistant","model":`, r.request.model)
	b = r.appendUnknown(b, "x_unknown")
	return append(b, `,"content":[`...)
}

func anthropicWhole(b []byte, r *reply) []byte {
	b = anthropicHead(b, r)
	if r.reasoning != "" {
		b = appendText(b, `{"type":"thinking","thinking":`, r.reasoning)
		b = append(b, `,"signature":"ZmFrZQ=="},`...)
	}
	if call, ok := r.call(); ok {
		b = call.appendBlock(b, r.text)
	} else {
		b = append(appendText(b, `{"type":"text","text":`, r.text), '}')
	}
	b = anthropicStop(append(b, "],"...), r)
	return append(r.appendUsage(b, anthropicUsage), '}')
}

// event writes a named event with the data.
func (s *script) event(name, data string, tokens int64) {
	s.add("event: ", name, "\ndata: ", data, "\n\n")
	s.flush(tokens)
}

func anthropicStream(s *script, r *reply) {
	s.add("event: message_start\ndata: {\"type\":\"message_start\",\"message\":")
	s.b = anthropicHead(s.b, r)
	s.add(`],"stop_reason":null,"stop_sequence":null`)
	s.b = anthropicUsage(s.b, r, min(1, r.completionTokens()))
	s.add("}}\n\n")
	s.flush(0)
	index := 0
	if r.reasons() {
		anthropicBlock(s, index, `{"type":"thinking","thinking":"","signature":""}`, `"thinking_delta","thinking"`, r.reasoningPieces())
		s.event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"ZmFrZQ=="}}`, 0)
		s.event("content_block_stop", `{"type":"content_block_stop","index":0}`, 0)
		index++
	}
	if call, ok := r.call(); ok {
		anthropicBlock(s, index, string(call.appendBlock(nil, "{}")), `"input_json_delta","partial_json"`, r.pieces(r.text))
	} else {
		anthropicBlock(s, index, `{"type":"text","text":""}`, `"text_delta","text"`, func(yield func(string) bool) {
			for piece := range r.textPieces() {
				if !yield(piece) {
					return
				}
			}
		})
	}
	if r.apiError != nil {
		s.event("error", string(anthropicError(nil, r.apiError)), 0)
		return
	}
	s.event("content_block_stop", `{"type":"content_block_stop","index":`+strconv.Itoa(index)+"}", 0)
	if !r.noFinish || !r.noEnd {
		if r.usage == "twice" {
			anthropicDelta(s, r, `"stop_reason":null,"stop_sequence":null`, r.completionTokens()/2)
		}
		anthropicDelta(s, r, string(anthropicStop(nil, r)), r.completionTokens())
	}
	if !r.noEnd {
		s.event("message_stop", `{"type":"message_stop"}`, 0)
	}
}

// anthropicBlock writes the events of a block of content, without its end: the block without
// text, and its text in deltas. delta is their type and the name of their field.
func anthropicBlock(s *script, index int, empty, delta string, pieces func(yield func(string) bool)) {
	at := `,"index":` + strconv.Itoa(index)
	s.event("content_block_start", `{"type":"content_block_start"`+at+`,"content_block":`+empty+`}`, 0)
	if index == 0 {
		s.event("ping", `{"type":"ping"}`, 0)
	}
	for piece := range pieces {
		s.add("event: content_block_delta\ndata: {\"type\":\"content_block_delta\"", at, `,"delta":{"type":`, delta, `:`)
		s.addString(piece)
		s.add("}}\n\n")
		s.flush(tokens(len(piece)))
	}
}

func anthropicDelta(s *script, r *reply, reason string, completion int64) {
	s.add("event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{", reason, "}")
	s.b = anthropicUsage(s.b, r, completion)
	s.add("}\n\n")
	s.flush(0)
}

func setAnthropicQuota(h http.Header, q *quota, now time.Time) {
	h.Set("Anthropic-Ratelimit-Requests-Limit", strconv.Itoa(q.Limit))
	h.Set("Anthropic-Ratelimit-Requests-Remaining", strconv.Itoa(q.Remaining))
	h.Set("Anthropic-Ratelimit-Requests-Reset", now.Add(q.Reset).UTC().Format(time.RFC3339))
}

func appendAnthropicModels(b []byte, names []string) []byte {
	b = appendModels(b, names, `{"data":[`, func(name string) string {
		return `{"type":"model","id":` + name + `,"display_name":` + name + `,"created_at":"2026-01-01T00:00:00Z"}`
	}, `],"has_more":false,"first_id":`)
	b = append(rawjson.AppendString(b, names[0]), `,"last_id":`...)
	return append(rawjson.AppendString(b, names[len(names)-1]), '}')
}

// Anthropic's batch API: the requests are in the body of the call, and the results are JSON
// lines at an address of their own.

var customID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func anthropicBatches() *batchAPI {
	return &batchAPI{
		name:       "anthropic",
		createPath: "/v1/messages/batches", listPath: "/v1/messages/batches", cancelSuffix: "/cancel",
		read: readAnthropicBatch, appendJob: (*batches).appendAnthropicBatch,
		listHead: `{"data":[`, listTail: listTail,
		afterParam: "after_id", limitParam: "limit", defaultLimit: 20,
		more: []batchRoute{{method: "GET", path: "/v1/messages/batches/{}/results", serve: sendAnthropicResults}},
	}
}

func readAnthropicBatch(b *batches, r *http.Request) (*job, *apiError) {
	var in struct {
		Requests []struct {
			ID     string          `json:"custom_id"`
			Params json.RawMessage `json:"params"`
		} `json:"requests"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, badRequest("The request body is not valid JSON: "+err.Error(), "")
	}
	if len(in.Requests) == 0 {
		return nil, badRequest("requests: List should have at least 1 item", "")
	}
	j := &job{id: b.newID("msgbatch_")}
	seen := map[string]bool{}
	for i, q := range in.Requests {
		switch {
		case !customID.MatchString(q.ID):
			return nil, badRequest(fmt.Sprintf("requests.%d.custom_id: String should match pattern '%s'", i, customID), "")
		case seen[q.ID]:
			return nil, badRequest(fmt.Sprintf("requests.%d.custom_id: %q is not unique", i, q.ID), "")
		}
		seen[q.ID] = true
		one := jobRequest{id: q.ID}
		one.request, one.apiError = readAnthropic(q.Params, nil)
		b.config.forBatch(anthropicWire(), &one, q.Params, b.config.models()[0])
		j.requests = append(j.requests, one)
	}
	return j, nil
}

// appendAnthropicBatch appends a job as Anthropic shows it. All requests count as processing
// until the job has ended.
func (*batches) appendAnthropicBatch(b []byte, r *http.Request, j *job) []byte {
	state, over := "in_progress", !j.ended.IsZero()
	processing := len(j.requests)
	if over {
		state, processing = "ended", 0
	}
	b = fmt.Appendf(b, `{"id":"%s","type":"message_batch","processing_status":"%s","request_counts":{"processing":%d,"succeeded":%d,"errored":%d,"canceled":%d,"expired":%d}`,
		j.id, state, processing, j.count("succeeded"), j.count("errored"), j.count("canceled"), j.count("expired"))
	b = append(b, `,"ended_at":`...)
	b = appendTime(b, j.ended)
	b = append(b, `,"created_at":`...)
	b = appendTime(b, j.created)
	b = append(b, `,"expires_at":`...)
	b = appendTime(b, j.created.Add(24*time.Hour))
	b = append(b, `,"cancel_initiated_at":`...)
	b = appendTime(b, j.cancelTime)
	b = append(b, `,"archived_at":null,"results_url":`...)
	if over {
		b = rawjson.AppendString(b, "http://"+r.Host+"/v1/messages/batches/"+j.id+"/results")
	} else {
		b = append(b, "null"...)
	}
	return append(b, '}')
}

func sendAnthropicResults(b *batches, api *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	j, e := b.currentJob(api, r)
	if e != nil {
		return e
	}
	if j.ended.IsZero() {
		return badRequest("Batch "+j.id+" has not finished processing and has no results.", "")
	}
	var out []byte
	for _, res := range j.results {
		out = appendText(out, `{"custom_id":`, res.request.id)
		out = append(out, `,"result":{"type":"`+res.state+`"`...)
		switch res.state {
		case "succeeded":
			out = append(out, `,"message":`...)
			out = anthropicWhole(out, res.reply)
		case "errored":
			out = append(out, `,"error":`...)
			out = anthropicError(out, res.apiError)
		}
		out = append(out, "}}\n"...)
	}
	w.Header().Set("Content-Type", "application/x-jsonl")
	w.Write(out)
	return nil
}
