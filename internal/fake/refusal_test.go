package fake_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/fake"
)

// Errors have the shapes of their APIs.
func TestErrorShapes(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Faults: faults(t, "429,after=1.5")}))
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	want := map[string]map[string]string{
		"chat":      {"error.type": "requests", "error.code": "rate_limit_exceeded"},
		"responses": {"error.type": "requests", "error.code": "rate_limit_exceeded"},
		"anthropic": {"type": "error", "error.type": "rate_limit_error"},
		"gemini":    {"error.status": "RESOURCE_EXHAUSTED", "error.details.0.retryDelay": "1.5s", "error.details.0.@type": "type.googleapis.com/google.rpc.RetryInfo"},
		"ollama":    {"error": "Rate limit reached for m on requests per min (RPM). Please slow down."},
	}
	for _, c := range clients() {
		for _, stream := range []bool{false, true} {
			res, err := c.send(t, transport, base, "q", stream)
			body := get(t, res, err)
			v := parsed(t, body)
			for path, value := range want[c.name] {
				if got := str(v, keys(path)...); got != value {
					t.Errorf("%s: %s is %q, want %q in %s", c.name, path, got, value, body)
				}
			}
			wait := "2"
			if c.name == "gemini" {
				wait = ""
			}
			if res.StatusCode != 429 || res.Header.Get("Retry-After") != wait {
				t.Errorf("%s: status %d, %v", c.name, res.StatusCode, res.Header)
			}
		}
	}
}

// The headers of each API state the limits and the request's name, also where it is
// refused.
func TestHeaders(t *testing.T) {
	want := map[string]map[string]string{
		"chat":      {"X-Ratelimit-Limit-Requests": "2", "X-Ratelimit-Remaining-Requests": "1", "X-Ratelimit-Reset-Requests": "1m0s"},
		"responses": {"X-Ratelimit-Limit-Requests": "2", "X-Ratelimit-Remaining-Requests": "1", "X-Ratelimit-Reset-Requests": "1m0s"},
		"anthropic": {"Anthropic-Ratelimit-Requests-Limit": "2", "Anthropic-Ratelimit-Requests-Remaining": "1", "Anthropic-Ratelimit-Requests-Reset": "2000-01-01T00:01:00Z"},
		"gemini":    {"X-Ratelimit-Limit-Requests": ""},
		"ollama":    {"X-Ratelimit-Limit-Requests": ""},
	}
	for _, c := range clients() {
		synctest.Test(t, func(t *testing.T) {
			transport, stop := inMemory(ready(t, fake.Config{Echo: true, Limits: fake.Limits{Requests: 2, Window: time.Minute}, Faults: faults(t, "500@2")}))
			defer stop()
			name := "X-Request-Id"
			if c.name == "anthropic" {
				name = "Request-Id"
			}
			for i, status := range []int{200, 500, 429} {
				res, err := c.send(t, transport, "http://fake.test", "q", i%2 == 1)
				get(t, res, err)
				if res.StatusCode != status || res.Header.Get(name) == "" {
					t.Errorf("%s: status %d, want %d; %v", c.name, res.StatusCode, status, res.Header)
				}
				for header, value := range want[c.name] {
					if got := res.Header.Get(header); i == 0 && got != value {
						t.Errorf("%s: %s is %q, want %q", c.name, header, got, value)
					}
				}
			}
		})
	}
}

// Requests that the real APIs refuse are refused.
func TestBadRequests(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Echo: true}))
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", "/v1/chat/completions", `{`, 400, "JSON"},
		{"POST", "/v1/chat/completions", `{"messages":[]}`, 400, "messages"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":7}]}`, 400, "messages[0].content"},
		{"POST", "/v1/responses", `{"model":"m"}`, 400, "input"},
		{"POST", "/v1/responses", `{"input":"q","max_output_tokens":15}`, 400, "integer_below_min_value"},
		{"POST", "/v1/messages", `{"messages":[{"role":"user","content":"q"}]}`, 400, "max_tokens"},
		{"POST", "/v1/messages", `{"max_tokens":5}`, 400, "message"},
		{"POST", "/v1beta/models/m:generateContent", `{}`, 400, "contents"},
		{"POST", "/api/chat", `{"messages":[{"role":"user","content":"q"}]}`, 400, "model"},
		{"POST", "/api/chat", `{"model":"m"}`, 400, "messages"},
		{"POST", "/v1/nowhere", `{}`, 404, "/v1/nowhere"},
		{"POST", "/v1beta/models/a/b:generateContent", `{}`, 404, "Invalid URL"},
		{"GET", "/v1/chat/completions", ``, 405, "POST"},
		{"GET", "/v1/batches/none", ``, 404, "none"},
		{"GET", "/v1/batches/", ``, 404, "Invalid URL"},
		{"GET", "/v1/files/none", ``, 404, "none"},
	} {
		r, _ := http.NewRequest(c.method, base+c.path, strings.NewReader(c.body))
		r.Header.Set("Anthropic-Version", "2023-06-01")
		res, err := http.DefaultClient.Do(r)
		if body := get(t, res, err); res.StatusCode != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, res.StatusCode, body)
		}
	}
	res, err := http.Post(base+"/v1/messages", "application/json", strings.NewReader(`{}`))
	if body := get(t, res, err); !strings.Contains(body, "anthropic-version") {
		t.Error(body)
	}
}
