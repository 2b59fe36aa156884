package preflight

import (
	"math"
	"testing"

	"verbatim"
)

// TestOrder: the calls that may not be needed come last: second calls, and then spare ones.
func TestOrder(t *testing.T) {
	again, spare := 0, 0
	for _, c := range Calls(Config{Wire: "chat", Streams: true, Renames: true, Context: 8000, Seed: 1}) {
		switch {
		case c.spare:
			spare++
		case c.again:
			again++
		}
		if !c.spare && spare > 0 || !c.again && !c.spare && again > 0 {
			t.Errorf("%s comes after a call that may not be needed", c.Name)
		}
	}
	if again == 0 || spare == 0 {
		t.Errorf("%d second calls and %d spare ones", again, spare)
	}
}

// TestReasoningTokens: the first call has room for reasoning, and the others have it if a reply
// has shown some.
func TestReasoningTokens(t *testing.T) {
	counted := int64(3)
	for name, c := range map[string]struct {
		reply verbatim.Reply
		room  bool
	}{
		"no reasoning":      {verbatim.Reply{Text: "a"}, false},
		"reasoning":         {verbatim.Reply{Text: "a", Reasoning: "b"}, true},
		"counted reasoning": {verbatim.Reply{Text: "a", Usage: verbatim.Usage{Reasoning: &counted}}, true},
	} {
		test := New(Config{Wire: "chat", Seed: 1, Reasoning: 1000})
		first, err := test.Next(nil)
		if err != nil || len(first) != 1 || first[0].MaxTokens <= 1000 {
			t.Fatalf("%s: %v, %v", name, first, err)
		}
		second, err := test.Next([]verbatim.Record{{Outcome: verbatim.Pass, Reply: &c.reply}})
		if err != nil || len(second) != 1 || second[0].MaxTokens > 1000 != c.room {
			t.Errorf("%s: %v, %v", name, second, err)
		}
	}
}

// TestSameList: log probabilities are the same up to what a temperature of 0.1 moves.
func TestSameList(t *testing.T) {
	list := func(p float64, texts ...string) (tokens []verbatim.Token) {
		for _, text := range texts {
			tokens = append(tokens, verbatim.Token{Text: text, Logprob: p})
		}
		return tokens
	}
	for _, c := range []struct {
		a, b []verbatim.Token
		want bool
	}{
		{list(-1, "a", "b"), list(-1.4, "a", "b"), true},
		{list(-1, "a", "b"), list(-1.6, "a", "b"), false},
		{list(-1, "a", "b"), list(-1, "b", "a"), false},
		{list(-1, "a", "b"), list(-1, "a"), false},
		{list(math.Inf(-1), "a"), list(math.Inf(-1), "a"), true},
	} {
		if got := sameList(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %t", c.a, c.b, got)
		}
	}
}
