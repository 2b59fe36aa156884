package batch

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/wire"
)

// batchAPIs are the APIs with the root that their paths have at a fake server.
func batchAPIs() map[string]struct {
	api  *API
	root string
} {
	return map[string]struct {
		api  *API
		root string
	}{
		"chat":      {openAIChat(), "/v1"},
		"responses": {openAIResponses(), "/v1"},
		"anthropic": {Anthropic(), ""},
		"gemini":    {Gemini(), ""},
	}
}

// batchServer starts a server as configured and returns its address.
func batchServer(t *testing.T, b fake.Batch) string {
	t.Helper()
	s, err := fake.New(fake.Config{Echo: true, Batch: b, Key: "key-of-all-batches"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

func batchEndpoint(base string) wire.Endpoint {
	return wire.Endpoint{BaseURL: base, Model: "fake-1", Stream: true, Key: wire.NewKey("key-of-all-batches"), Total: time.Minute}
}

func batchAsks(n int) []verbatim.Request {
	asks := make([]verbatim.Request, n)
	for i := range asks {
		asks[i] = verbatim.Request{Seq: int64(i), MaxTokens: 500,
			Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: batchText(i)}}}}}
	}
	return asks
}

func batchText(i int) string { return fmt.Sprintf("Line %d\n\"漢字\" 🙂 \\ %d", i, i*i) }

// batchResults collects a batch. Every request may be answered once.
func batchResults(t *testing.T, api *API, e wire.Endpoint, id string) (map[int64]verbatim.Reply, map[int64]*verbatim.Failure, verbatim.BatchState) {
	t.Helper()
	replies, failures := map[int64]verbatim.Reply{}, map[int64]*verbatim.Failure{}
	state, err := api.Collect(t.Context(), e, id, func(ask int64, reply verbatim.Reply, err error) error {
		if _, twice := replies[ask]; twice || failures[ask] != nil {
			t.Errorf("request %d came twice", ask)
		}
		var f *verbatim.Failure
		switch {
		case err == nil:
			replies[ask] = reply
		case errors.As(err, &f):
			failures[ask] = f
		default:
			t.Errorf("request %d: %v (%T)", ask, err, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return replies, failures, state
}

func TestBatch(t *testing.T) {
	const n = 300
	for name, c := range batchAPIs() {
		t.Run(name, func(t *testing.T) {
			e := batchEndpoint(batchServer(t, fake.Batch{}) + c.root)
			asks := batchAsks(n)
			if fits, err := c.api.Fits(e, asks); fits != n || err != nil {
				t.Errorf("%d fit, %v", fits, err)
			}
			if id, err := c.api.Find(t.Context(), e, "run-1"); id != "" || err != nil {
				t.Errorf("found %q before it was there, %v", id, err)
			}
			id, err := c.api.Submit(t.Context(), e, "run-1", asks)
			if err != nil || id == "" {
				t.Fatalf("id %q, %v", id, err)
			}
			if _, err := c.api.Submit(t.Context(), e, "run-2", asks[:1]); err != nil {
				t.Fatal(err)
			}
			replies, failures, state := batchResults(t, c.api, e, id)
			if len(replies) != n || len(failures) != 0 || !state.Over || state.Done != n || state.Total != n || state.Raw == "" {
				t.Errorf("%d replies, %v, state %+v", len(replies), failures, state)
			}
			for i := range n {
				r := replies[int64(i)]
				if r.Text != batchText(i) || r.Finish != verbatim.FinishStop || r.Batch != id || r.Usage.Completion == nil || r.RequestID == "" {
					t.Fatalf("%d: %+v", i, r)
				}
				if r.Times != (verbatim.Times{}) || len(r.Attempts) != 1 {
					t.Fatalf("%d: times %+v, attempts %+v", i, r.Times, r.Attempts)
				}
				if a := r.Attempts[0]; a.Status != 200 || a.Class != "" || a.Bytes == 0 || a.RequestID == "" || !a.Start.IsZero() || a.Total != 0 {
					t.Fatalf("%d: attempt %+v", i, a)
				}
			}
			// What was sent once is found, and nothing else is.
			for key, want := range map[string]string{"run-1": id, "run-3": "", "run": ""} {
				if got, err := c.api.Find(t.Context(), e, key); got != want || err != nil {
					t.Errorf("key %s: found %q, %v, want %q", key, got, err, want)
				}
			}
			// An error of the callback ends Collect.
			stop := errors.New("enough")
			calls := 0
			_, err = c.api.Collect(t.Context(), e, id, func(int64, verbatim.Reply, error) error { calls++; return stop })
			if err != stop || calls != 1 {
				t.Errorf("%v after %d calls", err, calls)
			}
		})
	}
}

// A batch may fail in parts and expire with what was answered until then.
func TestBatchInParts(t *testing.T) {
	const n = 200
	for name, c := range batchAPIs() {
		t.Run(name, func(t *testing.T) {
			b := fake.Batch{Failed: 0.3, Expired: 0.2}
			if name == "gemini" {
				b.Expired = 0 // its batches expire as a whole
			}
			e := batchEndpoint(batchServer(t, b) + c.root)
			id, err := c.api.Submit(t.Context(), e, "parts", batchAsks(n))
			if err != nil {
				t.Fatal(err)
			}
			replies, failures, state := batchResults(t, c.api, e, id)
			if !state.Over || len(replies) < n/4 || len(failures) < n/8 || len(replies)+len(failures) != n {
				t.Errorf("%d replies, %d failures, state %+v", len(replies), len(failures), state)
			}
			classes := map[verbatim.Class]int{}
			for ask, f := range failures {
				classes[f.Class]++
				if f.Who == "" || f.Err == nil || len(f.Attempts) != 1 || f.Attempts[0].Class != f.Class || !f.Attempts[0].Start.IsZero() {
					t.Fatalf("%d: %+v", ask, f)
				}
			}
			for ask, r := range replies {
				if r.Text != batchText(int(ask)) {
					t.Fatalf("%d: %q", ask, r.Text)
				}
			}
			if classes[verbatim.Overload] == 0 {
				t.Errorf("classes %v", classes)
			}
			t.Logf("%d replies, %v, %s", len(replies), classes, state.Raw)
		})
	}
	c := batchAPIs()["gemini"]
	e := batchEndpoint(batchServer(t, fake.Batch{Expired: 1}))
	id, err := c.api.Submit(t.Context(), e, "whole", batchAsks(3))
	if err != nil {
		t.Fatal(err)
	}
	if replies, failures, state := batchResults(t, c.api, e, id); len(replies)+len(failures) != 0 || !state.Over || !strings.HasPrefix(state.Raw, "BATCH_STATE_EXPIRED: ") {
		t.Errorf("%v, %v, %+v", replies, failures, state)
	}
}

// Before it is over a batch says nothing of its requests.
func TestBatchWaits(t *testing.T) {
	for name, c := range batchAPIs() {
		t.Run(name, func(t *testing.T) {
			e := batchEndpoint(batchServer(t, fake.Batch{Time: time.Hour}) + c.root)
			id, err := c.api.Submit(t.Context(), e, "slow", batchAsks(5))
			if err != nil {
				t.Fatal(err)
			}
			if replies, failures, state := batchResults(t, c.api, e, id); len(replies)+len(failures) != 0 || state.Over || state.Raw == "" || state.Done != 0 {
				t.Errorf("%v, %v, %+v", replies, failures, state)
			}
			got, err := c.api.Find(t.Context(), e, "slow")
			if name != "anthropic" {
				if got != id || err != nil {
					t.Errorf("found %q, %v", got, err)
				}
				return
			}
			// Its requests are not shown yet: it may be ours or not.
			if f := (*verbatim.Failure)(nil); !errors.As(err, &f) || f.Class != verbatim.Overload || !strings.Contains(f.Error(), id) || f.Hint == "" {
				t.Errorf("found %q, %v", got, err)
			}
		})
	}
}

// A server that creates the batch and loses the connection before it replies
// leaves a batch that Find finds.
func TestBatchLost(t *testing.T) {
	for name, c := range batchAPIs() {
		t.Run(name, func(t *testing.T) {
			e := batchEndpoint(batchServer(t, fake.Batch{Lost: 0.5}) + c.root)
			lost := 0
			for i := range 40 {
				key := fmt.Sprint("lost-", i)
				id, err := c.api.Submit(t.Context(), e, key, batchAsks(2))
				var f *verbatim.Failure
				if err == nil {
					continue
				}
				if !errors.As(err, &f) || f.Class != verbatim.Transport {
					t.Fatalf("%q, %v", id, err)
				}
				found, err := c.api.Find(t.Context(), e, key)
				if err != nil {
					t.Fatal(err)
				}
				if found == "" {
					continue // OpenAI's file was lost, and no batch was made of it
				}
				lost++
				if replies, _, _ := batchResults(t, c.api, e, found); len(replies) != 2 {
					t.Errorf("%d replies", len(replies))
				}
			}
			if lost < 3 {
				t.Errorf("only %d batches were lost and found", lost)
			}
		})
	}
}

// What cannot be sent is refused before anything is sent.
func TestBatchRefuses(t *testing.T) {
	e := batchEndpoint("http://127.0.0.1:9")
	for name, c := range batchAPIs() {
		if id, err := c.api.Submit(t.Context(), e, "k", nil); err == nil || isFailure(err) {
			t.Errorf("%s: no requests: %q, %v", name, id, err)
		}
		for _, key := range []string{"", "a b", "a/b", strings.Repeat("k", 65)} {
			if _, err := c.api.Submit(t.Context(), e, key, batchAsks(1)); err == nil || isFailure(err) {
				t.Errorf("%s: key %q: %v", name, key, err)
			}
			if _, err := c.api.Find(t.Context(), e, key); err == nil || isFailure(err) {
				t.Errorf("%s: key %q: %v", name, key, err)
			}
		}
		for _, id := range []string{"", "../files", "a?b", "a b"} {
			if _, err := c.api.Collect(t.Context(), e, id, nil); err == nil || isFailure(err) {
				t.Errorf("%s: id %q: %v", name, id, err)
			}
		}
	}
}

func isFailure(err error) bool {
	var f *verbatim.Failure
	return errors.As(err, &f)
}
