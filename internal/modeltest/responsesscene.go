package modeltest

import (
	"encoding/json"
	"fmt"
	"strings"

	"verbatim"
)

// responsesEnd returns the status of a scene, and in JSON why it is incomplete.
func responsesEnd(s Scene) (status, details string) {
	switch {
	case s.Error != nil:
		return "failed", "null"
	case s.Finish == verbatim.FinishStop:
		return "completed", "null"
	case s.Finish == verbatim.FinishLength:
		return "incomplete", `{"reason":"max_output_tokens"}`
	}
	return "incomplete", fmt.Sprintf(`{"reason":%q}`, s.Finish)
}

func responsesUsage(u verbatim.Usage) string {
	b, _ := json.Marshal(map[string]any{
		"input_tokens":          u.Prompt,
		"output_tokens":         u.Completion,
		"input_tokens_details":  map[string]any{"cached_tokens": u.Cached},
		"output_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
	})
	return string(b)
}

// responsesObject writes a scene as a response, with or without its output.
func responsesObject(s Scene, usage string, withOutput bool) string {
	join := func(pieces []string) string { return JSONText(strings.Join(pieces, "")) }
	status, details := responsesEnd(s)
	failure := "null"
	if s.Error != nil {
		failure = ChatError(*s.Error)
	}
	var items []string
	if len(s.Reasoning) > 0 {
		items = append(items, `{"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":`+join(s.Reasoning)+`}]}`)
	}
	var parts []string
	if len(s.Text) > 0 {
		parts = append(parts, `{"type":"output_text","annotations":[],"logprobs":[],"text":`+join(s.Text)+`}`)
	}
	if s.Refusal != "" {
		parts = append(parts, `{"type":"refusal","refusal":`+JSONText(s.Refusal)+`}`)
	}
	items = append(items, `{"type":"message","id":"msg_1","role":"assistant","content":[`+strings.Join(parts, ",")+`]}`)
	if !withOutput {
		items = nil
	}
	return fmt.Sprintf(`{"id":"resp_1","object":"response","model":"served","status":%q,"error":%s,"incomplete_details":%s,"temperature":1.0,"output":[%s],"usage":%s}`,
		status, failure, details, strings.Join(items, ","), usage)
}

// ResponsesStream writes a scene as events.
func ResponsesStream(s Scene) Body {
	var b strings.Builder
	n := 0
	event := func(kind, format string, args ...any) {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,"+format+"}\n\n", append([]any{kind, kind, n}, args...)...)
		n++
	}
	usage := "null"
	for i, u := range s.Usage {
		if usage = responsesUsage(u); i < len(s.Usage)-1 {
			event("response.in_progress", `"response":{"id":"resp_1","status":"in_progress","usage":%s}`, usage)
		}
	}
	event("response.created", `"response":{"id":"resp_1","status":"in_progress","usage":null,"error":null}`)
	for _, r := range s.Reasoning {
		event("response.reasoning_text.delta", `"output_index":0,"delta":%s`, JSONText(r))
	}
	event("response.output_item.added", `"item":{"type":"message","content":[]}`)
	if s.Refusal != "" {
		event("response.refusal.delta", `"delta":%s`, JSONText(s.Refusal))
		event("response.refusal.done", `"refusal":%s`, JSONText(s.Refusal))
	}
	size := 0
	for _, text := range s.Text {
		event("response.output_text.delta", `"output_index":1,"content_index":0,"delta":%s`, JSONText(text))
		size += len(text)
	}
	if s.Error != nil {
		event("error", `"code":%s,"message":%s,"param":null`, JSONText(s.Error.Code), JSONText(s.Error.Message))
	}
	short := size < 1<<20 // a long text is only in the deltas
	if short {
		event("response.output_text.done", `"text":%s`, JSONText(strings.Join(s.Text, "")))
	}
	status, _ := responsesEnd(s)
	event("response."+status, `"response":%s`, responsesObject(s, usage, short))
	return Body{Type: "text/event-stream", Bytes: []byte(b.String()), End: b.Len()}
}

// ResponsesDocument writes a scene as a response in one piece.
func ResponsesDocument(s Scene) Body {
	usage := "null"
	if len(s.Usage) > 0 {
		usage = responsesUsage(s.Usage[0])
	}
	doc := responsesObject(s, usage, true)
	return Body{Type: "application/json", Bytes: []byte(doc), End: len(doc)}
}
