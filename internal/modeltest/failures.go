package modeltest

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/wire"
)

func testStatus(t *testing.T, h Harness) {
	const plain = "application/json"
	for _, c := range []struct {
		status        int
		code, message string
		want          verbatim.Class
		hint          string // part of it
	}{
		{400, "bad", "no such parameter", verbatim.BadAsk, "accept"},
		{400, "context_length_exceeded", "too many tokens", verbatim.BadAsk, "context"},
		{401, "", "who are you", verbatim.Auth, "WIRE_TEST_KEY"},
		{401, "invalid_api_key", "who are you", verbatim.Auth, "WIRE_TEST_KEY"},
		{402, "", "pay first", verbatim.Quota, "used up"},
		{403, "", "not for you", verbatim.Auth, "WIRE_TEST_KEY"},
		{404, "model_not_found", "no such model", verbatim.BadAsk, "model"},
		{404, "", "Not Found", verbatim.BadAsk, cmp.Or(h.Root, "/v1")},
		{405, "", "Method Not Allowed", verbatim.BadAsk, ""},
		{408, "", "too slow", verbatim.Overload, ""},
		{409, "", "conflict", verbatim.Overload, ""},
		{413, "", "too large", verbatim.BadAsk, ""},
		{422, "", "missing field", verbatim.BadAsk, ""},
		{425, "", "too early", verbatim.Overload, ""},
		{429, "rate_limit_exceeded", "slower", verbatim.Rate, "--concurrency"},
		{429, "", "slower", verbatim.Rate, ""},
		{429, "insufficient_quota", "no money", verbatim.Quota, "used up"},
		{500, "", "oops", verbatim.Overload, ""},
		{501, "", "not built in", verbatim.BadAsk, ""},
		{502, "", "bad gateway", verbatim.Overload, ""},
		{503, "", "Loading model", verbatim.Overload, "loading"},
		{529, "", "overloaded", verbatim.Overload, ""},
	} {
		e := endpoint(h, Tape(Piece{Bytes: Response(c.status, plain, h.Error(c.code, c.message), "X-Request-Id: req-7")}))
		e.KeyEnv = "WIRE_TEST_KEY"
		if c.message == "Not Found" {
			e.BaseURL = "http://model.test"
		}
		_, err := h.Ask(t.Context(), e, prompt("q"))
		f := failure(t, err, c.want)
		if f.Status != c.status || f.Attempts[0].RequestID != "req-7" || f.Attempts[0].Bytes == 0 {
			t.Errorf("%d: %+v", c.status, f)
		}
		if !strings.Contains(f.Err.Error(), c.message) || f.Who != e.BaseURL {
			t.Errorf("%d: %v lacks what the server said or who it is", c.status, f)
		}
		if !strings.Contains(f.Hint, c.hint) {
			t.Errorf("%d %s: hint %q lacks %q", c.status, c.code, f.Hint, c.hint)
		}
	}
}

func testRetryAfter(t *testing.T, h Harness) {
	for header, want := range map[string]time.Duration{
		"Retry-After: 7":        7 * time.Second,
		"Retry-After: 0.5":      time.Second / 2,
		"Retry-After: -1":       0,
		"Retry-After: soon":     0,
		"Retry-After: 1e300":    365 * 24 * time.Hour,
		"Retry-After-Ms: 250":   250 * time.Millisecond,
		"X-Ratelimit-Limit: 10": 0,
		"Date: Sat, 21 Nov 2026 08:00:00 GMT\r\nRetry-After: Sat, 21 Nov 2026 08:01:30 GMT": 90 * time.Second,
		"Date: Sat, 21 Nov 2026 08:00:00 GMT\r\nRetry-After: Sat, 21 Nov 2026 07:00:00 GMT": 0,
	} {
		_, err := play(t, h, Piece{Bytes: Response(429, "application/json", h.Error("", "slower"), header)})
		if f := failure(t, err, verbatim.Rate); f.After != want {
			t.Errorf("%q: wait %v, want %v", header, f.After, want)
		}
	}
}

// Errors come with status 200 too: instead of an answer, and in the middle of one.
func testErrorInAnswer(t *testing.T, h Harness) {
	_, err := play(t, h, Piece{Bytes: Response(200, "application/json", h.Error("rate_limit_exceeded", "slower, please"))})
	if f := failure(t, err, verbatim.Rate); !strings.Contains(f.Err.Error(), "slower, please") {
		t.Errorf("%v", f)
	}
	for code, want := range map[string]verbatim.Class{
		"502": verbatim.Overload, "429": verbatim.Rate, "strange": verbatim.Overload, "": verbatim.Overload, "insufficient_quota": verbatim.Quota,
	} {
		b := h.Answer(Scene{Text: []string{"so far"}, Error: &Error{Code: code, Message: "the engine died"}})
		_, err := play(t, h, Piece{Bytes: Response(200, b.Type, b.Bytes)})
		f := failure(t, err, want)
		if !strings.Contains(f.Err.Error(), "the engine died") {
			t.Errorf("code %q: %v", code, f)
		}
		if h.Stream && f.Attempts[0].Partial != "so far" {
			t.Errorf("code %q: partial %q", code, f.Attempts[0].Partial)
		}
	}
}

func testWebPage(t *testing.T, h Harness) {
	page := []byte("\n<!DOCTYPE html><html><head><title>Welcome to \x1b[31mnginx</title></head><body>hello</body></html>")
	for status, want := range map[int]verbatim.Class{200: verbatim.BadAsk, 404: verbatim.BadAsk, 502: verbatim.Overload} {
		_, err := play(t, h, Piece{Bytes: Response(status, "text/html", page)})
		f := failure(t, err, want)
		if text := f.Error(); !strings.Contains(text, "web page") || !strings.Contains(text, "nginx") || strings.Contains(text, "\x1b") {
			t.Errorf("%d: %q", status, text)
		}
		if want == verbatim.BadAsk && f.Hint == "" {
			t.Errorf("%d: no hint", status)
		}
	}
}

// The key is never shown, even if a server repeats it.
func testHidesKey(t *testing.T, h Harness) {
	const secret = "sk-very-secret-0123456789"
	for _, raw := range [][]byte{
		Response(401, "application/json", h.Error("invalid_api_key", "wrong key: "+secret)),
		Response(401, "text/plain", []byte("wrong key: "+secret)),
		Response(401, "text/html", []byte("<html>"+secret+"</html>")),
		Response(200, "application/json", h.Error("invalid_api_key", "wrong key: "+secret)),
		Response(302, "text/plain", nil, "Location: http://elsewhere.test/?key="+secret),
		[]byte("nonsense " + secret + "\r\n\r\n"),
	} {
		e := endpoint(h, Tape(Piece{Bytes: raw}))
		e.Key = wire.NewKey(secret)
		e.BaseURL = "http://user:" + secret + "@model.test/v1?token=" + secret
		_, err := h.Ask(t.Context(), e, prompt("q"))
		if err == nil {
			t.Fatalf("%q: an answer", raw)
		}
		text := fmt.Sprintf("%v %+v %#v %+v", err, err, e, err.(*verbatim.Failure).Attempts)
		if strings.Contains(strings.ReplaceAll(text, e.BaseURL, ""), secret) {
			t.Errorf("%q: the key shows in %s", raw, text)
		}
	}
}

// A redirect is not followed: the key would go to another host.
func testRedirect(t *testing.T, h Harness) {
	other := serve(t, func(w io.Writer, r *http.Request) bool { return false })
	for _, status := range []int{301, 302, 303, 307, 308} {
		_, err := play(t, h, Piece{Bytes: Response(status, "text/plain", nil, "Location: "+other.url)})
		f := failure(t, err, verbatim.BadAsk)
		if !strings.Contains(f.Error(), other.url) || f.Hint == "" {
			t.Errorf("%d: %v, hint %q", status, f, f.Hint)
		}
	}
	if n := other.conns.Load(); n != 0 {
		t.Errorf("%d connections were made to the other host", n)
	}
}

func testRefusedConnection(t *testing.T, h Harness) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	e := connected(t, h, "http://"+l.Addr().String()+"/v1")
	_, err = h.Ask(t.Context(), e, prompt("q"))
	f := failure(t, err, verbatim.Transport)
	if f.Hint == "" || f.Status != 0 || !strings.Contains(f.Error(), e.BaseURL) {
		t.Errorf("%v, status %d, hint %q", f, f.Status, f.Hint)
	}
}
