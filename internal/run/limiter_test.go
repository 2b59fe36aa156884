package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/recordtest"
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
		if got := NewLimiter(TokenLimitConfig{MaxOutput: c.output}).Limit(&q); got != c.want {
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
		r := NewLimiter(TokenLimitConfig{})
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
		known TokenLimitConfig
		want  string
	}{
		{TokenLimitConfig{Params: verbatim.Params{ReasoningTokens: 20_000}}, "set the whole limit with --max-tokens, request less reasoning with --reasoning-effort low, continue anyway with --keep-going, or raise the limit with --reasoning-tokens 80000"},
		{TokenLimitConfig{Params: verbatim.Params{MaxTokens: 50, Effort: "low"}}, "continue anyway with --keep-going, or raise the limit with --max-tokens 200"},
		{TokenLimitConfig{Compared: true}, "request less reasoning with --reasoning-effort low, or raise the limit with --reasoning-tokens 16384"},
		{TokenLimitConfig{Compared: true, Params: verbatim.Params{Effort: "low"}}, "raise the limit with --reasoning-tokens 16384"},
		{TokenLimitConfig{Compared: true, Params: verbatim.Params{MaxTokens: 50}}, "request less reasoning with --reasoning-effort low, or make a baseline with a larger limit, with --max-tokens 200"},
	} {
		l := NewLimiter(c.known)
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
	r := NewLimiter(TokenLimitConfig{})
	for _, c := range []struct {
		tokens, content int
		err             error
		again           bool
		most            int
	}{
		{16_456, 72, refusal("unknown parameter"), false, AnyTokens},
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
		{"<think>hm</think>4", AnyTokens, false},
		{"hm</think>4", AnyTokens, false},
		{"<think>hm", AnyTokens, true},
		{"<think>hm</think> ", AnyTokens, true},
	} {
		l := NewLimiter(TokenLimitConfig{})
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
	l, reply := NewLimiter(TokenLimitConfig{}), verbatim.Reply{Text: strings.Repeat("abc ", 10_000)}
	if n := testing.AllocsPerRun(20, func() { l.Learn(&reply) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestKnownModel: what is known of a model before its first answer counts at once. Otherwise the
// first answers decide.
func TestKnownModel(t *testing.T) {
	plain, reasoned := verbatim.Reply{Text: "4"}, verbatim.Reply{Text: "4", Reasoning: "hm"}
	for name, c := range map[string]struct {
		reasons   *bool
		replies   []verbatim.Reply
		most      int
		mayShrink bool
	}{
		"unknown, no answer":          {nil, nil, AnyTokens, true},
		"unknown, nine answers":       {nil, slices.Repeat([]verbatim.Reply{plain}, 9), AnyTokens, true},
		"unknown, ten answers":        {nil, slices.Repeat([]verbatim.Reply{plain}, 10), 0, false},
		"unknown, one that reasons":   {nil, []verbatim.Reply{reasoned}, AnyTokens, false},
		"reasoning after ten answers": {nil, append(slices.Repeat([]verbatim.Reply{plain}, 10), reasoned), AnyTokens, false},
		"reasons":                     {new(true), slices.Repeat([]verbatim.Reply{plain}, 10), AnyTokens, false},
		"does not reason":             {new(false), nil, 0, false},
		"is said not to reason":       {new(false), []verbatim.Reply{reasoned}, 0, false},
	} {
		l := NewLimiter(TokenLimitConfig{Reasons: c.reasons, Params: verbatim.Params{ReasoningTokens: 500}})
		for i := range c.replies {
			l.Learn(&c.replies[i])
		}
		if l.Most() != c.most || l.MayShrink() != c.mayShrink {
			t.Errorf("%s: at most %d tokens, may shrink %t; want %d, %t", name, l.Most(), l.MayShrink(), c.most, c.mayShrink)
		}
	}
	if NewLimiter(TokenLimitConfig{}).MayShrink() {
		t.Error("a run without an allowance may shrink it")
	}
	l := NewLimiter(TokenLimitConfig{})
	for n := 1; n <= enoughAnswers; n++ {
		if l.Learn(&plain); l.KnowsEnough() != (n == enoughAnswers) {
			t.Errorf("%d answers are enough: %t", n, l.KnowsEnough())
		}
	}
}

// TestLimitWithinContext: prompt and reply fit into the context, but the answer is never cut for it.
func TestLimitWithinContext(t *testing.T) {
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: strings.Repeat("ab", 300)}}}}
	for context, want := range map[int64]int{1000: 700, 100: 50, 1 << 20: 5000} {
		if got := NewLimiter(TokenLimitConfig{Context: &context}).Limit(&verbatim.Request{Prompt: prompt, MaxTokens: 5000, ContentTokens: 50}); got != want {
			t.Errorf("context %d: %d tokens, want %d", context, got, want)
		}
	}
}

// A narrow model refuses token limits above a number.
type narrow struct {
	verbatim.Model
	most  int
	asked []int // token limits
	again int   // attempts that fail before each answer, counted as a Pacer does
}

func (s *narrow) Ask(_ context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	s.asked = append(s.asked, r.MaxTokens)
	r.Attempt += s.again
	attempt := verbatim.Attempt{N: r.Attempt}
	if r.MaxTokens > s.most {
		err := fmt.Errorf("max_tokens must be below %d", s.most+1)
		return &verbatim.Failure{Class: verbatim.BadAsk, Status: 400, Err: err, Attempts: []verbatim.Attempt{attempt}}
	}
	*reply = verbatim.Reply{Text: "4", Attempts: []verbatim.Attempt{attempt}}
	return nil
}

// TestRefusedLimit: a request whose token limit a server refuses is sent again with a lower one. The
// reply has both attempts, and later requests have the lower limit from the start.
func TestRefusedLimit(t *testing.T) {
	server := &narrow{most: 4096}
	l := NewLimiter(TokenLimitConfig{})
	q := verbatim.Request{MaxTokens: 16_456, ContentTokens: 72, Attempt: 1}
	reply, err := recordtest.Ask(t.Context(), l.Wrap(server), q)
	if err != nil || !slices.Equal(server.asked, []int{16_456, 4096}) || len(reply.Attempts) != 2 || reply.Attempts[1].N != 2 {
		t.Fatalf("limits %v, attempts %+v, %v", server.asked, reply.Attempts, err)
	}
	if got := l.Limit(&q); got != 4096 {
		t.Errorf("the next request has %d tokens", got)
	}
	server.most = 10
	if _, err := recordtest.Ask(t.Context(), l.Wrap(server), q); err == nil || !slices.Equal(server.asked[2:], []int{16_456, 72}) {
		t.Errorf("limits %v, %v", server.asked[2:], err)
	}
	reply, err = recordtest.Ask(t.Context(), l.Wrap(&narrow{most: 4096, again: 1}), q)
	if err != nil || len(reply.Attempts) != 2 || reply.Attempts[0].N != 2 || reply.Attempts[1].N != 4 {
		t.Errorf("attempts %+v, %v", reply.Attempts, err)
	}
}
