package tokenlimit

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/run"
)

// TestWithinOutput: requests ask for no more tokens than the model writes, so that no
// server has to refuse them first. A limit that the user sets is sent as it is.
func TestWithinOutput(t *testing.T) {
	most, wide, huge := int64(4096), int64(100_000), int64(1)<<62
	for name, c := range map[string]struct {
		output         *int64
		tokens, answer int
		want           int
	}{
		"unknown":                         {nil, 16_884, 500, 16_884},
		"a small output":                  {&most, 16_884, 500, 4096},
		"a large output":                  {&wide, 16_884, 500, 16_884},
		"an endless output":               {&huge, 16_884, 500, 16_884},
		"an answer longer than the table": {&most, 21_384, 5000, 5000},
		"a limit of the user's":           {&most, 9000, 0, 9000},
	} {
		q := verbatim.Request{MaxTokens: c.tokens, ContentTokens: c.answer}
		if got := New(Config{MaxOutput: c.output}).Limit(&q); got != c.want {
			t.Errorf("%s: %d tokens, want %d", name, got, c.want)
		}
	}
}

// TestEmptyAnswers: ten first answers without content end a run, however they ended. The
// error says why, and is there before anything is sent again.
func TestEmptyAnswers(t *testing.T) {
	reasoned, blank, full := verbatim.Reply{Reasoning: "hm", Finish: verbatim.FinishLength},
		verbatim.Reply{Reasoning: "hm", Finish: verbatim.FinishStop}, verbatim.Reply{Text: "x", Finish: verbatim.FinishStop}
	for name, c := range map[string]struct {
		replies []verbatim.Reply
		want    string
	}{
		"at the limit":         {slices.Repeat([]verbatim.Reply{reasoned}, 10), "reached its token limit"},
		"by themselves":        {slices.Repeat([]verbatim.Reply{blank}, 10), "ended them by itself"},
		"nine":                 {slices.Repeat([]verbatim.Reply{blank}, 9), ""},
		"one with an answer":   {append(slices.Repeat([]verbatim.Reply{reasoned}, 10), full), ""},
		"withheld by a filter": {slices.Repeat([]verbatim.Reply{{Finish: verbatim.FinishFilter}}, 10), ""},
	} {
		r := New(Config{})
		for i := range c.replies {
			r.Learn(&c.replies[i])
		}
		switch err := r.Check(); {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want an error with %q", name, err, c.want)
		}
		if c.want != "" {
			hint := r.Check().(EmptyError).error.(*errkind.Error).Hint
			if r.known.Compared = true; len(c.replies) > 0 && c.replies[0].Finish == verbatim.FinishStop && r.Check() != nil {
				t.Errorf("%s: complete empty answers end a run that is compared with a baseline", name)
			}
			if !strings.Contains(hint, "--keep-going") {
				t.Errorf("%s: hint %q", name, hint)
			}
		}
		if r.known.KeepGoing = true; r.Check() != nil {
			t.Errorf("%s: --keep-going does not go on", name)
		}
	}
}

// TestHintsOfEmptyAnswers: a test with a baseline has neither --keep-going nor --max-tokens, and
// its hints name neither.
func TestHintsOfEmptyAnswers(t *testing.T) {
	for _, c := range []struct {
		known Config
		want  string
	}{
		{Config{Params: verbatim.Params{ReasoningTokens: 20_000}}, "set the whole limit with --max-tokens, request less reasoning with --reasoning-effort low, continue anyway with --keep-going, or raise the limit with --reasoning-tokens 80000"},
		{Config{Params: verbatim.Params{MaxTokens: 50, Effort: "low"}}, "continue anyway with --keep-going, or raise the limit with --max-tokens 200"},
		{Config{Compared: true}, "request less reasoning with --reasoning-effort low, or raise the limit with --reasoning-tokens 16384"},
		{Config{Compared: true, Params: verbatim.Params{Effort: "low"}}, "raise the limit with --reasoning-tokens 16384"},
		{Config{Compared: true, Params: verbatim.Params{MaxTokens: 50}}, "request less reasoning with --reasoning-effort low, or make a baseline with a larger limit, with --max-tokens 200"},
	} {
		l := New(c.known)
		for range FirstAnswers {
			l.Learn(&verbatim.Reply{Finish: verbatim.FinishLength})
		}
		e, ok := errors.AsType[EmptyError](l.Check())
		if hint := e.Advice + " with " + e.Flag + " " + strconv.Itoa(e.Tokens); !ok || hint != c.want {
			t.Errorf("%q, want %q", hint, c.want)
		}
	}
}

// TestRefused: what a provider says of requests in a batch lowers the limit of later
// batches, to the number of its message, and to that of the content if it refuses that too.
func TestRefused(t *testing.T) {
	refusal := func(message string) error {
		return &verbatim.Failure{Class: verbatim.BadAsk, Status: 400, Err: errors.New(message)}
	}
	r := New(Config{})
	for _, c := range []struct {
		tokens, content int
		err             error
		again           bool
		most            int
	}{
		{16_456, 72, refusal("unknown parameter"), false, run.AnyTokens},
		{16_456, 72, refusal("max_tokens is too large: 16456. This model writes at most 4096 tokens"), true, 4095},
		{16_460, 76, refusal("max_tokens is too large: 16460. This model writes at most 4096 tokens"), true, 4095}, // of the same batch
		{4095, 72, refusal("max_tokens is too large: 4095. Write less"), true, 72},
		{72, 72, refusal("max_tokens is too large: 72"), false, 72},
	} {
		q := &verbatim.Request{MaxTokens: c.tokens, ContentTokens: c.content}
		if got := r.Refused(q, c.err); got != c.again || r.Most() != c.most {
			t.Errorf("%d tokens, %v: again %t, at most %d; want %t, %d", c.tokens, c.err, got, r.Most(), c.again, c.most)
		}
	}
}

// TestReasoningInTexts: replies with reasoning between tags keep the allowance for it, also where the
// server puts the opening tag into the prompt. An answer that only looks like the beginning of a tag
// is an answer.
func TestReasoningInTexts(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		err  bool // all answers are empty
	}{
		{"4", 0, false},
		{"<", 0, false},
		{"[T", 0, false},
		{"<think>hm</think>4", run.AnyTokens, false},
		{"hm</think>4", run.AnyTokens, false},
		{"<think>hm", run.AnyTokens, true},
		{"<think>hm</think> ", run.AnyTokens, true},
	} {
		l := New(Config{})
		for range FirstAnswers {
			l.Learn(&verbatim.Reply{Text: c.text, Finish: verbatim.FinishStop})
		}
		if err := l.Check(); l.Most() != c.most || (err != nil) != c.err {
			t.Errorf("%q: at most %d tokens, %v; want %d, an error %t", c.text, l.Most(), err, c.most, c.err)
		}
	}
}

// TestLearnCopiesNothing: the texts of replies can be long, and each is seen once.
func TestLearnCopiesNothing(t *testing.T) {
	l, reply := New(Config{}), verbatim.Reply{Text: strings.Repeat("abc ", 10_000)}
	if n := testing.AllocsPerRun(20, func() { l.Learn(&reply) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
