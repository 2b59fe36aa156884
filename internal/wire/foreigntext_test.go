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
)

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
			err := Chat().EachLine(context.Background(), e, "/results", func([]byte) (bool, error) { lines++; return true, nil })
			if lines != c.lines || (err == nil) != (c.lines > 0) {
				t.Errorf("pauses of %v: %d lines, %v", c.pause, lines, err)
			}
		})
	}
}
