package model

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/input"
	"verbatim/internal/nano"
	"verbatim/internal/recordtest"
)

// mustNano opens the network.
func mustNano(t testing.TB) Handle {
	t.Helper()
	m, err := Open(t.Context(), "nano", options(&network{}))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// nanoRequest asks for a copy.
func nanoRequest(text string) verbatim.Request {
	r := request("Copy the following string exactly. Only output the string. String: \"" + text + "\"")
	r.Item = &verbatim.Item{ID: "copy@1/len=8/seed=1/" + text, Want: verbatim.TextAnswer("the right answer, which nobody may look at")}
	return r
}

func TestOpenNano(t *testing.T) {
	m := mustNano(t)
	if m.Name != "nano" || !m.BuiltIn || m.Simulated || m.Price == nil || m.Price.Input != 0 || *m.Context != nano.Context || m.Speed <= 0 || !strings.Contains(m.Note, "say nothing about other models") {
		t.Errorf("%+v", m)
	}
	if other, err := Open(t.Context(), " Nano ", options(&network{})); err != nil || other.Name != "nano" {
		t.Errorf("%+v, %v", other, err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"nan", "nanno"} {
		var e *input.NameError
		if _, err := Open(t.Context(), name, options(&network{})); !errors.As(err, &e) || !strings.Contains(e.Advice, "did you mean nano") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An answer has its token counts and its finish reason, which is the network's or the
// limit's, and is the same every time.
func TestNanoAnswers(t *testing.T) {
	m := mustNano(t)
	ask := nanoRequest("abcdefgh")
	reply, err := recordtest.Ask(t.Context(), m.Model, ask)
	if err != nil {
		t.Fatal(err)
	}
	counted, err := m.Count(ask.Prompt)
	if err != nil || counted < 9 || reply.Usage.Prompt == nil || *reply.Usage.Prompt != counted {
		t.Errorf("%d tokens counted before (%v), and usage %+v", counted, err, reply.Usage)
	}
	if n := *reply.Usage.Completion; n < 0 || n > int64(ask.MaxTokens) {
		t.Errorf("%d tokens of at most %d", n, ask.MaxTokens)
	}
	if reply.ServedModel != "nano" || reply.Times.Total <= 0 || reply.Times.Start.IsZero() || reply.Applied != `{"temperature":0,"top_p":1}` || !json.Valid([]byte(reply.Applied)) {
		t.Errorf("%+v", reply)
	}
	if sums, err := os.ReadFile("../nano/nano.sha256"); err != nil || len(reply.Fingerprint) != 12 || !strings.HasPrefix(string(sums), reply.Fingerprint) {
		t.Errorf("the fingerprint of the weights is %q, %v, and their sum %s", reply.Fingerprint, err, sums)
	}
	if len(reply.Attempts) != 1 || reply.Attempts[0].N != ask.Attempt || reply.Attempts[0].Bytes != int64(len(reply.Text)) {
		t.Errorf("attempts %+v", reply.Attempts)
	}
	ask.MaxTokens = 1
	first, err := recordtest.Ask(t.Context(), m.Model, ask)
	if err != nil || first.Finish != verbatim.FinishLength || first.FinishRaw != "length" || *first.Usage.Completion != 1 || !strings.HasPrefix(reply.Text, first.Text) {
		t.Errorf("one token: %+v, %v", first, err)
	}
	ask = nanoRequest("abcdefgh")
	ask.Trial, ask.Attempt, ask.Item = 7, 1, &verbatim.Item{ID: "another"}
	again, err := recordtest.Ask(t.Context(), mustNano(t).Model, ask)
	if err != nil || again.Text != reply.Text {
		t.Errorf("%q, and then %q, %v", reply.Text, again.Text, err)
	}
}

// TestNanoDraws: with a temperature trials differ, and each is the same every time; with
// a seed they are the same. (At a temperature of 100 no training makes answers alike.)
func TestNanoDraws(t *testing.T) {
	m := mustNano(t)
	hot, seed, other := 100.0, int64(7), int64(8)
	say := func(change func(*verbatim.Request)) string {
		t.Helper()
		r := nanoRequest("abcdefgh")
		r.Params.Temperature = &hot
		change(&r)
		reply, err := recordtest.Ask(t.Context(), m.Model, r)
		if err != nil {
			t.Fatal(err)
		}
		return reply.Text
	}
	plain := say(func(*verbatim.Request) {})
	for what, c := range map[string]struct {
		change func(*verbatim.Request)
		same   bool
	}{
		"again":           {func(*verbatim.Request) {}, true},
		"another attempt": {func(r *verbatim.Request) { r.Attempt = 9 }, true},
		"another trial":   {func(r *verbatim.Request) { r.Trial++ }, false},
		"another item":    {func(r *verbatim.Request) { r.Item = &verbatim.Item{ID: "x"} }, false},
		"no item":         {func(r *verbatim.Request) { r.Item = nil }, false},
		"a seed":          {func(r *verbatim.Request) { r.Params.Seed = &seed }, false},
	} {
		if got := say(c.change); (got == plain) != c.same {
			t.Errorf("%s: %q, and without it %q", what, got, plain)
		}
	}
	seeded := say(func(r *verbatim.Request) { r.Params.Seed = &seed })
	if got := say(func(r *verbatim.Request) { r.Params.Seed, r.Trial = &seed, 9 }); got != seeded {
		t.Errorf("the same seed: %q and %q", seeded, got)
	}
	if got := say(func(r *verbatim.Request) { r.Params.Seed = &other }); got == seeded {
		t.Errorf("other seeds: %q", got)
	}
	none, greedy := 0.0, say(func(r *verbatim.Request) { r.Params.Temperature = nil })
	for what, change := range map[string]func(*verbatim.Request){
		"a temperature of 0": func(r *verbatim.Request) { r.Params.Temperature = &none },
		"a top_p of 0":       func(r *verbatim.Request) { r.Params.TopP = &none },
	} {
		if got := say(change); got != greedy {
			t.Errorf("%s: %q, and greedy %q", what, got, greedy)
		}
	}
}

// TestNanoRefuses what it cannot read and what it does not support, and says what to
// do.
func TestNanoRefuses(t *testing.T) {
	m := mustNano(t)
	below, above, budget := -0.1, 1.1, int64(9)
	for want, change := range map[string]func(*verbatim.Request){
		"tokens": func(r *verbatim.Request) { r.Prompt[0].Content[0].Text = strings.Repeat("\"abcdefgh\" ", 200) },
		"image": func(r *verbatim.Request) {
			r.Prompt[0].Content = append(r.Prompt[0].Content, verbatim.Part{Image: &verbatim.Image{}})
		},
		"effort":                func(r *verbatim.Request) { r.Params.Effort = "low" },
		"budget":                func(r *verbatim.Request) { r.Params.ReasoningBudget = &budget },
		"extra":                 func(r *verbatim.Request) { r.Params.Extra = map[string]json.RawMessage{"top_k": []byte("1")} },
		"temperature cannot be": func(r *verbatim.Request) { r.Params.Temperature = &below },
		"top_p cannot be":       func(r *verbatim.Request) { r.Params.TopP = &above },
		"top_p cannot be -0.1":  func(r *verbatim.Request) { r.Params.TopP = &below },
		"the prompt has 1":      func(r *verbatim.Request) { r.Prompt[0].Content[0].Text = `"` + strings.Repeat("x", 1050) + `"` },
		"reads at most 1023":    func(r *verbatim.Request) { r.Prompt[0].Content[0].Text = `"` + strings.Repeat("x", nano.Context) + `"` },
	} {
		r := nanoRequest("abcdefgh")
		change(&r)
		_, err := recordtest.Ask(t.Context(), m.Model, r)
		var f *verbatim.Failure
		if !errors.As(err, &f) || f.Class != verbatim.BadAsk || f.Who != "nano" || f.Hint == "" || !strings.Contains(err.Error(), want) || len(f.Attempts) != 1 || f.Attempts[0].Class != verbatim.BadAsk {
			t.Errorf("%s: %v, %+v", want, err, f)
		}
	}
	r := nanoRequest("abcdefgh")
	r.Params.ReasoningTokens = 100 // is not sent: it only makes the limit longer
	if _, err := recordtest.Ask(t.Context(), m.Model, r); err != nil {
		t.Error(err)
	}
}

// TestNanoStops with its context, and reads the weights at its first question only.
func TestNanoStops(t *testing.T) {
	loads := 0
	m := nanoModel{func() (*nano.Network, error) { loads++; return nil, errors.New("damaged") }}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := recordtest.Ask(ctx, m, nanoRequest("abcdefgh"))
	var f *verbatim.Failure
	if !errors.As(err, &f) || f.Class != verbatim.Deadline || !errors.Is(err, context.Canceled) || loads != 0 {
		t.Errorf("%v after %d loads", err, loads)
	}
	if _, err := recordtest.Ask(t.Context(), m, nanoRequest("abcdefgh")); !errors.As(err, &f) || f.Class != verbatim.BadAsk || !strings.Contains(f.Hint, "install") || loads != 1 {
		t.Errorf("%v after %d loads", err, loads)
	}
	if _, err := m.count(nil); err == nil {
		t.Error("tokens were counted without a network")
	}
	start := time.Now()
	for range 1000 {
		openNano()
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("to open it a thousand times took %v", took)
	}
}

// TestNanoDoesNotReason: so its requests get no tokens for reasoning.
func TestNanoDoesNotReason(t *testing.T) {
	if r := openNano().Reasons; r == nil || *r {
		t.Errorf("nano reasons: %v", r)
	}
}
