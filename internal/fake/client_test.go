package fake_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// A client speaks one protocol in the plainest way that understands it.
type client struct {
	name string
	path [2]string // in one piece, streamed
	body string    // with %s for the question as JSON and %v for stream
	// whole reads a response in one piece, event one event of a stream.
	whole func(v map[string]any, a *handleAnswer)
	event func(name string, v map[string]any, a *handleAnswer)
	lines bool
}

// A handleAnswer is what a client understood.
type handleAnswer struct {
	text, reasoning, finish string
	done                    bool // the end marker was there, where the protocol has one
	counted                 bool // there were token counts above 0
	names                   []string
	sequence                []int64
}

// dig returns what lies at a path of keys and indices; nil where nothing does.
func dig(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

func str(v any, path ...any) string { s, _ := dig(v, path...).(string); return s }

func num(v any, path ...any) float64 { n, _ := dig(v, path...).(float64); return n }

func clients() []client {
	return []client{
		{
			name: "chat", path: [2]string{"/v1/chat/completions", "/v1/chat/completions"},
			body: `{"model":"m","stream_options":{"include_usage":true},"messages":[{"role":"system","content":"s"},{"role":"user","content":%s}],"stream":%v}`,
			whole: func(v map[string]any, a *handleAnswer) {
				a.text, a.finish = str(v, "choices", 0, "message", "content"), str(v, "choices", 0, "finish_reason")
				a.reasoning = str(v, "choices", 0, "message", "reasoning_content")
				a.counted, a.done = num(v, "usage", "total_tokens") > 0, true
			},
			event: func(_ string, v map[string]any, a *handleAnswer) {
				a.text += str(v, "choices", 0, "delta", "content")
				a.reasoning += str(v, "choices", 0, "delta", "reasoning_content")
				a.finish += str(v, "choices", 0, "finish_reason")
				a.counted = a.counted || num(v, "usage", "total_tokens") > 0 && len(dig(v, "choices").([]any)) == 0
			},
		},
		{
			name: "responses", path: [2]string{"/v1/responses", "/v1/responses"},
			body: `{"model":"m","instructions":"s","input":%s,"stream":%v}`,
			whole: func(v map[string]any, a *handleAnswer) {
				items, _ := dig(v, "output").([]any)
				for _, it := range items {
					a.text += str(it, "content", 0, "text")
					a.reasoning += str(it, "summary", 0, "text")
				}
				if a.finish = str(v, "status"); a.finish != "completed" && a.finish != "incomplete" {
					a.finish = ""
				}
				a.counted, a.done = num(v, "usage", "total_tokens") > 0, true
			},
			event: func(name string, v map[string]any, a *handleAnswer) {
				a.sequence = append(a.sequence, int64(num(v, "sequence_number")))
				switch name {
				case "response.output_text.delta":
					a.text += str(v, "delta")
				case "response.reasoning_summary_text.delta":
					a.reasoning += str(v, "delta")
				case "response.completed", "response.incomplete":
					a.finish, a.done = str(v, "response", "status"), true
					a.counted = num(v, "response", "usage", "total_tokens") > 0
				}
			},
		},
		{
			name: "anthropic", path: [2]string{"/v1/messages", "/v1/messages"},
			body: `{"model":"m","max_tokens":1000,"system":"s","messages":[{"role":"user","content":%s}],"stream":%v}`,
			whole: func(v map[string]any, a *handleAnswer) {
				blocks, _ := dig(v, "content").([]any)
				for _, b := range blocks {
					a.text += str(b, "text")
					a.reasoning += str(b, "thinking")
				}
				a.finish, a.counted, a.done = str(v, "stop_reason"), num(v, "usage", "output_tokens") > 0, true
			},
			event: func(name string, v map[string]any, a *handleAnswer) {
				a.text += str(v, "delta", "text")
				a.reasoning += str(v, "delta", "thinking")
				a.finish += str(v, "delta", "stop_reason")
				a.counted = a.counted || name == "message_delta" && num(v, "usage", "output_tokens") > 0
				a.done = a.done || name == "message_stop"
			},
		},
		{
			name: "gemini", path: [2]string{"/v1beta/models/m:generateContent", "/v1beta/models/m:streamGenerateContent?alt=sse"},
			body:  `{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":%s}]}],"x":%v}`,
			whole: geminiChunk,
			event: func(_ string, v map[string]any, a *handleAnswer) { geminiChunk(v, a) },
		},
		{
			name: "ollama", path: [2]string{"/api/chat", "/api/chat"}, lines: true,
			body: `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":%s}],"stream":%v}`,
			whole: func(v map[string]any, a *handleAnswer) {
				ollamaLine(v, a)
			},
			event: func(_ string, v map[string]any, a *handleAnswer) { ollamaLine(v, a) },
		},
	}
}

func geminiChunk(v map[string]any, a *handleAnswer) {
	parts, _ := dig(v, "candidates", 0, "content", "parts").([]any)
	for _, p := range parts {
		if dig(p, "thought") == true {
			a.reasoning += str(p, "text")
		} else {
			a.text += str(p, "text")
		}
	}
	a.finish += str(v, "candidates", 0, "finishReason")
	a.counted = num(v, "usageMetadata", "candidatesTokenCount") > 0
	a.done = a.finish != ""
}

func ollamaLine(v map[string]any, a *handleAnswer) {
	a.text += str(v, "message", "content")
	a.reasoning += str(v, "message", "thinking")
	a.finish += str(v, "done_reason")
	a.done = dig(v, "done") == true
	a.counted = num(v, "eval_count") > 0
}

// send asks a question.
func (c *client) send(t *testing.T, transport http.RoundTripper, base, question string, stream bool) (*http.Response, error) {
	t.Helper()
	q, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	path := c.path[0]
	if stream {
		path = c.path[1]
	}
	r, err := http.NewRequestWithContext(t.Context(), "POST", base+path, strings.NewReader(fmt.Sprintf(c.body, q, stream)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Anthropic-Version", "2023-06-01")
	return transport.RoundTrip(r)
}

var errIncomplete = errors.New("the answer is not complete")

// read understands a response with a status of success, or says why not.
func (c *client) read(body []byte, stream bool) (handleAnswer, error) {
	var a handleAnswer
	body = bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))
	if !stream {
		var v map[string]any
		if err := json.Unmarshal(body, &v); err != nil {
			return a, err
		}
		if dig(v, "error") != nil {
			return a, fmt.Errorf("an error: %v", v["error"])
		}
		c.whole(v, &a)
		return a, complete(a)
	}
	blank := "\n\n"
	if c.lines {
		blank = "\n"
	}
	body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	events := strings.Split(string(body), blank)
	if last := events[len(events)-1]; last != "" {
		return a, errIncomplete
	}
	for _, ev := range events[:len(events)-1] {
		name, data := "", ev
		if !c.lines {
			data = ""
			for line := range strings.SplitSeq(ev, "\n") {
				if d, ok := strings.CutPrefix(line, "data: "); ok {
					data += d
				} else if n, ok := strings.CutPrefix(line, "event: "); ok {
					name = n
				}
			}
		}
		if data == "" || name == "unknown.event" {
			continue
		}
		if data == "[DONE]" {
			a.done = true
			continue
		}
		var v map[string]any
		if err := json.Unmarshal([]byte(data), &v); err != nil {
			return a, fmt.Errorf("%q: %w", data, err)
		}
		if dig(v, "error") != nil || v["type"] == "error" {
			return a, fmt.Errorf("an error: %v", v)
		}
		a.names = append(a.names, name)
		c.event(name, v, &a)
	}
	return a, complete(a)
}

func complete(a handleAnswer) error {
	if a.finish == "" || !a.done {
		return errIncomplete
	}
	return nil
}

// squeeze removes repetitions from a list of names.
func squeeze(names []string) []string { return slices.Compact(slices.Clone(names)) }
