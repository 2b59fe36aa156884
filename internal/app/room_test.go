package app

import (
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// TestRoomWithinOutput: requests ask for no more tokens than the model writes, so that no
// server has to refuse them first. A limit that the user sets is sent as it is.
func TestRoomWithinOutput(t *testing.T) {
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
		if got := (&room{maxOutput: c.output}).limit(&q); got != c.want {
			t.Errorf("%s: %d tokens, want %d", name, got, c.want)
		}
	}
}

// TestRoomOfEmptyAnswers: ten first answers without content end a run, however they ended. The
// error says why, and is there before anything is sent again.
func TestRoomOfEmptyAnswers(t *testing.T) {
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
		var r room
		for i := range c.replies {
			r.learn(&c.replies[i])
		}
		switch err := r.check(); {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want an error with %q", name, err, c.want)
		}
		if r.keepGoing = true; r.check() != nil {
			t.Errorf("%s: --keep-going does not go on", name)
		}
	}
}
