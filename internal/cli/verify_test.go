package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/fake"
	"verbatim/internal/obedient"
	"verbatim/internal/verdict/verification"
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

// TestVerifyFalseAlarms verifies two processes of one build against each other, over HTTP, with
// all probes. Each process settles in one of three numeric states for each prompt, and leaves it
// for some calls; both are started again for each repetition, with other prompts. No more
// repetitions than the level may call them different. VERBATIM_EXHAUSTIVE repeats it 300 times.
func TestVerifyFalseAlarms(t *testing.T) {
	t.Parallel()
	repetitions := 1
	if exhaustive.All() && !underRace {
		repetitions = 300
	}
	alarms, undecided, beyond, texts, prompts, nats := 0, 0, 0, 0, 0, 0.0
	for rep := range repetitions {
		r := invoke(t, filepath.Join(t.TempDir(), "x.db"), "verify", processOf(t, 2*rep), processOf(t, 2*rep+1), "--json", "--quiet", "--seed", strconv.Itoa(1+rep))
		var got verification.Result
		if err := json.Unmarshal([]byte(r.out), &got); err != nil {
			t.Fatalf("exit code %d: %s", r.code, r.err)
		}
		switch got.Word {
		case verification.Differ:
			alarms++
			t.Logf("repetition %d: %+v", rep, got.Probes)
		case verification.Undecided:
			undecided++
		}
		beyond, texts, prompts = beyond+got.Beyond, texts+got.Across, prompts+got.Prompts
		if got.Logprobs != nil && got.Logprobs.Apart != nil {
			nats += *got.Logprobs.Apart / float64(repetitions)
		}
	}
	t.Logf("%d of %d different, %d undecided; %d of %d texts differ, %d beyond; %.3f nats apart", alarms, repetitions, undecided, texts, prompts, beyond, nats)
	// At the level 0.01, more than 9 alarms in 300 have a probability of 0.001, and one in 1 of 0.01.
	if most := repetitions / 33; alarms > most || undecided > 0 {
		t.Errorf("%d of %d repetitions call one build different, at most %d are expected; %d are undecided", alarms, repetitions, most, undecided)
	}
	if texts == 0 || nats == 0 {
		t.Error("the processes do not differ at all: this tests nothing")
	}
}

// processOf serves a build with numeric states, as one of its processes, and returns its endpoint.
func processOf(t *testing.T, process int) (name string) {
	t.Helper()
	// Between two processes a third of the texts differ, as between other arithmetic of a real model.
	model, err := obedient.New(url.Values{"sigma": {"0.035"}, "states": {"3"}, "moves": {"0.2"}, "process": {strconv.Itoa(process)}})
	if err != nil {
		t.Fatal(err)
	}
	server, err := fake.New(fake.Config{Model: model, Any: true, Item: func(verbatim.Prompt) *verbatim.Item { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(server)
	t.Cleanup(s.Close)
	return fmt.Sprint(s.URL, "/v1#m")
}
