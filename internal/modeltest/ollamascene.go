package modeltest

import (
	"fmt"
	"strings"

	"verbatim"
)

// OllamaError writes an error, which is a string. A code next to it is added by servers that offer
// Ollama's API in front of another one.
func OllamaError(e Error) string {
	if e.Code == "" {
		return fmt.Sprintf(`{"error":%s}`, JSONText(e.Message))
	}
	return fmt.Sprintf(`{"error":%s,"code":%s}`, JSONText(e.Message), JSONText(e.Code))
}

// ollamaLine writes a line with members of a message. done says that it is the last one.
func ollamaLine(message string, s Scene, usage verbatim.Usage, done bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"model":"served","created_at":"2026-11-21T08:00:00Z","message":{"role":"assistant",%s},"done":%v`, message, done)
	if done {
		fmt.Fprintf(&b, `,"done_reason":%s,"total_duration":5000000`, JSONText(string(s.Finish)))
	}
	for _, n := range []struct {
		name  string
		value *int64
	}{{"prompt_eval_count", usage.Prompt}, {"eval_count", usage.Completion}} {
		if n.value != nil {
			fmt.Fprintf(&b, `,%q:%d`, n.name, *n.value)
		} else if s.NullUsage {
			fmt.Fprintf(&b, `,%q:null`, n.name)
		}
	}
	return b.String() + "}"
}

// OllamaStream writes a scene as lines.
func OllamaStream(s Scene) Body {
	var b strings.Builder
	none := verbatim.Usage{}
	for _, r := range s.Reasoning {
		b.WriteString(ollamaLine(`"content":"","thinking":`+JSONText(r), s, none, false) + "\n")
	}
	for _, text := range s.Text {
		b.WriteString(ollamaLine(`"content":`+JSONText(text), s, none, false) + "\n")
	}
	last := none
	for i, u := range s.Usage {
		if last = u; i < len(s.Usage)-1 {
			b.WriteString(ollamaLine(`"content":""`, s, u, false) + "\n")
		}
	}
	if s.Error != nil {
		b.WriteString(OllamaError(*s.Error) + "\n")
		return Body{Type: "application/x-ndjson", Bytes: []byte(b.String())}
	}
	b.WriteString(ollamaLine(`"content":""`, s, last, true))
	// The line is complete with its last brace, without the line feed.
	return Body{Type: "application/x-ndjson", End: b.Len(), Bytes: []byte(b.String() + "\n")}
}

// OllamaDocument writes a scene in one piece.
func OllamaDocument(s Scene) Body {
	message := `"content":` + JSONText(strings.Join(s.Text, ""))
	if len(s.Reasoning) > 0 {
		message += `,"thinking":` + JSONText(strings.Join(s.Reasoning, ""))
	}
	usage := verbatim.Usage{}
	if len(s.Usage) > 0 {
		usage = s.Usage[0]
	}
	doc := ollamaLine(message, s, usage, true)
	if s.Error != nil {
		doc = OllamaError(*s.Error)
	}
	return Body{Type: "application/json", Bytes: []byte(doc), End: len(doc)}
}
