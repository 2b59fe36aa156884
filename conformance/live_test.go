package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/httpconn"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// TestLive asks a real small model through the three protocols of its server: they
// must agree about the answer.
func TestLive(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a model server")
	}
	address, port := freePort(t)
	// With one slot, answers are computed one after the other, always in the same order.
	t.Setenv("SMALL_MODEL_SLOTS", "1")
	startServer(t, address, "../scripts/small-model", port)
	base := "http://" + address
	waitForModel(t, base)
	transport := httpconn.NewTransport()
	defer transport.CloseIdleConnections()
	// The server closes the connection after a stream without notice. We send the request
	// again on another one; the SDKs, which may try only once, do not.
	fresh := &http.Transport{DisableKeepAlives: true}

	for _, c := range []struct {
		name, prompt string
		max          int
		finish       verbatim.Finish
	}{
		{"whole", "What is the capital of France? Answer in one word.", 60, verbatim.FinishStop},
		{"limit", "Count from 1 to 1000, one number a line.", 20, verbatim.FinishLength},
		{"Unicode", "Repeat exactly: 漢字 🙂 Ελληνικά 👩‍👩‍👧", 40, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := question{prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: c.prompt}}}}, maxTokens: c.max}
			q.params.Temperature = new(float64)
			// A prompt that the server has seen is computed in another order.
			first := ask(t, chat(), base, transport, q)
			want := ask(t, chat(), base, transport, q)
			if want.Text == "" || want.Usage.Completion == nil {
				t.Fatalf("%v", want)
			}
			if c.finish != "" && want.Finish != c.finish {
				t.Errorf("finish %q, want %q", want.Finish, c.finish)
			}
			if c.finish == verbatim.FinishLength && *want.Usage.Completion != int64(c.max) {
				t.Errorf("%d tokens at a bound of %d", *want.Usage.Completion, c.max)
			}
			t.Logf("%v", want)
			if first.Text != want.Text {
				t.Logf("the first answer was %q", first.Text)
			}
			for _, p := range []pair{chat(), openAIResponses(), anthropicMessages()} {
				for _, stream := range []bool{true, false} {
					q.stream = stream
					got := ask(t, p, base, transport, q)
					theirs := p.readTheirs(t.Context(), base, fresh, q)
					if got.Text != want.Text || got.Finish != want.Finish {
						t.Errorf("%s, stream %v:\n\t%v,\nwant\n\t%v", p.name, stream, got, want)
					}
					if got.Usage.Prompt == nil || got.Usage.Completion == nil || *got.Usage.Prompt != *want.Usage.Prompt || *got.Usage.Completion != *want.Usage.Completion {
						t.Errorf("%s, stream %v: tokens %s, want %s", p.name, stream, counts(got.Usage), counts(want.Usage))
					}
					if theirs.Text != want.Text || theirs.err != nil {
						t.Errorf("%s, stream %v: %s reads\n\t%v,\nwant\n\t%v", p.name, stream, p.sdk, theirs, want)
					}
				}
			}
		})
	}

	for _, p := range []pair{chat(), openAIResponses(), anthropicMessages()} {
		t.Run("stopped/"+p.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			// The answer to this prompt is long, and sampling is greedy, so that it cannot
			// be short by chance. The first events have no text yet.
			q := question{prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Count from 1 to 1000, one number a line."}}}}, maxTokens: 1500, stream: true}
			q.params.Temperature = new(float64)
			r := p.readOurs(ctx, base, modeltest.StopAfter(transport, 12, cancel), q)
			if r.Failed == "" {
				t.Errorf("the answer ended before it was stopped: %v", r)
			} else if r.Failed != string(verbatim.Deadline) || !errors.Is(r.err, context.Canceled) || r.Text == "" {
				t.Errorf("stopped by us: %v", r)
			}
			// The server drops the stopped request: the next one is answered.
			if r := ask(t, p, base, transport, question{prompt: plain(true).prompt, maxTokens: 16, stream: true}); r.Failed != "" {
				t.Errorf("%v", r)
			}
		})
		t.Run("too long/"+p.name, func(t *testing.T) {
			for _, stream := range []bool{true, false} {
				q := question{prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: strings.Repeat("word ", 9000)}}}}, maxTokens: 16, stream: stream}
				if r := p.readOurs(t.Context(), base, transport, q); r.Failed != string(verbatim.BadAsk) {
					t.Errorf("stream %v: %v", stream, r)
				}
			}
		})
	}
}

// ask asks a server, and fails if it does not answer.
func ask(t *testing.T, p pair, base string, transport http.RoundTripper, q question) reading {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r := p.readOurs(ctx, base, transport, q)
	if r.Failed != "" {
		t.Fatalf("%s: %v", p.name, r)
	}
	return r
}

// waitForModel waits until a server that listens has loaded its model.
func waitForModel(t *testing.T, base string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		list, err := wire.GetJSON(ctx, wire.Endpoint{BaseURL: base + "/v1"}, "/models")
		if err == nil && json.Valid(list) {
			return
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			t.Fatalf("the model is not loaded: %v", err)
		}
	}
}
