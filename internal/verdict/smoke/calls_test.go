package smoke

import (
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// TestLengths tests that texts go from the shortest to the requested length, and that a
// known context holds each of them, at 2 tokens a word.
func TestLengths(t *testing.T) {
	for _, c := range []struct {
		context int64
		length  int
	}{{0, usualLength}, {512, 153}, {2048, 614}, {4096, 1228}, {131072, MostLength}, {20, LeastLength}} {
		if got := LengthFor(c.context); got != c.length {
			t.Errorf("a context of %d tokens: texts of %d words, want %d", c.context, got, c.length)
		}
	}
	for _, longest := range []int{LeastLength, usualLength, MostLength} {
		var words []int
		prefix := 0
		for _, c := range drawCalls(1, longest, false) {
			before, _, _ := strings.Cut(c.Item.Prompt[0].Content[0].Text, "\n")
			switch n := len(strings.Fields(before)) - 1; c.Phase { // without "Notes:"
			case Alone:
				words = append(words, n)
			case Prefix:
				prefix = n
			}
		}
		slices.Sort(words)
		if words[0] != shortest || words[len(words)-1] != longest || prefix != prefixWords(longest) {
			t.Errorf("texts of %d to %d words and prefixes of %d, want %d to %d and %d", words[0], words[len(words)-1], prefix, shortest, longest, prefixWords(longest))
		}
		if len(slices.Compact(words)) < copies-3 {
			t.Errorf("the lengths are %d", words)
		}
	}
}

// TestParts tests which calls may be in flight together: those under load, and those with other
// prefixes, which push the shared one out of a cache.
func TestParts(t *testing.T) {
	test := New(Config{Seed: 1, Length: usualLength, Tools: true})
	grade := &verbatim.Grade{Exact: true}
	var together []int
	var done []verbatim.Record
	for {
		requests, err := test.Next(done)
		if err != nil {
			t.Fatal(err)
		}
		if len(requests) == 0 {
			break
		}
		together, done = append(together, len(requests)), nil
		for _, r := range requests {
			done = append(done, verbatim.Record{Seq: r.Seq, Outcome: verbatim.Pass, Grade: grade, Reply: &verbatim.Reply{Text: r.Item.Want.Text, Finish: verbatim.FinishCall}})
		}
	}
	want := slices.Repeat([]int{1}, copies+echoes)
	want = append(want, 16, 16, 16, 1, 1, others, 1, 1)
	if !slices.Equal(together, want) {
		t.Errorf("requests in flight: %d, want %d", together, want)
	}
}

// TestSharedPrefix tests the order of the prefix calls: cold, warm, and again after eight others.
func TestSharedPrefix(t *testing.T) {
	var prefixes []string
	for _, c := range drawCalls(1, MostLength, false) {
		if c.Phase == Prefix {
			before, _, _ := strings.Cut(c.Item.Prompt[0].Content[0].Text, "\n")
			prefixes = append(prefixes, before)
		}
	}
	first := prefixes[0]
	for i, prefix := range prefixes {
		if shared := i < 2 || i >= 2+others; shared != (prefix == first) {
			t.Errorf("call %d of %d has the shared prefix: %v", i, len(prefixes), prefix == first)
		}
	}
}
