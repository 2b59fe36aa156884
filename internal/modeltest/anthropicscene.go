package modeltest

import (
	"fmt"
	"strings"

	"verbatim"
)

// AnthropicError writes an error. The codes of the suite are OpenAI's.
func AnthropicError(e Error) string {
	kind := e.Code
	switch e.Code {
	case "":
		kind = "api_error"
	case "502":
		kind = "overloaded_error"
	case "429", "rate_limit_exceeded":
		kind = "rate_limit_error"
	case "invalid_api_key":
		kind = "authentication_error"
	case "model_not_found":
		kind = "not_found_error"
	case "insufficient_quota":
		kind = "billing_error"
	}
	return fmt.Sprintf(`{"type":"error","error":{"type":%s,"message":%s},"request_id":null}`, JSONText(kind), JSONText(e.Message))
}

// anthropicStop spells a finish. The protocol itself has no content filter.
func anthropicStop(s Scene) string {
	if s.Refusal != "" {
		return `"refusal"`
	}
	switch s.Finish {
	case "":
		return "null"
	case verbatim.FinishStop:
		return `"end_turn"`
	case verbatim.FinishLength:
		return `"max_tokens"`
	}
	return JSONText(string(s.Finish))
}

// anthropicUsage writes token counts: those of the input, of the output, or both.
func anthropicUsage(u verbatim.Usage, in, out bool) string {
	var fields []string
	add := func(format string, n *int64) {
		if n != nil {
			fields = append(fields, fmt.Sprintf(format, *n))
		}
	}
	if in {
		fresh := u.Prompt
		if u.Prompt != nil && u.Cached != nil {
			fresh = new(*u.Prompt - *u.Cached)
		}
		add(`"input_tokens":%d`, fresh)
		add(`"cache_read_input_tokens":%d`, u.Cached)
	}
	if out {
		add(`"output_tokens":%d`, u.Completion)
		add(`"output_tokens_details":{"thinking_tokens":%d}`, u.Reasoning)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// AnthropicStream writes a scene as the events of a message.
func AnthropicStream(s Scene) Body {
	var b strings.Builder
	event := func(kind, format string, args ...any) {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":\"%s\""+format+"}\n\n", append([]any{kind, kind}, args...)...)
	}
	first, last := "", ""
	switch {
	case s.NullUsage:
		first, last = `,"usage":null`, `,"usage":null`
	case len(s.Usage) == 1:
		first, last = `,"usage":`+anthropicUsage(s.Usage[0], true, false), `,"usage":`+anthropicUsage(s.Usage[0], false, true)
	case len(s.Usage) > 1:
		first, last = `,"usage":`+anthropicUsage(s.Usage[0], true, true), `,"usage":`+anthropicUsage(s.Usage[1], true, true)
	}
	event("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","model":"served","content":[],"stop_reason":null,"stop_sequence":null%s}`, first)
	index := 0
	block := func(kind, delta string, texts []string) {
		if len(texts) == 0 {
			return
		}
		event("content_block_start", `,"index":%d,"content_block":{"type":"%s","%s":""}`, index, kind, kind)
		for _, text := range texts {
			event("content_block_delta", `,"index":%d,"delta":{"type":"%s","%s":%s}`, index, delta, kind, JSONText(text))
		}
		if kind == "thinking" {
			event("content_block_delta", `,"index":%d,"delta":{"type":"signature_delta","signature":"c2ln"}`, index)
		}
		event("content_block_stop", `,"index":%d`, index)
		index++
	}
	block("thinking", "thinking_delta", s.Reasoning)
	if s.Refusal != "" {
		block("text", "text_delta", []string{s.Refusal})
	}
	block("text", "text_delta", s.Text)
	if s.Error != nil {
		b.WriteString("event: error\ndata: " + AnthropicError(*s.Error) + "\n\n")
	}
	event("message_delta", `,"delta":{"stop_reason":%s,"stop_sequence":null}%s`, anthropicStop(s), last)
	event("message_stop", "")
	return Body{Type: "text/event-stream", Bytes: []byte(b.String()), End: b.Len()}
}

// AnthropicDocument writes a scene as a message in one piece.
func AnthropicDocument(s Scene) Body {
	if s.Error != nil {
		b := []byte(AnthropicError(*s.Error))
		return Body{Type: "application/json", Bytes: b, End: len(b)}
	}
	var blocks []string
	block := func(kind string, texts ...string) {
		if len(texts) > 0 {
			blocks = append(blocks, fmt.Sprintf(`{"type":"%s","%s":%s}`, kind, kind, JSONText(strings.Join(texts, ""))))
		}
	}
	block("thinking", s.Reasoning...)
	if s.Refusal != "" {
		block("text", s.Refusal)
	}
	block("text", s.Text...)
	usage := s.usage("usage", func(u verbatim.Usage) string { return anthropicUsage(u, true, true) })
	b := fmt.Appendf(nil, `{"id":"msg_1","type":"message","role":"assistant","model":"served","content":[%s],"stop_reason":%s,"stop_sequence":null%s}`,
		strings.Join(blocks, ","), anthropicStop(s), usage)
	return Body{Type: "application/json", Bytes: b, End: len(b)}
}
