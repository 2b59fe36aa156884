package wire_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

func TestOllama(t *testing.T) {
	for _, stream := range []bool{true, false} {
		t.Run(map[bool]string{true: "Stream", false: "Plain"}[stream], func(t *testing.T) {
			modeltest.Run(t, modeltest.Harness{
				Stream: stream,
				Ask: func(ctx context.Context, e wire.Endpoint, p verbatim.Prompt) (verbatim.Reply, error) {
					e.Model = "test-model"
					return wire.Ollama(ctx, e, p, 100, verbatim.Params{})
				},
				Answer:    map[bool]func(modeltest.Scene) modeltest.Body{true: ollamaStream, false: ollamaDocument}[stream],
				KeepAlive: []byte("\n" + `{"model":"test-model","created_at":"2026-11-21T08:00:00Z","message":{"role":"assistant","content":""},"done":false}` + "\n"),
				Error: func(code, message string) []byte {
					return []byte(ollamaError(modeltest.Error{Code: code, Message: message}))
				},
				Counts: func(u verbatim.Usage) verbatim.Usage {
					return verbatim.Usage{Prompt: u.Prompt, Completion: u.Completion}
				},
				NoRefusal: true,
				Root:      "/api",
			})
		})
	}
}

// ollamaError writes an error, which is a text. The code beside it is what servers
// add that speak Ollama's API before others.
func ollamaError(e modeltest.Error) string {
	if e.Code == "" {
		return fmt.Sprintf(`{"error":%s}`, modeltest.JSONText(e.Message))
	}
	return fmt.Sprintf(`{"error":%s,"code":%s}`, modeltest.JSONText(e.Message), modeltest.JSONText(e.Code))
}

// ollamaLine writes a piece, the last of which has the end and the usage.
func ollamaLine(message string, s modeltest.Scene, usage verbatim.Usage, done bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"model":"served","created_at":"2026-11-21T08:00:00Z","message":{"role":"assistant",%s},"done":%v`, message, done)
	if done {
		fmt.Fprintf(&b, `,"done_reason":%s,"total_duration":5000000`, modeltest.JSONText(string(s.Finish)))
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

// ollamaStream writes a scene as lines.
func ollamaStream(s modeltest.Scene) modeltest.Body {
	var b strings.Builder
	none := verbatim.Usage{}
	for _, r := range s.Reasoning {
		b.WriteString(ollamaLine(`"content":"","thinking":`+modeltest.JSONText(r), s, none, false) + "\n")
	}
	for _, text := range s.Text {
		b.WriteString(ollamaLine(`"content":`+modeltest.JSONText(text), s, none, false) + "\n")
	}
	last := none
	for i, u := range s.Usage {
		if last = u; i < len(s.Usage)-1 {
			b.WriteString(ollamaLine(`"content":""`, s, u, false) + "\n")
		}
	}
	if s.Error != nil {
		b.WriteString(ollamaError(*s.Error) + "\n")
		return modeltest.Body{Type: "application/x-ndjson", Bytes: []byte(b.String())}
	}
	b.WriteString(ollamaLine(`"content":""`, s, last, true))
	// A document is whole with its last brace, whatever comes of the line.
	return modeltest.Body{Type: "application/x-ndjson", End: b.Len(), Bytes: []byte(b.String() + "\n")}
}

// ollamaDocument writes a scene in one piece.
func ollamaDocument(s modeltest.Scene) modeltest.Body {
	message := `"content":` + modeltest.JSONText(strings.Join(s.Text, ""))
	if len(s.Reasoning) > 0 {
		message += `,"thinking":` + modeltest.JSONText(strings.Join(s.Reasoning, ""))
	}
	usage := verbatim.Usage{}
	if len(s.Usage) > 0 {
		usage = s.Usage[0]
	}
	doc := ollamaLine(message, s, usage, true)
	if s.Error != nil {
		doc = ollamaError(*s.Error)
	}
	return modeltest.Body{Type: "application/json", Bytes: []byte(doc), End: len(doc)}
}
