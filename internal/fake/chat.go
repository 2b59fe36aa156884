package fake

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// chat is OpenAI's chat completions protocol, as its specification of 2026-08-21
// has it: events of "data:" lines, a last one with token counts and empty
// choices where they were asked for, and [DONE].
var chat = protocol{
	name: "chat", read: readChat, whole: chatWhole, stream: chatStream, refuse: openAIError,
	idHeader: "X-Request-Id", idPrefix: "req_",
}

func readChat(body []byte, r *http.Request) (*ask, *trouble) {
	var in struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Stream        bool `json:"stream"`
		StreamOptions *struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
		MaxTokens           int `json:"max_tokens"`
		MaxCompletionTokens int `json:"max_completion_tokens"`
		sampling
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, unreadable(err)
	}
	if len(in.Messages) == 0 {
		return nil, badRequest("Missing required parameter: 'messages'.", "messages")
	}
	a := &ask{model: in.Model, stream: in.Stream, maxTokens: max(in.MaxTokens, in.MaxCompletionTokens), params: in.params()}
	if a.model == "" && r != nil {
		// Azure names the model in the path alone.
		_, rest, _ := strings.Cut(r.URL.Path, "/deployments/")
		a.model, _, _ = strings.Cut(rest, "/")
	}
	a.usage = in.StreamOptions != nil && in.StreamOptions.IncludeUsage
	a.prompt = make(verbatim.Prompt, len(in.Messages))
	for i, m := range in.Messages {
		content, err := parseContent(m.Content)
		if err != nil {
			return nil, badRequest(err.Error(), "messages["+strconv.Itoa(i)+"].content")
		}
		a.prompt[i] = verbatim.Message{Role: role(m.Role), Content: content}
	}
	return a, nil
}

// unreadable is what servers say to a body that is not what it should be.
func unreadable(err error) *trouble {
	return badRequest("We could not parse the JSON body of your request: "+err.Error(), "")
}

// openAIError appends an error in OpenAI's shape.
func openAIError(b []byte, t *trouble) []byte {
	b = append(b, `{"error":`...)
	b = openAIErrorObject(b, t)
	return append(b, '}')
}

func openAIErrorObject(b []byte, t *trouble) []byte {
	kind, code := t.kind, t.code
	if kind == "" {
		kind = openAIKind(t.status)
	}
	if code == "" {
		code = openAICode(t.status)
	}
	b = append(b, `{"message":`...)
	b = rawjson.AppendString(b, t.message)
	b = append(b, `,"type":`...)
	b = rawjson.AppendString(b, kind)
	b = append(b, `,"param":`...)
	b = appendWord(b, t.param)
	b = append(b, `,"code":`...)
	if t.numeric {
		b = append(b, code...)
	} else {
		b = appendWord(b, code)
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
	b = append(b, `,"model":`...)
	b = rawjson.AppendString(b, r.ask.model)
	b = append(b, `,"service_tier":"default","system_fingerprint":`...)
	b = rawjson.AppendString(b, r.fingerprint)
	if r.errorNull {
		b = append(b, `,"error":null`...)
	}
	if r.strange {
		b = append(b, `,"x_unknown":{"nested":[1,null,{"deep":true}]}`...)
	}
	return b
}

// chatUsage appends `,"usage":…`, of an answer that is share of the whole.
func chatUsage(b []byte, r *reply, completion int64) []byte {
	if r.usage == "missing" {
		return b
	}
	if r.usage == "null" {
		return append(b, `,"usage":null`...)
	}
	b = append(b, `,"usage":{"prompt_tokens":`...)
	b = r.count(b, r.prompt)
	b = append(b, `,"completion_tokens":`...)
	b = r.count(b, completion)
	b = append(b, `,"total_tokens":`...)
	b = r.count(b, r.prompt+completion)
	b = append(b, `,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":`...)
	b = r.count(b, r.thought())
	return append(b, `,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}`...)
}

func chatWhole(b []byte, r *reply) []byte {
	b = chatHead(b, r, "chat.completion")
	b = append(b, `,"choices":[{"index":0,"message":{"role":"assistant","content":`...)
	refused := r.finish == verbatim.FinishRefusal
	if refused {
		b = append(b, `null,"refusal":`...)
		b = rawjson.AppendString(b, r.text)
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
	b = append(b, `,"annotations":[]},"logprobs":null,"finish_reason":`...)
	if r.noFinish {
		b = append(b, "null"...)
	} else {
		b = rawjson.AppendString(b, r.finishWord(chatFinish))
	}
	b = append(b, `}]`...)
	if r.usage == "twice" {
		b = chatUsage(b, r, r.completion()/2)
	}
	b = chatUsage(b, r, r.completion())
	return append(b, '}')
}

func chatStream(s *script, r *reply) {
	head := string(chatHead([]byte("data: "), r, "chat.completion.chunk"))
	uncounted := ""
	if r.ask.usage && r.usage != "missing" {
		uncounted = `,"usage":null`
	}
	open := head + `,"choices":[{"index":0,"delta":{`
	shut := `},"logprobs":null,"finish_reason":null}]` + uncounted + "}\n\n"
	s.add(open, `"role":"assistant","content":"","refusal":null`, shut)
	s.flush(0)
	for piece := range r.pieces(r.reasoning) {
		s.add(open, `"`, r.field, `":`)
		s.str(piece)
		s.add(shut)
		s.flush(tokens(len(piece)))
	}
	field := `"content":`
	if r.finish == verbatim.FinishRefusal {
		field = `"refusal":`
	}
	for piece := range r.pieces(r.text) {
		s.add(open, field)
		s.str(piece)
		s.add(shut)
		s.flush(tokens(len(piece)))
	}
	if r.trouble != nil {
		s.add("data: ")
		s.b = openAIError(s.b, r.trouble)
		s.add("\n\n")
		s.flush(0)
		return
	}
	if !r.noFinish {
		s.add(head, `,"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":`)
		s.str(r.finishWord(chatFinish))
		s.add("}]")
		if r.usage == "twice" {
			s.b = chatUsage(s.b, r, r.completion()/2)
		} else {
			s.add(uncounted)
		}
		s.add("}\n\n")
		s.flush(0)
	}
	if r.ask.usage && r.usage != "missing" && !(r.noEnd && r.noFinish) {
		s.add(head, `,"choices":[]`)
		s.b = chatUsage(s.b, r, r.completion())
		s.add("}\n\n")
		s.flush(0)
	}
	if !r.noEnd {
		s.add("data: [DONE]\n\n")
		s.flush(0)
	}
}
