package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/httpconn"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// TestLive asks a real llama.cpp server, such as scripts/small-model starts one:
//
//	VERBATIM_LIVE=http://127.0.0.1:8080/v1 go test -v -run TestLive ./internal/wire
//
// That server closes its connections after every stream without notice.
func TestLive(t *testing.T) {
	base := os.Getenv("VERBATIM_LIVE")
	if base == "" {
		t.Skip("VERBATIM_LIVE names no server")
	}
	transport := httpconn.NewDirect(httpconn.NewTransport())
	defer transport.CloseIdleConnections()
	ask := func(stream bool, text string, max int) (verbatim.Reply, error) {
		e := wire.Endpoint{BaseURL: base, Model: "small", Stream: stream, Transport: transport, Total: 5 * time.Minute, Idle: time.Minute}
		params := verbatim.Params{Temperature: new(float64)}
		if max > 50 {
			// A parameter of llama.cpp: write until the limit.
			params.Extra = map[string]json.RawMessage{"ignore_eos": json.RawMessage("true")}
		}
		return wire.Chat().SendPrompt(t.Context(), e, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}, max, params)
	}
	must := func(stream bool, text string, max int) verbatim.Reply {
		t.Helper()
		r, err := ask(stream, text, max)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}

	t.Run("many", func(t *testing.T) {
		for _, workers := range []int{1, 4} {
			start := time.Now()
			var all sync.WaitGroup
			for range workers {
				all.Go(func() {
					for range 300 / workers {
						if r, err := ask(true, "Say hello.", 2); err != nil || r.Finish != verbatim.FinishLength {
							t.Errorf("%+v, %v", r, err)
						}
					}
				})
			}
			all.Wait()
			t.Logf("300 streams of %d workers in %v", workers, time.Since(start))
		}
		for range 20 {
			must(false, "Say hello.", 2)
			must(true, "Say hello.", 2)
		}
	})
	t.Run("forms", func(t *testing.T) {
		const text = "Write one sentence about a river."
		must(true, text, 40) // a prompt that the server has seen is computed in another order
		stream, plain := must(true, text, 40), must(false, text, 40)
		if stream.Text != plain.Text || stream.Finish != plain.Finish || *stream.Usage.Completion != *plain.Usage.Completion || *stream.Usage.Prompt != *plain.Usage.Prompt {
			t.Errorf("streamed %+v,\nplain %+v", stream, plain)
		}
		if stream.Times.FirstContent == nil || *stream.Times.FirstContent >= stream.Times.Total || stream.ServedModel == "" || stream.RequestID == "" || stream.Fingerprint == "" {
			t.Errorf("%+v", stream)
		}
	})
	t.Run("anthropic", func(t *testing.T) {
		const text = "Write one sentence about a river."
		want := must(true, text, 40)
		for _, root := range []string{base, strings.TrimSuffix(base, "/v1")} {
			for _, stream := range []bool{true, false} {
				e := wire.Endpoint{BaseURL: root, Model: "small", Stream: stream, Transport: transport, Total: time.Minute, Key: wire.NewKey("not-asked-for")}
				r, err := wire.Anthropic().SendPrompt(t.Context(), e, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}, 40, verbatim.Params{Temperature: new(float64)})
				if err != nil {
					t.Fatal(err)
				}
				if r.Text != want.Text || r.Finish != want.Finish || *r.Usage.Completion != *want.Usage.Completion || *r.Usage.Prompt != *want.Usage.Prompt {
					t.Errorf("stream %v: %+v,\nas chat %+v", stream, r, want)
				}
			}
		}
	})
	t.Run("limit", func(t *testing.T) {
		for _, max := range []int{1, 5, 1500} {
			r := must(true, "Count from 1 to 1000, one number a line.", max)
			if r.Finish != verbatim.FinishLength || *r.Usage.Completion != int64(max) {
				t.Errorf("%d: finish %q after %d tokens, %d bytes", max, r.Finish, *r.Usage.Completion, len(r.Text))
			}
			t.Logf("%d tokens, %d bytes, first word after %v of %v", max, len(r.Text), *r.Times.FirstContent, r.Times.Total)
		}
	})
	t.Run("unicode", func(t *testing.T) {
		for _, text := range []string{"漢字 🙂 é", "👩‍👩‍👧👩‍👩‍👧", "Ελληνικά"} {
			for max := 1; max < 24; max++ {
				if r := must(true, "Repeat exactly: "+text, max); !utf8.ValidString(r.Text) {
					t.Errorf("%q cut at %d: %q", text, max, r.Text)
				}
			}
		}
	})
	t.Run("too long", func(t *testing.T) {
		for _, stream := range []bool{true, false} {
			_, err := ask(stream, strings.Repeat("word ", 5000), 10)
			var f *verbatim.Failure
			if !errors.As(err, &f) || f.Class != verbatim.BadAsk || !strings.Contains(f.Hint, "context") {
				t.Errorf("stream %v: %v", stream, err)
			}
		}
	})
	t.Run("hang up", func(t *testing.T) {
		for range 10 {
			ctx, cancel := context.WithCancel(t.Context())
			e := wire.Endpoint{BaseURL: base, Model: "small", Stream: true, Transport: modeltest.StopAfter(transport, 10, cancel)}
			params := verbatim.Params{Extra: map[string]json.RawMessage{"ignore_eos": json.RawMessage("true")}}
			r, err := wire.Chat().SendPrompt(ctx, e, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Tell a long story."}}}}, 500, params)
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%+v, %v", r, err)
			}
			must(true, "Say hello.", 2)
		}
	})
	t.Run("models", func(t *testing.T) {
		if list, err := wire.GetJSON(t.Context(), wire.Endpoint{BaseURL: base, Transport: transport}, "/models"); err != nil || !strings.Contains(string(list), `"data"`) {
			t.Errorf("%s, %v", list, err)
		}
	})
}

// TestLiveResponses asks the Responses API of the server that TestLive asks. That
// server says completed of every answer, so the count must show what was cut off.
func TestLiveResponses(t *testing.T) {
	base := os.Getenv("VERBATIM_LIVE")
	if base == "" {
		t.Skip("VERBATIM_LIVE names no server")
	}
	transport := httpconn.NewDirect(httpconn.NewTransport())
	defer transport.CloseIdleConnections()
	for _, c := range []struct {
		text string
		max  int
		want verbatim.Finish
	}{{"Say hello.", 100, verbatim.FinishStop}, {"Count from 1 to 1000, one number a line.", 16, verbatim.FinishLength}} {
		var texts []string
		for _, stream := range []bool{true, false} {
			e := wire.Endpoint{BaseURL: base, Model: "small", Stream: stream, Transport: transport, Total: 5 * time.Minute}
			prompt := verbatim.Prompt{
				{Role: "system", Content: []verbatim.Part{{Text: "You are brief."}}},
				{Role: "user", Content: []verbatim.Part{{Text: c.text}}},
			}
			r, err := wire.Responses().SendPrompt(t.Context(), e, prompt, c.max, verbatim.Params{Temperature: new(float64)})
			if err != nil || r.Finish != c.want || r.Text == "" || r.Usage.Completion == nil || r.FinishRaw != "completed" {
				t.Errorf("stream %v: %+v, %v", stream, r, err)
			}
			texts = append(texts, r.Text)
		}
		if texts[0] != texts[1] {
			t.Errorf("streamed %q, in one piece %q", texts[0], texts[1])
		}
	}
}
