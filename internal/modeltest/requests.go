package modeltest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/wire"
)

// One POST request is sent, with the question in its JSON. The key is in one header and nowhere else,
// above all not in the URL, which proxies and servers write to their logs. The record of what was sent
// has neither the question nor the key.
func testRequest(t *testing.T, h Harness) {
	const secret, question = "sk-very-secret-0123456789", "What is 漢 in \"English\"?\n"
	b := h.Answer(Scene{Text: []string{"abc"}, Finish: verbatim.FinishStop})
	var asked *http.Request
	var body []byte
	e := endpoint(h, roundTrip(func(r *http.Request) (*http.Response, error) {
		asked = r
		body, _ = io.ReadAll(r.Body)
		again := r.Clone(r.Context())
		again.Body = io.NopCloser(bytes.NewReader(body))
		return Tape(Piece{Bytes: Response(200, b.Type, b.Bytes)}).RoundTrip(again)
	}))
	e.Key = wire.NewKey(secret)
	e.BaseURL += "?tenant=7"
	e.Headers = http.Header{"x-extra": {"1"}}
	reply, err := h.Ask(t.Context(), e, prompt(question))
	if err != nil {
		t.Fatal(err)
	}
	if asked.Method != http.MethodPost || asked.Header.Get("Content-Type") != "application/json" || asked.ContentLength != int64(len(body)) {
		t.Errorf("%s, header %v, length %d of %d", asked.Method, asked.Header, asked.ContentLength, len(body))
	}
	if u := asked.URL.String(); !strings.HasPrefix(u, "http://model.test/v1/") || !strings.Contains(u, "?tenant=7") || strings.Contains(u, secret) {
		t.Errorf("asked at %s", u)
	}
	keys := 0
	for _, values := range asked.Header {
		if strings.Contains(strings.Join(values, ""), secret) {
			keys++
		}
	}
	if keys != 1 || asked.Header.Get("X-Extra") != "1" || asked.Header.Get("User-Agent") == "" {
		t.Errorf("the key is in %d headers: %v", keys, asked.Header)
	}
	if !json.Valid(body) || !strings.Contains(string(body), `\"English\"`) || strings.Contains(string(body), secret) {
		t.Errorf("body %s", body)
	}
	if !json.Valid([]byte(reply.Sent)) || strings.Contains(reply.Sent, "English") || strings.Contains(reply.Sent, secret) {
		t.Errorf("sent %s", reply.Sent)
	}
	var sent, whole map[string]json.RawMessage
	if json.Unmarshal([]byte(reply.Sent), &sent) != nil || json.Unmarshal(body, &whole) != nil || len(sent) == 0 || len(sent) >= len(whole) {
		t.Errorf("sent %s of %s", reply.Sent, body)
	}
	for name, value := range sent {
		if string(whole[name]) != string(value) {
			t.Errorf("the record has %s as %s, sent was %s", name, value, whole[name])
		}
	}
}

// A roundTrip is an http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
