package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/rawjson"
)

// messageEvents makes a stream of Anthropic's events, each given by its data; the
// name is the data's type.
func messageEvents(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", Word(rawjson.Member([]byte(e), "type")), e)
	}
	return b.String()
}

const (
	messageStart = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":1,"service_tier":"standard"}}}`
	messageStop  = `{"type":"message_stop"}`
)

func textDelta(text string) string {
	return `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}`
}

func stops(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `","stop_sequence":null},"usage":{"output_tokens":9}}`
}

// Dialects: what servers of this protocol do, or may do in the future.
func TestAnthropicDialects(t *testing.T) {
	for _, c := range []struct {
		name, in      string
		text, thought string
		finish        verbatim.Finish
	}{
		{"plain", messageEvents(messageStart, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"no names of events", lines(messageStart, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"types in the names only", "event: content_block_delta\ndata: {\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\nevent: message_delta\ndata: {\"delta\":{\"stop_reason\":\"end_turn\"}}\n\nevent: message_stop\ndata: {}\n\n", "a", "", "stop"},
		{"CRLF and a late type", strings.ReplaceAll(messageEvents(`{"delta":{"text":"a","type":"text_delta"},"index":0,"type":"content_block_delta"}`, stops("end_turn"), messageStop), "\n", "\r\n"), "a", "", "stop"},
		{"pings, comments and events to come", messageEvents(`{"type":"ping"}`) + ": hold\n\nevent: vertex_event\ndata: now\n\n" + messageEvents(`{"type":"heartbeat","text":"z","delta":{"type":"text_delta","text":"z"}}`, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"deltas to come", messageEvents(`{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"text":"z"}}}`, `{"type":"content_block_delta","delta":{"type":"secret_delta","text":"z"}}`, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"errors that are none", messageEvents(`{"type":"content_block_delta","error":null,"delta":{"type":"text_delta","text":"a"}}`, stops("end_turn"), messageStop), "a", "", "stop"},
		{"OpenAI's mark before the end", messageEvents(textDelta("a"), stops("end_turn")) + "data: [DONE]\n\n" + messageEvents(messageStop), "a", "", "stop"},
		{"two blocks of text", messageEvents(textDelta("a"), `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"b"}}`, textDelta("c"), stops("end_turn"), messageStop), "abc", "", "stop"},
		{"thinking", messageEvents(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"h","signature":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"m"}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"xx"}}`, textDelta("a"), stops("end_turn"), messageStop), "a", "hm", "stop"},
		{"thinking that is not shown", messageEvents(`{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"xx"}}`, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"a stop sequence", messageEvents(textDelta("a"), stops("stop_sequence"), messageStop), "a", "", "stop"},
		{"the bound", messageEvents(textDelta("a"), stops("max_tokens"), messageStop), "a", "", "length"},
		{"the context", messageEvents(textDelta("a"), stops("model_context_window_exceeded"), messageStop), "a", "", "length"},
		{"all of it thought", messageEvents(messageStart, stops("max_tokens"), messageStop), "", "", "length"},
		{"refusal", messageEvents(textDelta("a"), stops("refusal"), messageStop), "a", "", "refusal"},
		{"a reason to come", messageEvents(textDelta("a"), stops("tired"), messageStop), "a", "", "other"},
		{"odd types of what does not matter", messageEvents(`{"type":"message_start","message":{"id":7,"model":null,"content":null,"usage":[]}}`, `{"type":"content_block_start","content_block":null}`, textDelta("a"), stops("end_turn"), messageStop), "a", "", "stop"},
		{"a whole message for a stream", `{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}],"stop_reason":"end_turn"}`, "a", "hm", "stop"},
		{"a message with nothing in it", "\n\n" + `{"content":[],"stop_reason":"end_turn"}`, "", "", "stop"},
	} {
		a, err := Anthropic().readFrom(strings.NewReader(c.in), Endpoint{})
		thought, _ := a.chosenReasoning(Anthropic())
		if err != nil || string(a.text) != c.text || thought != c.thought || a.mappedFinish() != c.finish {
			t.Errorf("%s: text %q, reasoning %q, finish %q, %v", c.name, a.text, thought, a.mappedFinish(), err)
		}
	}
}

func TestAnthropicIncomplete(t *testing.T) {
	var cut cutError
	var unreadable unreadableError
	var server *serverError
	for _, c := range []struct {
		name, in string
		want     any
		says     string
	}{
		{"reason without mark", messageEvents(textDelta("a"), stops("end_turn")), &cut, "message_stop"},
		{"mark without reason", messageEvents(textDelta("a"), messageStop), &cut, "stop reason"},
		{"OpenAI's mark in its place", messageEvents(textDelta("a"), stops("end_turn")) + lines(done), &cut, "message_stop"},
		{"mark without its blank line", messageEvents(textDelta("a"), stops("end_turn")) + "data: " + messageStop + "\n", &cut, "message_stop"},
		{"document without reason", `{"content":[{"type":"text","text":"a"}],"stop_reason":null}`, &cut, "stop reason"},
		{"document cut", `{"content":[{"type":"text","text":"a`, &cut, "breaks off"},
		{"garbage", lines(`{"type":` + "}"), &unreadable, "cannot be read"},
		{"garbage in a name that we know", "event: content_block_delta\ndata: x\n\n", &unreadable, "cannot be read"},
		{"no object", lines(`7`), &unreadable, "no object"},
		{"no content", `{"type":"message"}`, &unreadable, "no content"},
		{"another protocol", `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`, &unreadable, "no content"},
		{"busy", messageEvents(textDelta("a"), `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), &server, "Overloaded"},
		{"an error without a type", lines(`{"error":{"message":"died"}}`), &server, "died"},
		{"an error flat", messageEvents(`{"type":"error","message":"died"}`), &server, "died"},
		{"an error in words", "event: error\ndata: it died\n\n", &server, "it died"},
		{"a document of an error", `{"type":"error","error":{"type":"api_error","message":"died"},"request_id":"r"}`, &server, "died"},
		{"details of FastAPI", `{"detail":"field required"}`, &server, "field required"},
		{"an array", `[{"error":{"message":"died"}}]`, &server, "died"},
	} {
		a, err := Anthropic().readFrom(strings.NewReader(c.in), Endpoint{})
		if err == nil || !errors.As(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: text %q, %v (%T)", c.name, a.text, err, err)
		}
	}
	if _, err := Anthropic().readFrom(strings.NewReader(messageEvents(textDelta("a"), stops("end_turn"))), Endpoint{DoneOptional: true}); err != nil {
		t.Errorf("mark not needed: %v", err)
	}
}

// The parts of the input add up; later reports take nothing away.
func TestAnthropicUsage(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     [4]int64 // prompt, completion, reasoning, cached; -1 is nil
	}{
		{"none", messageEvents(textDelta("a"), `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, messageStop), [4]int64{-1, -1, -1, -1}},
		{"null", messageEvents(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"output_tokens":null}}`, messageStop), [4]int64{-1, -1, -1, -1}},
		{"in two reports", messageEvents(messageStart, stops("end_turn"), messageStop), [4]int64{123, 9, -1, 100}},
		{"again and in full", messageEvents(messageStart, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":4,"cache_creation_input_tokens":0,"cache_read_input_tokens":120,"output_tokens":50,"output_tokens_details":{"thinking_tokens":40}}}`, messageStop), [4]int64{124, 50, 40, 120}},
		{"from the cache only", `{"content":[],"stop_reason":"end_turn","usage":{"cache_read_input_tokens":7}}`, [4]int64{7, -1, -1, 7}},
		{"without a cache", `{"content":[],"stop_reason":"end_turn","usage":{"input_tokens":7,"cache_read_input_tokens":null,"output_tokens":0}}`, [4]int64{7, 0, -1, -1}},
	} {
		a, err := Anthropic().readFrom(strings.NewReader(c.in), Endpoint{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		checkUsage(t, c.name, a.usage, c.want)
	}
	a, _ := Anthropic().readFrom(strings.NewReader(messageEvents(messageStart, stops("end_turn"), messageStop)), Endpoint{})
	if string(a.applied) != `"service_tier":"standard"` || a.id != "msg_1" || a.model != "claude" {
		t.Errorf("applied %s, id %q, model %q", a.applied, a.id, a.model)
	}
}

// checkUsage compares prompt, completion, reasoning and cached; -1 is nil.
func checkUsage(t *testing.T, name string, u verbatim.Usage, want [4]int64) {
	t.Helper()
	for i, n := range []*int64{u.Prompt, u.Completion, u.Reasoning, u.Cached} {
		if n == nil && want[i] != -1 || n != nil && *n != want[i] {
			t.Errorf("%s: number %d is %v, want %d", name, i, show(n), want[i])
		}
	}
}

func show(n *int64) string {
	if n == nil {
		return "nil"
	}
	return fmt.Sprint(*n)
}

func FuzzAnthropic(f *testing.F) {
	f.Add([]byte(messageEvents(messageStart, textDelta("a"), stops("end_turn"), messageStop)), uint8(3))
	f.Add([]byte(messageEvents(`{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"a"}}`, stops("refusal"), messageStop)), uint8(1))
	f.Add([]byte(`{"content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","usage":{"input_tokens":3}}`), uint8(2))
	f.Add([]byte(`{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`), uint8(7))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) { checkAnyBytes(t, Anthropic, in, step) })
}

// checkAnyBytes wants of any bytes: no panic, an answer only with a finish reason,
// the same in pieces of any size, and no more text than bytes.
func checkAnyBytes(t *testing.T, speak func() *Protocol, in []byte, step uint8) {
	t.Helper()
	e := Endpoint{Stream: true}
	a, err := speak().readFrom(bytes.NewReader(in), e)
	b, err2 := speak().readFrom(&stepReader{bytes.NewReader(in), int(step%16) + 1}, e)
	switch {
	case string(a.text) != string(b.text) || a.finish != b.finish || (err == nil) != (err2 == nil):
		t.Errorf("%q, %v; in steps %q, %v", a.text, err, b.text, err2)
	case err == nil && a.finish == "":
		t.Errorf("an answer without a finish reason: %q", in)
	case len(a.text) > len(in):
		t.Errorf("%d bytes of text out of %d", len(a.text), len(in))
	case err != nil && len(err.Error()) > 4*maxMessage+200:
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

// Data that show that the server works restart the idle limit, also without text; a
// ping does not.
func TestAnthropicAtWork(t *testing.T) {
	for in, want := range map[string]bool{
		textDelta("a"): true, textDelta(""): false, stops("end_turn"): true, `{"type":"ping"}`: false, messageStop: false,
		`{"type":"content_block_start","content_block":{"type":"redacted_thinking","data":"xx"}}`:            true,
		`{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"a"}}`:                    true,
		`{"type":"content_block_delta","delta":{"type":"signature_delta","signature":"xx"}}`:                 true,
		`{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{"}}`:              true,
		`{"type":"content_block_start","content_block":{"type":"text","text":""}}`:                           false,
		`{"type":"message_start","message":{"id":"m","content":[],"usage":{"output_tokens":1}}}`:             true,
		`{"type":"content_block_delta","delta":{"type":"text_delta","text":"","thinking":"not for a text"}}`: false,
	} {
		touched := false
		a := newTestAnswer()
		a.touch = func() { touched = true }
		if err := Anthropic().reader(a).event(streamEvent{Data: []byte(in)}); err != nil {
			t.Errorf("%s: %v", in, err)
		}
		if a.noteProgress(true); touched != want {
			t.Errorf("%s: at work %v, want %v", in, touched, want)
		}
	}
}

func TestAnthropicBody(t *testing.T) {
	temperature, topP, budget := 0.0, 0.5, int64(1024)
	image := &verbatim.Image{Media: "image/png", Bytes: []byte("PNG")}
	extra := map[string]json.RawMessage{"top_k": json.RawMessage("5"), "thinking": json.RawMessage(`{"type":"adaptive"}`)}
	system := func(text string) verbatim.Message {
		return verbatim.Message{Role: "system", Content: []verbatim.Part{{Text: text}}}
	}
	for name, c := range map[string]struct {
		e          Endpoint
		prompt     verbatim.Prompt
		max        int
		params     verbatim.Params
		want, sent string
	}{
		"only what is asked": {Endpoint{Model: "m"}, question("hi"), 7, verbatim.Params{},
			`{"model":"m","max_tokens":7,"messages":[{"role":"user","content":"hi"}]}`, `{"model":"m","max_tokens":7}`},
		"stream": {Endpoint{Model: "m", Stream: true}, question("hi"), 7, verbatim.Params{},
			`{"model":"m","max_tokens":7,"stream":true,"messages":[{"role":"user","content":"hi"}]}`, `{"model":"m","max_tokens":7,"stream":true}`},
		"all of it": {Endpoint{Model: "m"}, question("hi"), 2000, verbatim.Params{Temperature: &temperature, TopP: &topP, Effort: "low", ReasoningBudget: &budget},
			`{"model":"m","max_tokens":2000,"temperature":0,"top_p":0.5,"output_config":{"effort":"low"},` +
				`"thinking":{"type":"enabled","budget_tokens":1024,"display":"summarized"},"messages":[{"role":"user","content":"hi"}]}`,
			`{"model":"m","max_tokens":2000,"temperature":0,"top_p":0.5,"output_config":{"effort":"low"},` +
				`"thinking":{"type":"enabled","budget_tokens":1024,"display":"summarized"}}`},
		"extra": {Endpoint{Model: "m"}, question("hi"), 7, verbatim.Params{Extra: extra},
			`{"model":"m","max_tokens":7,"thinking":{"type":"adaptive"},"top_k":5,"messages":[{"role":"user","content":"hi"}]}`,
			`{"model":"m","max_tokens":7,"thinking":{"type":"adaptive"},"top_k":5}`},
		"system": {Endpoint{Model: "m"}, append(verbatim.Prompt{system("be \"brief\"\n")}, question("hi")...), 7, verbatim.Params{},
			`{"model":"m","max_tokens":7,"system":"be \"brief\"\n","messages":[{"role":"user","content":"hi"}]}`, `{"model":"m","max_tokens":7}`},
		"two system messages": {Endpoint{Model: "m"}, append(verbatim.Prompt{system("a"), system("b")}, question("hi")...), 7, verbatim.Params{},
			`{"model":"m","max_tokens":7,"system":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"messages":[{"role":"user","content":"hi"}]}`,
			`{"model":"m","max_tokens":7}`},
		"turns and parts": {Endpoint{Model: "m"}, verbatim.Prompt{
			{Role: "user", Content: []verbatim.Part{{Text: "which?"}, {Image: image}}},
			{Role: "assistant"}, {Role: "user", Content: []verbatim.Part{{Image: image}}}}, 7, verbatim.Params{},
			`{"model":"m","max_tokens":7,"messages":[{"role":"user","content":[{"type":"text","text":"which?"},` +
				`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"UE5H"}}]},{"role":"assistant","content":""},` +
				`{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"UE5H"}}]}]}`, `{"model":"m","max_tokens":7}`},
	} {
		r, err := anthropicRequest(c.e, c.prompt, c.max, c.params)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if canonical(t, r.body) != canonical(t, []byte(c.want)) || canonical(t, r.sent) != canonical(t, []byte(c.sent)) {
			t.Errorf("%s:\n got %s\nwant %s\nsent %s\nwant %s", name, r.body, c.want, r.sent, c.sent)
		}
		if r.path != "/messages" || r.query != "" || Anthropic().Header.Get("Anthropic-Version") != "2023-06-01" {
			t.Errorf("%s: path %s", name, r.path)
		}
	}
}

// A request that cannot be sent unchanged is not sent, and the error says what to do.
func TestAnthropicBodyRefuses(t *testing.T) {
	seed, small, large := int64(1), int64(1023), int64(2000)
	extra := func(name, value string) verbatim.Params {
		return verbatim.Params{Effort: "low", Extra: map[string]json.RawMessage{name: json.RawMessage(value)}}
	}
	system := verbatim.Message{Role: "system", Content: []verbatim.Part{{Text: "s"}}}
	for name, c := range map[string]struct {
		prompt verbatim.Prompt
		max    int
		params verbatim.Params
		want   string
	}{
		"no prompt":          {nil, 2000, verbatim.Params{}, "empty"},
		"no bound":           {question("hi"), 0, verbatim.Params{}, "max_tokens"},
		"a bound below 0":    {question("hi"), -1, verbatim.Params{}, "max_tokens"},
		"seed":               {question("hi"), 2000, verbatim.Params{Seed: &seed}, "seed"},
		"small budget":       {question("hi"), 2000, verbatim.Params{ReasoningBudget: &small}, "at least 1024"},
		"large budget":       {question("hi"), 2000, verbatim.Params{ReasoningBudget: &large}, "raise the token limit"},
		"bytes":              {question("a\xffb"), 2000, verbatim.Params{}, "UTF-8"},
		"bytes of an effort": {question("hi"), 2000, verbatim.Params{Effort: "\xff"}, "UTF-8"},
		"late system":        {append(question("hi"), system), 2000, verbatim.Params{}, "message 2"},
		"system only":        {verbatim.Prompt{system}, 2000, verbatim.Params{}, "user"},
		"image in system": {append(verbatim.Prompt{{Role: "system", Content: []verbatim.Part{{Image: &verbatim.Image{Media: "image/png", Bytes: []byte("x")}}}}},
			question("hi")...), 2000, verbatim.Params{}, "message 1"},
		"another role":  {verbatim.Prompt{{Role: "developer"}}, 2000, verbatim.Params{}, `"developer"`},
		"model twice":   {question("hi"), 2000, extra("model", `"other"`), `"model"`},
		"bound twice":   {question("hi"), 2000, extra("max_tokens", "9"), `"max_tokens"`},
		"effort twice":  {question("hi"), 2000, extra("output_config", "{}"), `"output_config"`},
		"system beside": {question("hi"), 2000, extra("system", `"x"`), `"system"`},
		"stream":        {question("hi"), 2000, extra("stream", "true"), `"stream"`},
	} {
		r, err := anthropicRequest(Endpoint{Model: "m"}, c.prompt, c.max, c.params)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v", name, r.body, err)
		}
	}
}

// Headers of the protocol, and headers of the endpoint that replace them.
func TestAnthropicHeader(t *testing.T) {
	for _, c := range []struct {
		e    Endpoint
		url  string
		want map[string]string
	}{
		{Endpoint{BaseURL: "http://h"}, "http://h/v1/messages", map[string]string{"X-Api-Key": "secret-key-1", "Anthropic-Version": "2023-06-01", "Authorization": ""}},
		{Endpoint{BaseURL: "http://h/v1/"}, "http://h/v1/messages", map[string]string{"X-Api-Key": "secret-key-1"}},
		{Endpoint{BaseURL: "http://h/anthropic?beta=true"}, "http://h/anthropic/messages?beta=true", map[string]string{"X-Api-Key": "secret-key-1"}},
		{Endpoint{BaseURL: "http://h", AuthHeader: "Api-Key", Headers: http.Header{"anthropic-version": {"2030-01-01"}}},
			"http://h/v1/messages", map[string]string{"X-Api-Key": "", "Api-Key": "secret-key-1", "Anthropic-Version": "2030-01-01"}},
	} {
		checkHeader(t, Anthropic(), c.e, c.url, c.want)
	}
}

// checkHeader sends one request and checks its URL and headers.
func checkHeader(t *testing.T, p *Protocol, e Endpoint, url string, want map[string]string) {
	t.Helper()
	var asked *http.Request
	e.Key, e.Model = NewKey("secret-key-1"), cmp.Or(e.Model, "m")
	e.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		asked = r
		return &http.Response{StatusCode: 404, Body: http.NoBody, Header: http.Header{}}, nil
	})
	p.SendPrompt(t.Context(), e, question("hi"), 7, verbatim.Params{})
	if asked == nil || asked.URL.String() != url {
		t.Errorf("%s: requested %v, want %s", e.BaseURL, asked, url)
		return
	}
	for name, value := range want {
		if got := asked.Header.Values(name); strings.Join(got, ",") != value {
			t.Errorf("%s: header %s is %q, want %q", e.BaseURL, name, got, value)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The classes of errors that only this protocol has.
func TestAnthropicErrors(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   verbatim.Class
	}{
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, verbatim.Quota},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200001 tokens > 200000 maximum"}}`, verbatim.BadAsk},
		{402, `{"type":"error","error":{"type":"billing_error","message":"x"}}`, verbatim.Quota},
		{403, `{"type":"error","error":{"type":"permission_error","message":"x"}}`, verbatim.Auth},
		{413, `{"type":"error","error":{"type":"request_too_large","message":"x"}}`, verbatim.BadAsk},
		{429, `{"type":"error","error":{"type":"rate_limit_error","message":"x"}}`, verbatim.Rate},
		{429, `{"type":"error","error":{"type":"rate_limit_error","code":"enforced_spend_limit_reached","message":"x"}}`, verbatim.Quota},
		{529, `{"type":"error","error":{"type":"overloaded_error","message":"x"}}`, verbatim.Overload},
		{0, `{"type":"error","error":{"type":"overloaded_error","message":"x"}}`, verbatim.Overload},
		{0, `{"type":"error","error":{"type":"rate_limit_error","message":"x"}}`, verbatim.Rate},
		{0, `{"type":"error","error":{"type":"authentication_error","message":"x"}}`, verbatim.Auth},
		{0, `{"type":"error","error":{"type":"request_too_large","message":"x"}}`, verbatim.BadAsk},
		{0, `{"type":"error","error":{"type":"timeout_error","message":"x"}}`, verbatim.Overload},
	} {
		if got := classify(c.status, readError([]byte(c.body), Key{})); got != c.want {
			t.Errorf("%d %s: %s, want %s", c.status, c.body, got, c.want)
		}
	}
}

// A prompt that is too long is recognised by the text of the error, for there is no
// code for it, and the hint says so.
func TestTooLongPrompt(t *testing.T) {
	for _, body := range []string{
		`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200001 tokens > 200000 maximum"}}`,
		`{"type":"error","error":{"type":"invalid_request_error","message":"input length and max_tokens exceed context limit: 190000 + 20000 > 200000"}}`,
		`{"error":{"code":400,"message":"The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}`,
	} {
		s := readError([]byte(body), Key{})
		if hint := hintFor(classify(400, s), 400, s, Endpoint{}); !strings.Contains(hint, "model's context") {
			t.Errorf("%s: hint %q", body, hint)
		}
	}
}

// TestNoStreamHint: the hint for a server that refuses to stream names the flag that
// helps. A longer word that contains "stream" is no such refusal.
func TestNoStreamHint(t *testing.T) {
	for body, want := range map[string]bool{
		`{"error":{"message":"stream is not supported","type":"invalid_request_error","param":"stream","code":"unsupported_parameter"}}`: true,
		`{"error":{"message":"Streaming is not available for this model"}}`:                                                              true,
		`{"error":{"message":"the upstream refused the request"}}`:                                                                       false,
	} {
		s := readError([]byte(body), Key{})
		if hint := hintFor(classify(400, s), 400, s, Endpoint{}); strings.Contains(hint, "--no-stream") != want {
			t.Errorf("%s: hint %q", body, hint)
		}
	}
}
