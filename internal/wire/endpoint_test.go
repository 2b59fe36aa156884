package wire

import (
	"net/http"
	"strings"
	"testing"
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
