package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"verbatim"
)

// TestFailedUpstream: an attempt that failed keeps the server behind a router that its response
// names, in the body, in an event or in a header, without the key.
func TestFailedUpstream(t *testing.T) {
	const refused = `{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"ERROR","provider_name":"Down"}}}`
	const key = "sk-0123456789-abcdefghij-0123456789"
	for _, c := range []struct {
		name   string
		status int
		header string // its name
		value  string
		body   string
		want   string
	}{
		{"OpenRouter's error", 502, "", "", refused, "Down"},
		{"OpenRouter's error with a status of success", 200, "", "", refused, "Down"},
		{"a list of errors", 502, "", "", "[" + refused + "]", "Down"},
		{"an error within a stream", 200, "", "", lines(`{"provider":"Down","choices":[{"index":0,"delta":{"content":"a"}}]}`, `{"provider":"Down","error":{"code":502,"message":"gone"}}`), "Down"},
		{"a stream that breaks off", 200, "", "", lines(`{"provider":"Down","choices":[{"index":0,"delta":{"content":"a"}}]}`), "Down"},
		{"LiteLLM's header", 500, "x-litellm-model-id", "deployment-1", `{"error":{"message":"no"}}`, "deployment-1"},
		{"a header before a stream that breaks off", 200, "x-inference-provider", "Down", lines(delta(`"content":"a"`)), "Down"},
		{"a web page", 502, "x-litellm-model-api-base", "http://127.0.0.1:1/v1", "<html>", "http://127.0.0.1:1/v1"},
		{"no name", 503, "", "", `{"error":{"message":"no","metadata":"none"}}`, ""},
		{"a name that is no text", 503, "", "", `{"error":{"message":"no","metadata":{"provider_name":null}}}`, ""},
		{"the key", 503, "x-inference-provider", "a " + key, "", "a " + NewKey(key).Hide(key)},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if c.header != "" {
				w.Header().Set(c.header, c.value)
			}
			if c.status == 200 && c.body[0] == 'd' {
				w.Header().Set("Content-Type", "text/event-stream")
			}
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
		}))
		var reply verbatim.Reply
		err := Chat().Send(context.Background(), &Endpoint{BaseURL: server.URL + "/v1", Model: "m", Key: NewKey(key), Stream: true},
			&verbatim.Request{Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "a"}}}}}, &reply)
		server.Close()
		var f *verbatim.Failure
		if !errors.As(err, &f) || len(f.Attempts) != 1 {
			t.Errorf("%s: %v", c.name, err)
		} else if got := f.Attempts[0].Upstream; got != c.want {
			t.Errorf("%s: upstream %q, want %q (%v)", c.name, got, c.want, err)
		}
	}
}
