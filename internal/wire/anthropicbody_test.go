package wire

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"verbatim"
)

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
