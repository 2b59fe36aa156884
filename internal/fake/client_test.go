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
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
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
			body:  `{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":%s}]}],"labels":{"x":"%v"}}`,
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

const question = "Größe: åß€ 日本 and \"quotes\" and a \\ and more, so that it makes several events"

// wires are our own clients.
var wires = map[string]*wire.Protocol{
	"chat": wire.Chat(), "responses": wire.Responses(), "anthropic": wire.Anthropic(), "gemini": wire.Gemini(), "ollama": wire.Ollama(),
}

// Our own clients meet every fault and report it as the right failure.
func TestClientsUnderEveryFault(t *testing.T) {
	const both = ""
	cases := []struct {
		fault           string
		plain, streamed verbatim.Class // "" is an answer
		after           time.Duration
		text            string // "" is the question; of answers
	}{
		{fault: "429,after=2.2", plain: verbatim.Rate, streamed: verbatim.Rate, after: 3 * time.Second},
		{fault: "429,after=2.2,form=ms", plain: verbatim.Rate, streamed: verbatim.Rate, after: 2200 * time.Millisecond},
		{fault: "429,after=2s,form=date", plain: verbatim.Rate, streamed: verbatim.Rate, after: 2 * time.Second},
		{fault: "429,after=2,form=none", plain: verbatim.Rate, streamed: verbatim.Rate},
		{fault: "429", plain: verbatim.Rate, streamed: verbatim.Rate},
		{fault: "quota", plain: verbatim.Quota, streamed: verbatim.Quota},
		{fault: "400,param=seed", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "context", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "401", plain: verbatim.Auth, streamed: verbatim.Auth},
		{fault: "403", plain: verbatim.Auth, streamed: verbatim.Auth},
		{fault: "404", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "422", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "500", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "502", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "503,after=1", plain: verbatim.Overload, streamed: verbatim.Overload, after: time.Second},
		{fault: "loading", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "529", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "reset", plain: verbatim.Transport, streamed: verbatim.Transport},
		{fault: "hangup", plain: verbatim.Transport, streamed: verbatim.Transport},
		{fault: "empty", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "page", plain: verbatim.BadAsk, streamed: verbatim.BadAsk},
		{fault: "error200", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "numeric", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "midway", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "unended", plain: verbatim.Content, streamed: verbatim.Cut},
		{fault: "undone", plain: verbatim.Content, streamed: verbatim.Cut},
		{fault: "unfinished", plain: verbatim.Content, streamed: verbatim.Cut},
		{fault: "mojibake", text: "GrÃ¶"},
		{fault: "not-utf8", text: "\xff"},
		{fault: "length,at=0.25", text: "Größe: åß€ 日本 and"},
		{fault: "filter", text: "-"},
		{fault: "refusal", text: "I'm sorry"},
		{fault: "shorten"},
		{fault: "shorten,at=5", text: "Größe: åß€ 日本 and"},
		{fault: "cut", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=0.9", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=30", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=1000000", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=0.9,end=short", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "cut,at=0.9,end=reset", plain: verbatim.Cut, streamed: verbatim.Cut},
		{fault: "stall", plain: verbatim.Deadline, streamed: verbatim.Deadline},
		{fault: "stall,at=0.5", plain: verbatim.Deadline, streamed: verbatim.Deadline},
		{fault: "stall,at=0.5,for=3"},
		{fault: "murmur", plain: verbatim.Deadline, streamed: verbatim.Deadline},
		{fault: "trickle,every=1ms"},
		{fault: "trickle"},
		{fault: "split"}, {fault: "clump"}, {fault: "crlf"}, {fault: "comments"}, {fault: "unknown"}, {fault: "bom"},
		{fault: "error-null"}, {fault: "usage-missing"}, {fault: "usage-null"}, {fault: "usage-zero"}, {fault: "usage-twice"}, {fault: "usage-huge"},
		{fault: "closes"},
		{fault: "finish,word=network_error", plain: verbatim.Overload, streamed: verbatim.Overload},
		{fault: "finish,word=eos_x"},
		{fault: "finish,word=sensitive"},
	}
	met := map[string]bool{}
	for _, c := range cases {
		met[faults(t, c.fault)[0].Kind] = true
		for _, one := range []struct {
			wire   string
			stream bool
		}{{"chat", false}, {"chat", true}, {"responses", false}, {"responses", true}, {"anthropic", false}, {"anthropic", true}, {"gemini", false}, {"gemini", true}, {"ollama", false}, {"ollama", true}} {
			name, want := c.fault+" "+one.wire, c.plain
			if one.stream {
				name, want = name+" stream", c.streamed
			}
			after := c.after
			switch {
			case one.wire == "gemini" && c.fault == "429,after=2.2":
				after = 2200 * time.Millisecond // told in the body, where it is not rounded
			case one.wire == "responses" && c.fault == "finish,word=eos_x":
				want = verbatim.Content // the word for an incomplete response
			case one.wire == "ollama" && !one.stream && want == verbatim.Content:
				want = verbatim.Cut // the document says that it is not done
			case one.stream && c.fault == "unfinished" && one.wire != "gemini" && one.wire != "responses":
				want = verbatim.Content // the end marker came
			case one.wire == "ollama" && c.fault == "quota":
				want = verbatim.Rate // the words are all that Ollama has
			}
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := ready(t, fake.Config{Item: fake.NewIndex(copied(question)).Item, Faults: faults(t, c.fault)})
					transport, stop := inMemory(s)
					defer stop()
					e := endpoint(transport, "http://fake.test", one.stream)
					if one.wire == "gemini" || one.wire == "ollama" {
						e.BaseURL = "http://fake.test"
					}
					e.Total, e.Idle = time.Minute, 20*time.Second
					reply, err := modeltest.Send(t.Context(), wires[one.wire], e, says(question), 1000, verbatim.Params{})
					if want == both {
						if err != nil {
							t.Fatal(err)
						}
						checkText(t, c.text, reply.Text)
						checkRest(t, c.fault, one.wire, reply)
						return
					}
					var f *verbatim.Failure
					if !errors.As(err, &f) {
						t.Fatalf("%+v, %v: no failure", reply, err)
					}
					if f.Class != want || f.After != after {
						t.Errorf("%s, wait %v: %v; want %s, wait %v", f.Class, f.After, f, want, after)
					}
				})
			})
		}
	}
	for _, k := range fake.FaultKinds() {
		if !met[k.Name] {
			t.Errorf("the fault %s was not met", k.Name)
		}
	}
}

func checkText(t *testing.T, want, got string) {
	t.Helper()
	switch {
	case want == "" && got != question, want == "-" && got != "", want != "" && want != "-" && !strings.Contains(got, want) && want != got:
		t.Errorf("%q, want %q", got, want)
	}
}

// checkRest checks the finish reason and the token counts.
func checkRest(t *testing.T, fault, wire string, reply verbatim.Reply) {
	t.Helper()
	finish := verbatim.FinishStop
	switch fault {
	case "finish,word=eos_x":
		finish = verbatim.FinishOther
	case "finish,word=sensitive":
		finish = verbatim.FinishFilter
	}
	switch strings.Split(fault, ",")[0] {
	case "length":
		finish = verbatim.FinishLength
	case "filter":
		finish = map[string]verbatim.Finish{"anthropic": verbatim.FinishRefusal, "ollama": verbatim.FinishStop}[wire]
		if finish == "" {
			finish = verbatim.FinishFilter
		}
	case "refusal":
		finish = map[string]verbatim.Finish{"gemini": verbatim.FinishFilter, "ollama": verbatim.FinishStop}[wire]
		if finish == "" {
			finish = verbatim.FinishRefusal
		}
	}
	if reply.Finish != finish {
		t.Errorf("finish %s (%q), want %s", reply.Finish, reply.FinishRaw, finish)
	}
	prompt, completion := reply.Usage.Prompt, reply.Usage.Completion
	switch fault {
	case "usage-missing", "usage-null", "usage-huge":
		// Of Anthropic's three counts of the prompt those of the cache stay readable.
		if prompt != nil && wire != "anthropic" || completion != nil {
			t.Errorf("tokens %v, %v where none are known", prompt, completion)
		}
		return
	}
	var wantPrompt, wantCompletion int64 = int64(len(question)+3) / 4, int64(len(reply.Text)+3) / 4
	if fault == "shorten,at=5" {
		wantPrompt = 5
	}
	if fault == "usage-zero" {
		wantPrompt, wantCompletion = 0, 0
	}
	if fault == "filter" && wire == "gemini" {
		completion = new(int64) // Gemini leaves a count of 0 out
	}
	if fault == "not-utf8" {
		wantCompletion = int64(len(question)+1+3) / 4
	}
	if prompt == nil || *prompt != wantPrompt || completion == nil || *completion != wantCompletion {
		t.Errorf("tokens %v, %v, want %d, %d", prompt, completion, wantPrompt, wantCompletion)
	}
}
