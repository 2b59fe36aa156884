package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/cli/exit"
	"verbatim/internal/fake"
	"verbatim/internal/obedient"
)

// A seenRequest is what a server got.
type seenRequest struct {
	Stream   bool
	Messages []struct{ Content string }
}

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

// prompts returns the user texts with the number of times that each was sent, and how many requests
// wanted a stream.
func (w *wireLog) prompts() (times map[string]int, streamed, all int) {
	times = map[string]int{}
	for _, r := range w.requests {
		times[r.Messages[len(r.Messages)-1].Content]++
		if r.Stream {
			streamed++
		}
	}
	return times, streamed, len(w.requests)
}

// What servers get in an arm: in a cold one the same nonce of eight digits on both sides, in front of
// each prompt; in a warm one each prompt once more; the mode of the arm. The prompts of the arms of a command are the
// same but for the nonce.
func TestVerifyArmsOnTheWire(t *testing.T) {
	t.Parallel()
	nonce := regexp.MustCompile(`^[0-9a-f]{8}\n`)
	for _, c := range []struct {
		arm    string
		times  int // of each prompt
		cold   bool
		stream bool
	}{
		{"1,new", 2, false, true}, {"16,cold,plain", 2, true, false}, {"1,cold,streamed", 2, true, true}, {"4,warm,plain", 3, false, false}, {"1,warm", 3, false, true},
	} {
		a, b := newWireLog(t), newWireLog(t)
		r := invoke(t, filepath.Join(t.TempDir(), "x.db"), "verify", a.url, b.url, "--arms", c.arm, "--items", "1", "--task", "copy,reverse", "--no-logprobs", "--no-sampling", "--no-tools", "--quiet")
		if r.code != exit.Done {
			t.Fatalf("%s: exit code %d: %s", c.arm, r.code, r.err)
		}
		timesA, streamed, all := a.prompts()
		timesB, _, _ := b.prompts()
		for text, n := range timesA {
			if n != c.times || timesB[text] != n {
				t.Errorf("%s: %q is sent %d and %d times, want %d", c.arm, text, n, timesB[text], c.times)
			}
			if nonce.MatchString(text) != c.cold {
				t.Errorf("%s: %q", c.arm, text)
			}
		}
		if len(timesA) != 4 || len(timesB) != 4 || all != 4*c.times {
			t.Errorf("%s: %d and %d prompts, %d requests", c.arm, len(timesA), len(timesB), all)
		}
		if (streamed == all) != c.stream || (streamed == 0) == c.stream {
			t.Errorf("%s: %d of %d streamed", c.arm, streamed, all)
		}
	}
	a, b := newWireLog(t), newWireLog(t)
	if r := invoke(t, filepath.Join(t.TempDir(), "x.db"), "verify", a.url, b.url, "--arms", "1,cold/16,cold/1,warm", "--items", "1", "--task", "copy,reverse", "--no-logprobs", "--no-sampling", "--no-tools", "--quiet"); r.code != exit.Done {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	times, _, _ := a.prompts()
	count := map[string]int{}
	for text, n := range times {
		count[nonce.ReplaceAllString(text, "")] += n
	}
	if len(times) != 12 || len(count) != 4 {
		t.Errorf("%d texts of %d prompts in three arms, want 12 of 4", len(times), len(count))
	}
	for text, n := range count {
		if n != 7 {
			t.Errorf("%q is sent %d times in three arms", text, n)
		}
	}
}
