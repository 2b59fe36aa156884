package wire

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/testmain"
)

func TestEndpointRequest(t *testing.T) {
	for base, want := range map[string][2]string{
		"http://127.0.0.1:8080/v1":                     {"http://127.0.0.1:8080/v1/chat", "http://127.0.0.1:8080/v1"},
		"http://127.0.0.1:8080/v1/":                    {"http://127.0.0.1:8080/v1/chat", "http://127.0.0.1:8080/v1"},
		"http://127.0.0.1:8080":                        {"http://127.0.0.1:8080/chat", "http://127.0.0.1:8080"},
		"https://[::1]:8443/a/b#frag":                  {"https://[::1]:8443/a/b/chat", "https://[::1]:8443/a/b"},
		"https://h/openai/deployments/x?api-version=2": {"https://h/openai/deployments/x/chat?api-version=2", "https://h/openai/deployments/x"},
		"https://h/a%2Fb":                              {"https://h/a%2Fb/chat", "https://h/a/b"},
		"HTTP://LocalHost:8080/V1":                     {"http://localhost:8080/V1/chat", "http://localhost:8080/V1"},
		"http://user:pass@h/v1":                        {"http://h/v1/chat", "http://h/v1"},
	} {
		e := Endpoint{BaseURL: base}
		r, err := e.request("GET", "/chat")
		if err != nil || r.URL.String() != want[0] {
			t.Errorf("%s: %v, %v, want %s", base, r, err, want[0])
			continue
		}
		if e.Who() != want[1] {
			t.Errorf("%s: it is called %s, want %s", base, e.Who(), want[1])
		}
		user, pass, ok := r.BasicAuth()
		if ok != strings.Contains(base, "@") || ok && (user != "user" || pass != "pass") {
			t.Errorf("%s: basic authentication %q %q", base, user, pass)
		}
	}
	for _, base := range []string{"", "localhost:8080", "ftp://h/v1", "http://", "http:///v1", "http://a b/", "://", "http://user:pa%zzss@h"} {
		e := Endpoint{BaseURL: base}
		_, err := e.request("GET", "/chat")
		if err == nil || strings.Contains(err.Error(), "zzss") {
			t.Errorf("%q: %v", base, err)
		}
		if e.Who() != "" {
			t.Errorf("%q is called %q", base, e.Who())
		}
	}
}

func TestEndpointHeaders(t *testing.T) {
	e := Endpoint{BaseURL: "http://h/v1", Key: NewKey("secret-key-1"), Headers: http.Header{"x-extra": {"1"}}}
	r, err := e.request("POST", "/chat")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Authorization": "Bearer secret-key-1", "X-Extra": "1", "User-Agent": "verbatim", "Accept-Encoding": "identity"} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	e.Headers = http.Header{"Authorization": {"Other x"}, "Api-Key": {"y"}}
	if r, _ = e.request("POST", "/chat"); r.Header.Get("Authorization") != "Other x" || r.Header.Get("Api-Key") != "y" {
		t.Errorf("header %v", r.Header)
	}
	e = Endpoint{BaseURL: "http://h/v1"}
	if r, _ = e.request("POST", "/chat"); r.Header.Get("Authorization") != "" {
		t.Error("authorization without a key")
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }

// SendPrompt sends a prompt and returns the reply.
func (p *Protocol) SendPrompt(ctx context.Context, e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (reply verbatim.Reply, err error) {
	err = p.Send(ctx, &e, &verbatim.Request{Prompt: prompt, MaxTokens: maxTokens, Params: params}, &reply)
	return reply, err
}

// SendResponses is Responses().SendPromptPrompt for recordings: their token limits are smaller than
// those that Send accepts.
func SendResponses(ctx context.Context, e Endpoint, prompt verbatim.Prompt, maxTokens int) (verbatim.Reply, error) {
	p := Responses()
	write := p.request
	p.request = func(e Endpoint, prompt verbatim.Prompt, _ int, params verbatim.Params) (request, error) {
		return write(e, prompt, 0, params)
	}
	return p.SendPrompt(ctx, e, prompt, maxTokens, verbatim.Params{})
}

// An image's media type is a text of the user's file: no text breaks the JSON of the body.
func TestImageMediaIsEscaped(t *testing.T) {
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{
		{Text: "q"}, {Image: &verbatim.Image{Media: `image/png","x":"`, Bytes: []byte("bytes")}}}}}
	for _, name := range []string{"chat", "responses", "anthropic", "gemini", "ollama"} {
		p := protocolOf(name)
		r, err := p.request(Endpoint{Model: "m"}, prompt, 50, verbatim.Params{})
		if err != nil || !json.Valid(r.body) {
			t.Errorf("%s: %s, %v", p.Name, r.body, err)
		}
	}
}

// With a schema, the program sets the members of generationConfig that an extra parameter may
// set otherwise. Two members of one name would be ambiguous.
func TestGeminiSchemaOnce(t *testing.T) {
	schema := &verbatim.Structure{As: verbatim.AsSchema, Schema: []byte(`{"type":"object"}`)}
	for _, name := range []string{"responseMimeType", "response_mime_type", "responseJsonSchema", "responseSchema"} {
		extra := map[string]json.RawMessage{"generationConfig": json.RawMessage(`{"` + name + `":"text/plain"}`)}
		r, err := geminiRequest(Endpoint{Model: "m"}, question("q"), 0, verbatim.Params{Extra: extra, Structure: schema})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %s, %v", name, r.body, err)
		}
	}
}

// The kind of an unknown part is a text of the server: it is shortened and commands no terminal.
func TestUnknownKindIsClean(t *testing.T) {
	kind := "\u202e" + strings.Repeat("k", 5000)
	for protocol, reply := range map[string]string{
		"chat":      chatDocument(`{"message":{"content":[{"type":"` + kind + `","text":"a"}]},"finish_reason":"stop"}`),
		"anthropic": `{"content":[{"type":"` + kind + `","text":"a"}],"stop_reason":"end_turn"}`,
		"responses": `{"status":"completed","output":[{"type":"message","content":[{"type":"` + kind + `","text":"a"}]}]}`,
	} {
		_, err := protocolOf(protocol).readFrom(strings.NewReader(reply), Endpoint{})
		if err == nil || !strings.Contains(err.Error(), "kkk") || strings.Contains(err.Error(), "\u202e") || len(err.Error()) > 500 {
			t.Errorf("%s: %.600v", protocol, err)
		}
	}
}

// A message quotes the beginning of what cannot be read. If the key is there, no part of it
// is quoted.
func TestQuotedTextHidesKey(t *testing.T) {
	const secret = "sk-0123456789abcdef0123456789abcdef"
	for _, c := range []struct{ protocol, before, after string }{
		{"chat", "data: ", "\n\n"},
		{"responses", "data: ", "\n\n"},
		{"anthropic", "data: ", "\n\n"},
		{"gemini", "data: ", "\n\n"},
		{"ollama", `{"done":false,"message":{"content":"a"}}` + "\n{", "}\n"},
		{"chat", `{"choices":[{"finish_reason":"stop","message":"`, `"}]}`},
		{"gemini", `{"candidates":[{"content":"`, `","finishReason":"STOP"}]}`},
	} {
		in := c.before + strings.Repeat("x", 70) + " " + secret + c.after
		_, err := protocolOf(c.protocol).readFrom(strings.NewReader(in), Endpoint{Key: NewKey(secret), Stream: true})
		if err == nil || !strings.Contains(err.Error(), "xxx") || strings.Contains(err.Error(), "sk-") {
			t.Errorf("%s: %v", c.protocol, err)
		}
	}
}

// A slowLine is a body that brings a line of JSON in several pieces, with a pause before each.
type slowLine struct {
	ctx   context.Context // of the request
	pause time.Duration
	left  int
}

func (s *slowLine) Read(p []byte) (int, error) {
	select {
	case <-time.After(s.pause):
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
	piece := strings.Repeat(" ", min(len(p), 64<<10))
	switch s.left--; {
	case s.left < 0:
		return 0, io.EOF
	case s.left == 0:
		piece = "{}\n"
	}
	return copy(p, piece), nil
}

func (s *slowLine) Close() error { return nil }

// RoundTrip answers a request with the line.
func (s *slowLine) RoundTrip(r *http.Request) (*http.Response, error) {
	s.ctx = r.Context()
	return &http.Response{StatusCode: 200, Body: s, Header: http.Header{}}, nil
}

// The idle limit of EachLine is on silence. A long line that arrives slowly is not silence.
func TestEachLineOfLongLine(t *testing.T) {
	for _, c := range []struct {
		pause time.Duration
		lines int
	}{{30 * time.Second, 1}, {61 * time.Second, 0}} {
		synctest.Test(t, func(t *testing.T) {
			lines := 0
			e := Endpoint{BaseURL: "http://h/v1", Idle: time.Minute, Transport: &slowLine{pause: c.pause, left: 5}}
			err := Chat().EachLine(context.Background(), e, "/results", func(_, _ []byte) (bool, error) { lines++; return true, nil })
			if lines != c.lines || (err == nil) != (c.lines > 0) {
				t.Errorf("pauses of %v: %d lines, %v", c.pause, lines, err)
			}
		})
	}
}
