package wire_test

import (
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/httpconn"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// oddBodies are replies of every protocol with the text "a": whole ones, which a test changes.
func oddBodies() map[string]struct {
	protocol *wire.Protocol
	stream   bool
	body     string
} {
	type reply = struct {
		protocol *wire.Protocol
		stream   bool
		body     string
	}
	return map[string]reply{
		"chat stream":   {wire.Chat(), true, `data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":0}}}` + "\n\ndata: [DONE]\n\n"},
		"chat document": {wire.Chat(), false, `{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":0}}}`},
		"anthropic stream": {wire.Anthropic(), true, `data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}` + "\n\n" +
			`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"},
		"anthropic document": {wire.Anthropic(), false, `{"type":"message","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn"}`},
		"gemini document":    {wire.Gemini(), false, `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1,"cachedContentTokenCount":0}}`},
		"ollama stream":      {wire.Ollama(), true, `{"message":{"content":"a"},"done":true,"done_reason":"stop"}` + "\n"},
		"ollama document":    {wire.Ollama(), false, `{"message":{"content":"a"},"done":true,"done_reason":"stop"}`},
		"responses stream": {wire.Responses(), true, `data: {"type":"response.output_text.delta","delta":"a"}` + "\n\n" +
			`data: {"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":9,"output_tokens":1,"input_tokens_details":{"cached_tokens":0}}}}` + "\n\n"},
		"responses document": {wire.Responses(), false, `{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}],"usage":{"input_tokens":9,"output_tokens":1,"input_tokens_details":{"cached_tokens":0}}}`},
	}
}

// get returns what a protocol makes of the bytes of a response.
func get(t *testing.T, p *wire.Protocol, stream bool, raw []byte) (verbatim.Reply, *verbatim.Failure) {
	t.Helper()
	e := wire.Endpoint{BaseURL: "http://127.0.0.1:1/v1", Model: "m", Stream: stream, Transport: modeltest.Tape(modeltest.Piece{Bytes: raw})}
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}
	reply, err := p.SendPrompt(t.Context(), e, prompt, 100, verbatim.Params{})
	f, ok := errors.AsType[*verbatim.Failure](err)
	if err != nil && !ok {
		t.Fatalf("the error %v is no failure", err)
	}
	return reply, f
}

// response returns the bytes of a response of status 200.
func response(stream bool, body string) []byte {
	media := "application/json"
	if stream {
		media = "text/event-stream"
	}
	return modeltest.Response(200, media, []byte(body))
}

// A reply with its end marker and without a finish reason is not whole, and nothing broke: it is of a
// class that is not sent again. If the body broke off behind the marker, it is a cut.
func TestEndWithoutReason(t *testing.T) {
	reason := strings.NewReplacer(`"finish_reason":"stop"`, `"finish_reason":null`, `"stop_reason":"end_turn"`, `"stop_reason":null`, `,"finishReason":"STOP"`, ``,
		`,"done_reason":"stop"`, ``, `"status":"completed"`, `"status":"incomplete"`)
	for name, c := range oddBodies() {
		raw := response(c.stream, c.body)
		if reply, f := get(t, c.protocol, c.stream, raw); f != nil || reply.Text != "a" {
			t.Errorf("%s, whole: %q, %v", name, reply.Text, f)
		}
		raw = response(c.stream, reason.Replace(c.body))
		_, f := get(t, c.protocol, c.stream, raw)
		if f == nil || f.Class != verbatim.Content || strings.Contains(f.Hint, "broke") || !strings.Contains(f.Hint, "not sent again") || f.Attempts[0].Partial != "a" {
			t.Errorf("%s: %v with the hint %q, want one of class content", name, f, f.Hint)
		}
		if c.stream {
			if _, f := get(t, c.protocol, c.stream, raw[:len(raw)-5]); f == nil || f.Class != verbatim.Cut { // without the last chunk
				t.Errorf("%s, broken off behind the end marker: %v, want a cut", name, f)
			}
		}
	}
}

// Of several members with one name the last one counts, as for every parser of JSON; their values are
// never joined.
func TestMembersTwice(t *testing.T) {
	for name, body := range map[string]string{
		`"content":"a"`:                        `"content":"b","content":"a"`,
		`"choices":[`:                          `"choices":[{"index":0,"message":{"content":"b"},"delta":{"content":"b"}}],"choices":[`,
		`"delta":{"content"`:                   `"delta":{"content":"b"},"d\u0065lta":{"content"`,
		`"message":{"content"`:                 `"message":{"content":"b"},"message":{"content"`,
		`"text":"a"`:                           `"text":"b","text":"a"`,
		`"content":[{"type"`:                   `"content":[{"type":"text","text":"b"}],"content":[{"type"`,
		`"parts":[`:                            `"parts":[{"text":"b"}],"parts":[`,
		`"candidates":[`:                       `"candidates":[{"content":{"parts":[{"text":"b"}]}}],"candidates":[`,
		`"output":[`:                           `"output":[{"type":"message","content":[{"type":"output_text","text":"b"}]}],"output":[`,
		`"delta":"a"`:                          `"delta":"b","delta":"a"`,
		`"delta":{"type":"text_delta","text"`:  `"delta":{"type":"text_delta","text":"b"},"delta":{"type":"text_delta","text"`,
		`{"index":0,"delta":{"content":"a"}`:   `{"index":0,"delta":{"content":"b",` + strings.Repeat(`"x":1,`, 30) + `"content":"a"}`,
		`{"index":0,"message":{"content":"a"}`: `{"index":0,"message":{"content":"b"},` + strings.Repeat(`"x":1,`, 30) + `"message":{"content":"a"}`,
	} {
		found := false
		for kind, c := range oddBodies() {
			if !strings.Contains(c.body, name) {
				continue
			}
			found = true
			if reply, f := get(t, c.protocol, c.stream, response(c.stream, strings.Replace(c.body, name, body, 1))); f != nil || reply.Text != "a" {
				t.Errorf("%s with %s: %q, %v", kind, body, reply.Text, f)
			}
		}
		if !found {
			t.Errorf("no reply has %s", name)
		}
	}
}

// Python writes numbers that JSON does not have. They lose no answer: a log probability of -Infinity is
// the lowest one, and another of them leaves the log probabilities out.
func TestNumbersOfPython(t *testing.T) {
	for name, c := range oddBodies() {
		body := strings.NewReplacer(`{"choices"`, `{"rate":NaN,"x":"-Infinity NaN","choices"`, `{"type"`, `{"rate":-Infinity,"type"`, `{"candidates"`, `{"rate":Infinity,"candidates"`,
			`{"message"`, `{"rate": NaN,"message"`, `{"status"`, `{"rate":[-Infinity,NaN],"status"`).Replace(c.body)
		if reply, f := get(t, c.protocol, c.stream, response(c.stream, body)); f != nil || reply.Text != "a" || body == c.body {
			t.Errorf("%s: %q, %v", name, reply.Text, f)
		}
	}
	for value, want := range map[string]float64{"-Infinity": -math.MaxFloat64, "-0.5": -0.5, "Infinity": 1, "NaN": 1} { // 1: none
		for _, kind := range []string{"chat stream", "chat document"} {
			c := oddBodies()[kind]
			body := strings.Replace(c.body, `"finish_reason"`, `"logprobs":{"content":[{"token":"a","logprob":`+value+`}]},"finish_reason"`, 1)
			reply, f := get(t, c.protocol, c.stream, response(c.stream, body))
			switch {
			case f != nil || reply.Text != "a":
				t.Errorf("%s, %s: %q, %v", kind, value, reply.Text, f)
			case want == 1 && reply.Tokens != nil, want != 1 && (len(reply.Tokens) != 1 || reply.Tokens[0].Logprob != want):
				t.Errorf("%s, %s: tokens %+v", kind, value, reply.Tokens)
			}
		}
	}
}

// More cached tokens than the prompt has cannot be: then neither number is known.
func TestImpossibleUsage(t *testing.T) {
	found := 0
	for name, c := range oddBodies() {
		for cached, possible := range map[string]bool{"0": true, "9": true, "10": false, "900": false, `8,"cache_write_tokens":1`: true, `8,"cache_write_tokens":2`: strings.HasPrefix(name, "gemini")} {
			body := strings.NewReplacer(`"cached_tokens":0`, `"cached_tokens":`+cached, `"cachedContentTokenCount":0`, `"cachedContentTokenCount":`+cached).Replace(c.body)
			if !strings.Contains(c.body, "ached") {
				continue
			}
			found++
			reply, f := get(t, c.protocol, c.stream, response(c.stream, body))
			if u := reply.Usage; f != nil || (u.Prompt != nil) != possible || (u.Cached != nil) != possible || u.Completion == nil {
				t.Errorf("%s with %s cached: %+v, %v", name, cached, u, f)
			}
		}
	}
	if found != 30 {
		t.Errorf("%d cases", found)
	}
}

// A proxy that is away, unknown or refuses is named as what failed, without its password, and not the
// server behind it.
func TestProxyIsNamed(t *testing.T) {
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "who are you?", http.StatusProxyAuthRequired)
	}))
	defer refuses.Close()
	away := httptest.NewServer(nil)
	away.Close()
	at := func(s *httptest.Server) string { return strings.TrimPrefix(s.URL, "http://") }
	for proxy, says := range map[string]string{
		"http://joe:secret-word@" + at(away): at(away), "socks5://joe:secret-word@" + at(away): at(away),
		"http://joe:secret-word@no-such-proxy.invalid:3128": "no-such-proxy.invalid",
		"http://joe:secret-word@" + at(refuses):             "407",
	} {
		u, err := url.Parse(proxy)
		if err != nil {
			t.Fatal(err)
		}
		for _, server := range []string{"https://192.0.2.1/v1", "http://192.0.2.1/v1"} {
			transport := httpconn.NewTransport()
			transport.Proxy = http.ProxyURL(u)
			_, err = wire.Chat().SendPrompt(t.Context(), wire.Endpoint{BaseURL: server, Model: "m", Transport: httpconn.NewDirect(transport)}, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}, 10, verbatim.Params{})
			f, ok := errors.AsType[*verbatim.Failure](err)
			if !ok || !strings.Contains(err.Error(), says) || !strings.Contains(f.Hint, "HTTPS_PROXY") || strings.Contains(err.Error()+f.Hint, "secret-word") {
				t.Errorf("%s through %s: %v with the hint %q", server, says, err, f.Hint)
			}
		}
	}
}
