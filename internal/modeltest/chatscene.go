package modeltest

import (
	"encoding/json"
	"fmt"
	"strings"

	"verbatim"
)

// ChatError writes an error object. A code of digits is a number, as OpenRouter and llama.cpp have
// it.
func ChatError(e Error) string {
	code := JSONText(e.Code)
	switch {
	case e.Code == "":
		code = "null"
	case e.isNumber():
		code = e.Code
	}
	return fmt.Sprintf(`{"message":%s,"type":null,"param":null,"code":%s}`, JSONText(e.Message), code)
}

func chatFinish(f verbatim.Finish) string {
	if f == "" {
		return "null"
	}
	return JSONText(string(f))
}

func chatUsage(u verbatim.Usage) string {
	b, _ := json.Marshal(map[string]any{
		"prompt_tokens":             u.Prompt,
		"completion_tokens":         u.Completion,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.Cached},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
	})
	return string(b)
}

// ChatStream writes a scene as chat completion chunks.
func ChatStream(s Scene) Body {
	var b strings.Builder
	chunk := func(format string, args ...any) {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","model":"served","system_fingerprint":"fp",`+format+"}\n\n", args...)
	}
	delta := func(field, text string) {
		chunk(`"choices":[{"index":0,"delta":{"%s":%s},"finish_reason":null}],"usage":null`, field, JSONText(text))
	}
	chunk(`"choices":[{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}]`)
	for _, r := range s.Reasoning {
		delta("reasoning_content", r)
	}
	if s.Refusal != "" {
		delta("refusal", s.Refusal)
	}
	for _, text := range s.Text {
		delta("content", text)
	}
	if s.Error != nil {
		chunk(`"choices":[],"error":%s`, ChatError(*s.Error))
	}
	chunk(`"choices":[{"index":0,"delta":{},"finish_reason":%s}]`, chatFinish(s.Finish))
	for _, u := range s.Usage {
		chunk(`"choices":[],"usage":%s`, chatUsage(u))
	}
	if s.NullUsage {
		chunk(`"choices":[],"usage":null`)
	}
	b.WriteString("data: [DONE]\n\n")
	// The blank line ends the event.
	return Body{Type: "text/event-stream", Bytes: []byte(b.String()), End: b.Len()}
}

// ChatDocument writes a scene as a chat completion in one piece.
func ChatDocument(s Scene) Body {
	var b strings.Builder
	join := func(pieces []string) string { return JSONText(strings.Join(pieces, "")) }
	fmt.Fprintf(&b, `{"id":"chatcmpl-1","object":"chat.completion","model":"served","choices":[{"index":0,"message":{"role":"assistant","content":%s`, join(s.Text))
	if len(s.Reasoning) > 0 {
		fmt.Fprintf(&b, `,"reasoning":%s`, join(s.Reasoning))
	}
	if s.Refusal != "" {
		fmt.Fprintf(&b, `,"refusal":%s`, JSONText(s.Refusal))
	}
	fmt.Fprintf(&b, `},"finish_reason":%s}]`, chatFinish(s.Finish))
	if s.Error != nil {
		fmt.Fprintf(&b, `,"error":%s`, ChatError(*s.Error))
	}
	b.WriteString(s.usage("usage", chatUsage) + "}")
	return Body{Type: "application/json", Bytes: []byte(b.String()), End: b.Len()}
}
