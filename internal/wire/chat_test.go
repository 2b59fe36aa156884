package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"verbatim"
)

func newTestAnswer() *partialReply {
	start := time.Now()
	return &partialReply{
		clock: func() *time.Duration { d := time.Since(start); return &d },
		touch: func() {},
	}
}

// readAnswer reads a chat completion.
func readAnswer(in string, e Endpoint) (*partialReply, error) {
	return Chat().readFrom(strings.NewReader(in), e)
}

// readFrom reads an answer as ask does, without a network.
func (p *Protocol) readFrom(in io.Reader, e Endpoint) (*partialReply, error) {
	a := newTestAnswer()
	a.key = e.Key
	to := p.reader(a)
	if err := p.read(&e, bufio.NewReader(in), 0, a, to); err != nil {
		return a, err
	}
	return a, a.check(&e, to)
}

// lines makes a stream of chunks, each given by what is in it.
func lines(chunks ...string) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString("data: " + c + "\n\n")
	}
	return b.String()
}

const done = `[DONE]`

func delta(fields string) string { return `{"choices":[{"index":0,"delta":{` + fields + `}}]}` }
func ends(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

// Dialects: what servers do that the protocol does not say.
func TestChatDialects(t *testing.T) {
	for _, c := range []struct {
		name, in            string
		text, thought, from string
		finish              verbatim.Finish
	}{
		{"error null", lines(`{"error":null,"choices":[{"index":0,"delta":{"content":"a"},"error":null}]}`, ends("stop"), done), "a", "", "", "stop"},
		{"no index", lines(`{"choices":[{"delta":{"content":"a"}}]}`, ends("stop"), done), "a", "", "", "stop"},
		{"second choice first", lines(`{"choices":[{"index":1,"delta":{"content":"z"},"finish_reason":"length"}]}`, delta(`"content":"a"`), ends("stop"), done), "a", "", "", "stop"},
		{"two in one chunk", lines(`{"choices":[{"index":1,"delta":{"content":"z"}},{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}`, done), "a", "", "", "stop"},
		{"comments and pings", ": hi\n\n" + lines(delta(`"content":"a"`)) + "event: ping\ndata: now\n\n: OPENROUTER PROCESSING\n\n" + lines(ends("stop"), done), "a", "", "", "stop"},
		{"named events that are chunks", "event: message\ndata: " + delta(`"content":"a"`) + "\n\nevent: chunk\ndata: " + ends("stop") + "\n\n" + lines(done), "a", "", "", "stop"},
		{"no space, CRLF", strings.ReplaceAll(strings.ReplaceAll(lines(delta(`"content":"a"`), ends("stop"), done), "\n", "\r\n"), "data: ", "data:"), "a", "", "", "stop"},
		{"a mark with spaces", lines(delta(`"content":"a"`), ends("stop"), ` [DONE] `), "a", "", "", "stop"},
		{"a data line without data", "data:\n\n" + lines(delta(`"content":"a"`), ends("stop"), done), "a", "", "", "stop"},
		{"a chunk in two lines", "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\n" + lines(ends("stop"), done), "a", "", "", "stop"},
		{"null delta and choices", lines(`{"choices":[{"delta":null}]}`, `{"choices":null}`, delta(`"content":"a"`), ends("stop"), done), "a", "", "", "stop"},
		{"the whole message again at the end", lines(delta(`"content":"a"`), `{"choices":[{"delta":{},"message":{"content":"a"},"finish_reason":"stop"}]}`, done), "a", "", "", "stop"},
		{"words after the finish reason", lines(ends("stop"), delta(`"content":"a"`), done), "a", "", "", "stop"},
		{"odd types of what does not matter", lines(`{"id":7,"model":null,"created":"x","system_fingerprint":{},"usage":"none","choices":[{"index":0,"logprobs":1,"delta":{"role":3,"content":"a"}}]}`, ends("stop"), done), "a", "", "", "stop"},
		{"both fields of reasoning", lines(delta(`"reasoning":"th","reasoning_content":"th"`), delta(`"content":"a"`), ends("stop"), done), "a", "th", "reasoning", "stop"},
		{"empty reasoning, full content", lines(delta(`"reasoning":"","reasoning_content":"th"`), delta(`"content":"a"`), ends("stop"), done), "a", "th", "reasoning_content", "stop"},
		{"details", lines(delta(`"reasoning_details":[{"type":"reasoning.summary","summary":"t"},{"type":"reasoning.text","text":"h"},{"type":"reasoning.encrypted","data":"xx"}],"content":"a"`), ends("stop"), done), "a", "th", "reasoning_details", "stop"},
		{"details beside the text", lines(delta(`"reasoning":"th","reasoning_details":[{"type":"reasoning.text","text":"th"}],"content":"a"`), ends("stop"), done), "a", "th", "reasoning", "stop"},
		{"parts", lines(delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"th"}]},{"type":"text","text":"a"}]`), ends("stop"), done), "a", "th", "content.thinking", "stop"},
		{"inline thinking stays", lines(delta(`"content":"<think>x</think>a"`), ends("stop"), done), "<think>x</think>a", "", "", "stop"},
		{"no tool calls", lines(delta(`"content":"a","tool_calls":[]`), ends("stop"), done), "a", "", "", "stop"},
		{"refusal", lines(delta(`"refusal":"I can"`), delta(`"refusal":"not"`), ends("stop"), done), "", "", "", "refusal"},
		{"eos", lines(delta(`"content":"a"`), ends("eos"), done), "a", "", "", "stop"},
		{"upper case", lines(delta(`"content":"a"`), ends("MAX_TOKENS"), done), "a", "", "", "length"},
		{"safety", lines(ends("SAFETY"), done), "", "", "", "content_filter"},
		{"unknown reason", lines(delta(`"content":"a"`), ends("function_call"), done), "a", "", "", "other"},
		{"Azure's filters", lines(`{"choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false}}}]}`,
			`{"choices":[{"index":0,"delta":{"content":"a"},"content_filter_results":{"error":{"code":"content_filter_error","message":"it timed out"}}}]}`, ends("stop"), done), "a", "", "", "stop"},
		{"Azure filtered the answer", lines(delta(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter","content_filter_results":{"hate":{"filtered":true}}}]}`, done), "a", "", "", "content_filter"},
		{"a reason in an object", lines(delta(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":{"type":"length","length":7}}]}`, done), "a", "", "", "length"},
		{"DeepSeek at work", ": keep-alive\n\n: keep-alive\n\n" + lines(delta(`"content":null,"reasoning_content":"th"`), delta(`"content":"a","reasoning_content":null`), ends("stop"), done), "a", "th", "reasoning_content", "stop"},
		{"llama.cpp's timings", lines(delta(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"timings":{"predicted_n":1},"prompt_progress":{"total":3}}`, done), "a", "", "", "stop"},
		{"document with blank lines before", "\n\n\r\n  \n{\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n", "a", "", "", "stop"},
		{"document with parts", `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"image"}]},"finish_reason":"stop"}]}`, "a", "", "", "stop"},
		{"document with BOM", "\xEF\xBB\xBF" + `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`, "a", "", "", "stop"},
	} {
		a, err := readAnswer(c.in, Endpoint{})
		thought, from := a.chosenReasoning(Chat())
		if err != nil || string(a.text) != c.text || thought != c.thought || from != c.from || a.mappedFinish() != c.finish {
			t.Errorf("%s: text %q, reasoning %q from %q, finish %q, %v", c.name, a.text, thought, from, a.mappedFinish(), err)
		}
	}
}

// TestQueueTime: the wait in the server's queue, in the fields of three servers. A
// value that is no time, or is longer than the whole answer, is ignored.
func TestQueueTime(t *testing.T) {
	const total = 10 * time.Second
	last := func(fields string) string {
		return lines(delta(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],`+fields+`}`, done)
	}
	for _, c := range []struct {
		name, fields string
		want         time.Duration // below 0: unknown
	}{
		{"Groq", `"usage":{"queue_time":0.25,"prompt_time":0.5}`, 250 * time.Millisecond},
		{"Groq's stream", `"x_groq":{"id":"r","usage":{"queue_time":1.5}}`, 1500 * time.Millisecond},
		{"Cerebras", `"time_info":{"queue_time":2e-1,"prompt_time":1}`, 200 * time.Millisecond},
		{"no wait", `"usage":{"queue_time":0}`, 0},
		{"llama.cpp", `"timings":{"prompt_n":3,"prompt_ms":1500.5,"predicted_ms":2500}`, total - 4000500*time.Microsecond},
		{"llama.cpp without the prompt", `"timings":{"predicted_ms":2500}`, -1},
		{"llama.cpp at work for longer", `"timings":{"prompt_ms":1500,"predicted_ms":9000}`, -1},
		{"unknown", `"usage":{"prompt_tokens":3}`, -1},
		{"longer than the answer", `"usage":{"queue_time":10.5}`, -1},
		{"negative", `"usage":{"queue_time":-1}`, -1},
		{"too large", `"usage":{"queue_time":1e300}`, -1},
		{"text", `"usage":{"queue_time":"0.5"}`, -1},
		{"null", `"usage":{"queue_time":null}`, -1},
	} {
		a, err := readAnswer(last(c.fields), Endpoint{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		switch got := a.queueTime(total); {
		case c.want < 0 && got != nil:
			t.Errorf("%s: %v, not unknown", c.name, *got)
		case c.want >= 0 && (got == nil || (*got-c.want).Abs() > time.Microsecond):
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

func TestChatIncomplete(t *testing.T) {
	var cut cutError
	var unreadable unreadableError
	var server *serverError
	for _, c := range []struct {
		name, in string
		want     any
		says     string
	}{
		{"empty", "", &cut, "empty"},
		{"blank", " \n\n", &cut, "empty"},
		{"mark without reason", lines(delta(`"content":"a"`), done), &cut, "finish reason"},
		{"nothing but the mark", lines(done), &cut, "no choice"},
		{"reason without mark", lines(delta(`"content":"a"`), ends("stop")), &cut, "[DONE]"},
		{"neither", lines(delta(`"content":"a"`)), &cut, "finish reason"},
		{"mark without its blank line", lines(delta(`"content":"a"`), ends("stop")) + "data: [DONE]\n", &cut, "[DONE]"},
		{"document without reason", `{"choices":[{"message":{"content":"a"},"finish_reason":null}]}`, &cut, "finish reason"},
		{"document cut", `{"choices":[{"message":{"content":"a\u00`, &cut, "breaks off"},
		{"garbage", lines(`{"choices":` + "}"), &unreadable, "cannot be read"},
		{"garbage document", `{"choices":}`, &unreadable, "cannot be read"},
		{"content of no kind", lines(delta(`"content":{"text":"a"}`)), &unreadable, "content"},
		{"no choices", `{"object":"chat.completion","choices":[]}`, &unreadable, "no choices"},
		{"given up", lines(delta(`"content":"a"`), ends("error"), done), &server, "error"},
		{"out of resources", lines(delta(`"content":"a"`), ends("insufficient_system_resource"), done), &server, "insufficient_system_resource"},
		{"SGLang gave up", lines(delta(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":{"type":"abort","message":"x"}}]}`, done), &server, "abort"},
		{"SGLang's error in the stream", lines(delta(`"content":"a"`), `{"error":{"object":"error","message":"too long","type":"BadRequestError","param":null,"code":400}}`, done), &server, "too long"},
		{"OpenRouter's error in the stream", lines(`{"id":"gen-1","provider":"p","error":{"code":502,"message":"upstream"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`), &server, "upstream"},
		{"Groq's error in the stream", lines(delta(`"content":"a"`), `{"choices":[],"x_groq":{"id":"req","error":"it died"}}`, done), &server, "it died"},
		{"LM Studio runs over", lines(delta(`"content":"a"`)) + "event: error\ndata: {\"error\":{\"message\":\"context overflow\"}}\n\n", &server, "context overflow"},
		{"aborted", lines(delta(`"content":"a"`), ends("abort"), done), &server, "abort"},
		{"error text", `{"error":"model \"x\" not found"}`, &server, `model "x" not found`},
		{"error object without wrapping", `{"object":"error","message":"no such model","code":404}`, &server, "no such model"},
		{"the same in a stream", lines(`{"object":"error","message":"no such model","code":404}`), &server, "no such model"},
		{"an array", `[{"error":{"code":429,"message":"slower"}}]`, &server, "slower"},
		{"in the choice", lines(`{"choices":[{"index":0,"error":{"message":"upstream","code":502}}]}`), &server, "upstream"},
		{"event of errors", "event: error\ndata: {\"message\":\"died\"}\n\n", &server, "died"},
		{"event of errors in words", "event: error\ndata: it died\n\n", &server, "it died"},
		{"field of errors", lines(delta(`"content":"a"`)) + "error: {\"code\":500,\"message\":\"died\"}\n\n", &server, "died"},
		{"details of FastAPI", `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`, &server, "field required"},
		{"without a reason", `{"error":{}}`, &server, "no reason"},
	} {
		_, err := readAnswer(c.in, Endpoint{})
		if err == nil || !errors.As(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v (%T)", c.name, err, err)
		}
	}
	// Endpoints that never send the end marker are recognised by their data.
	if _, err := readAnswer(lines(delta(`"content":"a"`), ends("stop")), Endpoint{DoneOptional: true}); err != nil {
		t.Errorf("mark not needed: %v", err)
	}
	if _, err := readAnswer(lines(delta(`"content":"a"`)), Endpoint{DoneOptional: true}); !errors.As(err, &cut) {
		t.Errorf("mark not needed, but a reason: %v", err)
	}
}

func TestUsage(t *testing.T) {
	for raw, want := range map[string][4]int64{
		`{"prompt_tokens":5,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":3},"prompt_tokens_details":{"cached_tokens":4}}`: {5, 2, 3, 4},
		`{"prompt_tokens":3,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":3},"prompt_tokens_details":{"cached_tokens":4}}`: {-1, 2, 3, -1},
		`{"prompt_tokens":1.0,"completion_tokens":"2","completion_tokens_details":null}`:                                                           {1, -1, -1, -1},
		`{"prompt_tokens":-1,"completion_tokens":1.5,"prompt_cache_hit_tokens":0}`:                                                                 {-1, -1, -1, 0},
		`{"prompt_tokens":1e300,"prompt_tokens_details":[]}`:                                                                                       {-1, -1, -1, -1},
		`{"prompt_tokens":10,"completion_tokens":2,"total_tokens":15,"completion_tokens_details":{"reasoning_tokens":3}}`:                          {10, 5, 3, -1}, // counted apart
		`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"completion_tokens_details":{"reasoning_tokens":3}}`:                          {10, 5, 3, -1},
		`{"prompt_tokens":10,"total_tokens":13,"completion_tokens_details":{"reasoning_tokens":3}}`:                                                {10, -1, 3, -1},
		`{"prompt_tokens":10,"completion_tokens":1000000000000000000,"total_tokens":1000000000000000010}`:                                          {10, -1, -1, -1},
		`[]`: {-1, -1, -1, -1}, `null`: {-1, -1, -1, -1}, ``: {-1, -1, -1, -1},
	} {
		u := ParseUsage([]byte(raw))
		for i, n := range []*int64{u.Prompt, u.Completion, u.Reasoning, u.Cached} {
			if n == nil && want[i] != -1 || n != nil && *n != want[i] {
				t.Errorf("%s: number %d is %v, want %d", raw, i, n, want[i])
			}
		}
	}
}

// What servers report next to the answer, and where.
func TestChatTold(t *testing.T) {
	for _, c := range []struct {
		name, in, applied string
		completion        int64
	}{
		{"OpenRouter", lines(`{"provider":"p","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null,"native_finish_reason":null}]}`,
			`{"provider":"p","choices":[{"index":0,"delta":{},"finish_reason":"stop","native_finish_reason":"STOP"}]}`, `{"choices":[],"usage":{"completion_tokens":3}}`, done),
			`"provider":"p","native_finish_reason":"STOP"`, 3},
		{"usage with the reason and again", lines(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}`, `{"choices":[],"usage":{"completion_tokens":3}}`, done), "", 3},
		{"Groq", lines(ends("stop"), `{"choices":[],"x_groq":{"usage":{"completion_tokens":3}}}`, done), "", 3},
		{"Moonshot", lines(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"completion_tokens":3}}]}`, done), "", 3},
	} {
		a, err := readAnswer(c.in, Endpoint{})
		if err != nil || string(a.applied) != c.applied || a.usage.Completion == nil || *a.usage.Completion != c.completion {
			t.Errorf("%s: applied %s, usage %+v, %v", c.name, a.applied, a.usage, err)
		}
	}
}

// Errors nested without end are not followed.
func TestDeepErrors(t *testing.T) {
	for depth, want := range map[int]string{1: "deep", 2: "deep", 3: "the server gives no reason", 9000: "the server gives no reason"} {
		in := strings.Repeat(`{"error":`, depth) + `{"message":"deep"}` + strings.Repeat("}", depth)
		if got := readError([]byte(in), Key{}).Error(); got != want {
			t.Errorf("%d levels: %s", depth, got)
		}
	}
	readError([]byte(strings.Repeat("[", 9000)+strings.Repeat("]", 9000)), Key{})
}

// A prompt that a filter stopped is one bad prompt and not a bad key.
func TestFlagged(t *testing.T) {
	s := readError([]byte(`{"error":{"code":403,"message":"flagged","metadata":{"reasons":["violence"],"flagged_input":"x"}}}`), Key{})
	if got := classify(403, s); got != verbatim.BadAsk {
		t.Errorf("class %s", got)
	}
	s = readError([]byte(`{"error":{"code":403,"message":"no","metadata":{"flagged_input":null}}}`), Key{})
	if got := classify(403, s); got != verbatim.Auth {
		t.Errorf("class %s", got)
	}
}

// FuzzAnswer wants of any bytes: no panic, an answer only with its marks, the
// same in pieces of any size, and no more text than bytes.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(lines(delta(`"content":"a"`), ends("stop"), done)), uint8(3))
	f.Add([]byte(lines(delta(`"reasoning":"a","content":[{"text":"b"}]`), `{"usage":{"prompt_tokens":1},"error":null}`, ends("length"), done)), uint8(1))
	f.Add([]byte(`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3}}`), uint8(2))
	f.Add([]byte(`{"error":{"code":429,"message":"slower"}}`), uint8(7))
	f.Add([]byte("<html>"), uint8(7))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) {
		read := func(r io.Reader) (*partialReply, error) { return Chat().readFrom(r, Endpoint{}) }
		a, err := read(bytes.NewReader(in))
		b, err2 := read(&stepReader{bytes.NewReader(in), int(step%16) + 1})
		if string(a.text) != string(b.text) || a.finish != b.finish || (err == nil) != (err2 == nil) {
			t.Errorf("%q, %v; in steps %q, %v", a.text, err, b.text, err2)
		}
		if err == nil && a.finish == "" {
			t.Errorf("an answer without a finish reason: %q", in)
		}
		if len(a.text) > len(in) {
			t.Errorf("%d bytes of text out of %d", len(a.text), len(in))
		}
		if err != nil && len(err.Error()) > 4*maxMessage+200 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
	})
}

// A stepReader reads at most n bytes at a time.
type stepReader struct {
	r io.Reader
	n int
}

func (s *stepReader) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.n)]) }

func BenchmarkStream(b *testing.B) {
	var in bytes.Buffer
	for i := range 1000 {
		fmt.Fprintf(&in, `data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":" word%d"}}],"created":1795247876,"id":"chatcmpl-NC5RvuNfJSk9OJpfRMTPyAjsf9vaWAvS","model":"smollm2-135m-instruct","system_fingerprint":"b0-unknown","object":"chat.completion.chunk"}`+"\n\n", i)
	}
	in.WriteString("data: [DONE]\n\n")
	b.SetBytes(int64(in.Len()))
	b.ReportAllocs()
	for b.Loop() {
		// It has no finish reason: reading it is what is measured.
		if a, _ := Chat().readFrom(bytes.NewReader(in.Bytes()), Endpoint{}); len(a.text) < 5000 {
			b.Fatal(len(a.text))
		}
	}
}

func question(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}

func TestChatBody(t *testing.T) {
	temperature, topP, seed := 0.0, 0.5, int64(0)
	image := &verbatim.Image{Media: "image/png", Bytes: []byte("PNG")}
	for name, c := range map[string]struct {
		e      Endpoint
		prompt verbatim.Prompt
		max    int
		params verbatim.Params
		want   string
	}{
		"only what is asked": {Endpoint{Model: "m"}, question("hi"), 0, verbatim.Params{},
			`{"model":"m","messages":[{"role":"user","content":"hi"}]}`},
		"stream": {Endpoint{Model: "m", Stream: true}, question("hi"), 7, verbatim.Params{},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":7,"stream":true,"stream_options":{"include_usage":true}}`},
		"zero is a value": {Endpoint{Model: "m"}, question("hi"), 7, verbatim.Params{Temperature: &temperature, TopP: &topP, Seed: &seed, Effort: "low"},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":7,"temperature":0,"top_p":0.5,"seed":0,"reasoning_effort":"low"}`},
		"dialect": {Endpoint{Model: "m", Stream: true, MaxTokensField: "max_completion_tokens", SeedField: "random_seed", StreamOptions: map[string]bool{}},
			question("hi"), 7, verbatim.Params{Seed: &seed},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"max_completion_tokens":7,"random_seed":0,"stream":true}`},
		"options": {Endpoint{Model: "m", Stream: true, StreamOptions: map[string]bool{"include_usage": true, "include_obfuscation": false}},
			question("hi"), 0, verbatim.Params{},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}}`},
		"extra": {Endpoint{Model: "m"}, question("hi"), 0,
			verbatim.Params{Extra: map[string]json.RawMessage{"chat_template_kwargs": json.RawMessage(`{"enable_thinking": false}`), "n": json.RawMessage("1")}},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"chat_template_kwargs":{"enable_thinking":false},"n":1}`},
		"roles and parts": {Endpoint{Model: "m"}, verbatim.Prompt{
			{Role: "system", Content: []verbatim.Part{{Text: "<rule> & \u2028 \x00"}}},
			{Role: "user", Content: []verbatim.Part{{Text: "which?"}, {Image: image}}},
			{Role: "assistant"}}, 0, verbatim.Params{},
			`{"model":"m","messages":[{"role":"system","content":"<rule> & \u2028 \u0000"},{"role":"user","content":[{"type":"text","text":"which?"},` +
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,UE5H"}}]},{"role":"assistant","content":""}]}`},
		"an image alone": {Endpoint{Model: "m"}, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Image: image}}}}, 0, verbatim.Params{},
			`{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,UE5H"}}]}]}`},
	} {
		r, err := chatRequest(c.e, c.prompt, c.max, c.params)
		got := r.body
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if canonical(t, got) != canonical(t, []byte(c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
		if strings.Contains(string(got), `\u003c`) {
			t.Errorf("%s: escaped without need: %s", name, got)
		}
	}
}

func canonical(t *testing.T, doc []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// A request that cannot be sent unchanged is not sent.
func TestChatBodyRefuses(t *testing.T) {
	extra := func(name, value string) verbatim.Params {
		return verbatim.Params{Extra: map[string]json.RawMessage{name: json.RawMessage(value)}}
	}
	for name, c := range map[string]struct {
		prompt verbatim.Prompt
		params verbatim.Params
		want   string
	}{
		"no prompt":       {nil, verbatim.Params{}, "empty"},
		"bytes":           {question("a\xffb"), verbatim.Params{}, "UTF-8"},
		"empty image":     {verbatim.Prompt{{Content: []verbatim.Part{{Image: &verbatim.Image{Path: "a.png"}}}}}, verbatim.Params{}, "image"},
		"model twice":     {question("hi"), extra("model", `"other"`), `"model"`},
		"bound twice":     {question("hi"), extra("max_tokens", "9"), `"max_tokens"`},
		"stream":          {question("hi"), extra("stream", "true"), `"stream"`},
		"not JSON":        {question("hi"), extra("stop", "a b"), `"stop"`},
		"nothing as JSON": {question("hi"), extra("stop", ""), `"stop"`},
	} {
		r, err := chatRequest(Endpoint{Model: "m"}, c.prompt, 5, c.params)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v", name, r.body, err)
		}
	}
}
