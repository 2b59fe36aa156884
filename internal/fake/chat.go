package fake

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"

	"verbatim/internal/rawjson"
)

// chatWire returns OpenAI's chat completions protocol, of the specification of 2026-08-21. A
// stream is "data:" lines, a last one with the token counts if they were requested, and [DONE].
func chatWire() *wire {
	return &wire{
		name: "chat", read: readChat, appendReply: chatWhole, writeStream: chatStream, appendError: openAIError,
		paths:        []string{"/v1/chat/completions", "/openai/deployments/{}/chat/completions"},
		appendModels: appendOpenAIModels,
		calls:        map[string]wireCall{"GET /v1/models": listModels, "GET /v1/models/{*}": showModel},
		idHeader:     "X-Request-Id", idPrefix: "req_",
		headers:  map[string]string{"Openai-Processing-Ms": "1", "Openai-Version": "2020-10-01"},
		setQuota: setOpenAIQuota,
		params: paramTable{
			takes: "model messages stream stream_options max_tokens max_completion_tokens stop n temperature top_p seed logprobs top_logprobs provider store metadata user " +
				"safety_identifier prompt_cache_key service_tier",
			forms:  "response_format",
			tools:  "tools tool_choice parallel_tool_calls",
			effort: "reasoning_effort",
		},
	}
}

// maxChoices is the largest number of choices of a reply. All have the same text.
const maxChoices = 8

func readChat(body []byte, r *http.Request) (*request, *apiError) {
	var in struct {
		Model         string         `json:"model"`
		Messages      []inputMessage `json:"messages"`
		Stream        bool           `json:"stream"`
		StreamOptions *struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
		MaxTokens           int `json:"max_tokens"`
		MaxCompletionTokens int `json:"max_completion_tokens"`
		Provider            struct {
			Only  []string `json:"only"`
			Order []string `json:"order"`
		} `json:"provider"`
		Stop  stopParam       `json:"stop"`
		Tools json.RawMessage `json:"tools"`
		N     *int            `json:"n"`
		samplingParams
		logprobParams
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, invalidJSON(err)
	}
	if len(in.Messages) == 0 {
		return nil, badRequest("Missing required parameter: 'messages'.", "messages")
	}
	choices := 1
	if in.N != nil {
		choices = *in.N
	}
	if choices < 1 || choices > maxChoices {
		return nil, badRequest("Invalid value for 'n': must be from 1 to "+strconv.Itoa(maxChoices)+".", "n")
	}
	q := &request{choices: choices, model: in.Model, stream: in.Stream, maxTokens: max(in.MaxTokens, in.MaxCompletionTokens), params: in.params(), stop: in.Stop, tool: offeredTool(in.Tools),
		providers: slices.Concat(in.Provider.Only, in.Provider.Order)}
	if q.model == "" && r != nil {
		// Azure names the model in the path alone.
		_, rest, _ := strings.Cut(r.URL.Path, "/deployments/")
		q.model, _, _ = strings.Cut(rest, "/")
	}
	var err *apiError
	if q.params.Logprobs, err = in.alternatives(); err != nil {
		return nil, err
	}
	q.usage = in.StreamOptions != nil && in.StreamOptions.IncludeUsage
	if i, err := q.addMessages(in.Messages); err != nil {
		return nil, badRequest(err.Error(), "messages["+strconv.Itoa(i)+"].content")
	}
	return q, nil
}

// chatFinish spells a finish reason.
func chatFinish(f verbatim.Finish) string {
	if f == verbatim.FinishRefusal {
		return "stop"
	}
	return string(f)
}

func chatHead(b []byte, r *reply, object string) []byte {
	b = append(b, `{"id":"chatcmpl-`...)
	b = append(b, r.id...)
	b = append(b, `","object":"`...)
	b = append(b, object...)
	b = append(b, `","created":`...)
	b = strconv.AppendInt(b, r.created.Unix(), 10)
	b = appendText(b, `,"model":`, r.request.model)
	b = appendText(b, `,"service_tier":"default","system_fingerprint":`, r.fingerprint)
	if r.upstream != "" {
		b = appendText(b, `,"provider":`, r.upstream)
	}
	return r.appendUnknown(b, "x_unknown")
}

// chatUsage appends `,"usage":…` with a number of completion tokens.
func chatUsage(b []byte, r *reply, completion int64) []byte {
	completion *= int64(r.request.choices)
	b, ok := r.openUsage(b, "usage")
	if !ok {
		return b
	}
	b = r.appendCount(b, `"prompt_tokens":`, r.prompt)
	b = r.appendCount(b, `,"completion_tokens":`, completion)
	b = r.appendCount(b, `,"total_tokens":`, r.prompt+completion)
	b = r.appendCount(b, `,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":`, r.reasoningTokens())
	return append(b, `,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}`...)
}

func chatWhole(b []byte, r *reply) []byte {
	b = chatHead(b, r, "chat.completion")
	b = append(b, `,"choices":[`...)
	for i := range r.request.choices {
		if i > 0 {
			b = append(b, ',')
		}
		b = chatChoice(b, r, i)
	}
	b = append(b, ']')
	return append(r.appendUsage(b, chatUsage), '}')
}

// chatChoice appends a choice of a whole completion.
func chatChoice(b []byte, r *reply, index int) []byte {
	b = append(b, `{"index":`...)
	b = strconv.AppendInt(b, int64(index), 10)
	b = append(b, `,"message":{"role":"assistant","content":`...)
	refused := r.finish == verbatim.FinishRefusal
	if refused {
		b = appendText(b, `null,"refusal":`, r.text)
	} else if call, ok := r.call(); ok {
		b = append(call.appendChat(append(b, `null,"refusal":null,"tool_calls":[`...), r.text), ']')
	} else {
		b = rawjson.AppendString(b, r.text)
		b = append(b, `,"refusal":null`...)
	}
	if r.reasoning != "" {
		b = append(b, ',')
		b = rawjson.AppendString(b, r.field)
		b = append(b, ':')
		b = rawjson.AppendString(b, r.reasoning)
	}
	b = append(b, `,"annotations":[]},"logprobs":`...)
	b = appendChatLogprobs(b, r.tokens)
	b = append(b, `,"finish_reason":`...)
	b = r.appendFinish(b, r.spell(chatFinish, "tool_calls"))
	return append(b, '}')
}

func chatStream(s *script, r *reply) {
	head := string(chatHead([]byte("data: "), r, "chat.completion.chunk"))
	uncounted := ""
	if r.request.usage && r.usage != "missing" {
		uncounted = `,"usage":null`
	}
	for i := range r.request.choices {
		chatDeltas(s, r, head, uncounted, i)
	}
	head = string(chatHead([]byte("data: "), r, "chat.completion.chunk")) // a live reply has its fingerprint now
	if r.apiError != nil {
		s.add("data: ")
		s.b = openAIError(s.b, r.apiError)
		s.add("\n\n")
		s.flush(0)
		return
	}
	chatStreamEnd(s, r, head, uncounted)
}

// chatStreamEnd writes the events after the text: the finish reason, the usage, the end marker.
// uncounted is the member "usage" of the events without token counts.
func chatStreamEnd(s *script, r *reply, head, uncounted string) {
	for i := range r.request.choices {
		if r.noFinish {
			break
		}
		s.add(head, `,"choices":[{"index":`, strconv.Itoa(i), `,"delta":{},"logprobs":null,"finish_reason":`)
		s.addString(r.finishReason(r.spell(chatFinish, "tool_calls")))
		s.add("}]")
		if r.usage == "twice" {
			s.b = chatUsage(s.b, r, r.completionTokens()/2)
		} else {
			s.add(uncounted)
		}
		s.add("}\n\n")
		s.flush(0)
	}
	if r.request.usage && r.usage != "missing" && !(r.noEnd && r.noFinish) {
		s.add(head, `,"choices":[]`)
		s.b = chatUsage(s.b, r, r.completionTokens())
		s.add("}\n\n")
		s.flush(0)
	}
	if !r.noEnd {
		s.add("data: [DONE]\n\n")
		s.flush(0)
	}
}

// chatDeltas writes the events of a choice, without its end.
func chatDeltas(s *script, r *reply, head, uncounted string, index int) {
	open := head + `,"choices":[{"index":` + strconv.Itoa(index) + `,"delta":{`
	shut := `},"logprobs":null,"finish_reason":null}]` + uncounted + "}\n\n"
	s.add(open, `"role":"assistant","content":"","refusal":null`, shut)
	s.flush(0)
	for piece := range r.reasoningPieces() {
		s.add(open, `"`, r.field, `":`)
		s.addString(piece)
		s.add(shut)
		s.flush(tokens(len(piece)))
	}
	field, end := `"content":`, ""
	if call, ok := r.call(); ok {
		s.add(open, `"tool_calls":[`, string(call.appendChat(nil, "")), "]", shut)
		field, end = `"tool_calls":[{"index":0,"function":{"arguments":`, "}}]"
	}
	if r.finish == verbatim.FinishRefusal {
		field = `"refusal":`
	}
	for piece, list := range r.textPieces() {
		s.add(open, field)
		s.addString(piece)
		s.add(end, `},"logprobs":`)
		s.b = appendChatLogprobs(s.b, list)
		s.add(`,"finish_reason":null}]`, uncounted, "}\n\n")
		s.flush(tokens(len(piece)))
	}
}

// The following is common to OpenAI's protocols, chat completions and responses.

// invalidJSON is the error of a body that cannot be read.
func invalidJSON(err error) *apiError {
	return badRequest("We could not parse the JSON body of your request: "+err.Error(), "")
}

// openAIError appends an error in OpenAI's shape.
func openAIError(b []byte, e *apiError) []byte {
	b = append(b, `{"error":`...)
	b = openAIErrorObject(b, e)
	return append(b, '}')
}

func openAIErrorObject(b []byte, e *apiError) []byte {
	code := cmp.Or(e.code, openAICode(e.status))
	b = appendText(b, `{"message":`, e.message)
	b = appendText(b, `,"type":`, cmp.Or(e.kind, openAIKind(e.status)))
	b = append(b, `,"param":`...)
	b = appendStringOrNull(b, e.param)
	b = append(b, `,"code":`...)
	if e.numeric {
		b = append(b, code...)
	} else {
		b = appendStringOrNull(b, code)
	}
	if e.upstream != "" {
		b = append(b, `,"metadata":{"provider_name":`...)
		b = append(rawjson.AppendString(b, e.upstream), '}')
	}
	return append(b, '}')
}

func openAIKind(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return "requests"
	case status < 500:
		return "invalid_request_error"
	}
	return "server_error"
}

func openAICode(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "invalid_api_key"
	case http.StatusTooManyRequests:
		return "rate_limit_exceeded"
	}
	return ""
}

func setOpenAIQuota(h http.Header, q *quota, _ time.Time) {
	h.Set("X-Ratelimit-Limit-Requests", strconv.Itoa(q.Limit))
	h.Set("X-Ratelimit-Remaining-Requests", strconv.Itoa(q.Remaining))
	h.Set("X-Ratelimit-Reset-Requests", q.Reset.Round(time.Millisecond).String())
}

func appendOpenAIModels(b []byte, names []string) []byte {
	return appendModels(b, names, `{"object":"list","data":[`, func(name string) string {
		return `{"id":` + name + `,"object":"model","created":1767225600,"owned_by":"verbatim-fake"}`
	}, "]}")
}
