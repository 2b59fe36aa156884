package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"verbatim"

	"verbatim/internal/fake"
	"verbatim/internal/obedient"
)

// A seenRequest is what a server got.
type seenRequest struct{ Messages []struct{ Content string } }

// A wireLog is a server that remembers its requests.
type wireLog struct {
	mu       sync.Mutex
	requests []seenRequest
	url      string
}

func newWireLog(t *testing.T) *wireLog {
	t.Helper()
	model, err := obedient.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	server, err := fake.New(fake.Config{Model: model, Any: true, Item: func(verbatim.Prompt) *verbatim.Item { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	w := &wireLog{}
	s := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var seen seenRequest
		if json.Unmarshal(body, &seen) == nil && len(seen.Messages) > 0 {
			w.mu.Lock()
			w.requests = append(w.requests, seen)
			w.mu.Unlock()
		}
		server.ServeHTTP(to, r)
	}))
	t.Cleanup(s.Close)
	w.url = s.URL + "/v1#m"
	return w
}

// A system message of a task would replace the default one of a chat template, and hide that it
// differs between the endpoints: it is sent in the user message, unless the flag says otherwise. Each
// side gets each prompt twice.
func TestVerifySystemText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags    []string
		messages int // of a request
		start    string
	}{
		{nil, 1, "Your task is to sort a list"}, {[]string{"--system-as", "user"}, 1, "Your task is to sort a list"}, {[]string{"--system-as", "system"}, 2, "Sort the following list"},
	} {
		w := newWireLog(t)
		flags := append([]string{"verify", w.url, w.url, "--task", "sort-int", "--items", "1", "--no-logprobs", "--no-tools", "--quiet"}, c.flags...)
		if r := invoke(t, filepath.Join(t.TempDir(), "x.db"), flags...); r.code != exitDone {
			t.Fatalf("%q: exit code %d: %s", c.flags, r.code, r.err)
		}
		times := map[string]int{}
		for _, r := range w.requests {
			if text := r.Messages[len(r.Messages)-1].Content; len(r.Messages) != c.messages || !strings.HasPrefix(text, c.start) {
				t.Errorf("%q: %d messages, the last one is %q", c.flags, len(r.Messages), text)
			} else {
				times[text]++
			}
		}
		for text, n := range times {
			if n != 4 || len(times) != 2 {
				t.Errorf("%q: of %d prompts, %q is sent %d times, want 4", c.flags, len(times), text, n)
			}
		}
	}
}
