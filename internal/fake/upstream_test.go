package fake_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"verbatim/internal/fake"
)

// TestRouter: each answer names its provider, the short one lacks a character, and a pin is
// obeyed except by a provider that strays. One that fails is named in its error.
func TestRouter(t *testing.T) {
	s, err := fake.New(fake.Config{Echo: true, Upstreams: []fake.Upstream{{Name: "down", Fails: true}}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(`{"messages":[{"role":"user","content":"a"}]}`)))
	if want := `"metadata":{"provider_name":"down"}}`; w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), want) {
		t.Errorf("an upstream that fails: %d %s, want 503 with %s", w.Code, w.Body, want)
	}
	for pin, want := range map[string]string{``: "right short stray", `,"provider":{"only":["right"]}`: "right stray", `,"provider":{"order":["short"]}`: "short stray"} {
		s, err := fake.New(fake.Config{Echo: true, Upstreams: []fake.Upstream{{Name: "right"}, {Name: "short", Short: true}, {Name: "stray", Stray: true}}})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(s)
		seen := map[string]bool{}
		for range 60 {
			res, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"abcé"}]`+pin+`}`))
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			for _, name := range []string{"right", "short", "stray"} {
				if strings.Contains(string(body), `"provider":"`+name+`"`) {
					seen[name] = true
					if whole := strings.Contains(string(body), `"abcé"`); whole == (name == "short") {
						t.Errorf("%s answers %s", name, body)
					}
				}
			}
		}
		server.Close()
		for _, name := range []string{"right", "short", "stray"} {
			if seen[name] != strings.Contains(want, name) {
				t.Errorf("pin %s: %v, want %s", pin, seen, want)
			}
		}
	}
}
