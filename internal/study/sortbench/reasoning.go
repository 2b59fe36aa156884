package sortbench

import (
	"strings"
	"unicode/utf8"

	"verbatim"
)

// reasoningSizes are the sizes of what a model thought before its answers, by the
// validity of the answers: in tokens as the server counted them, and in characters
// of the thinking that was written out.
type reasoningSizes struct {
	tokens, chars map[float64][]float64
}

func (t *reasoningSizes) add(r *verbatim.Reply, validity float64) {
	if t.tokens == nil {
		t.tokens, t.chars = make(map[float64][]float64), make(map[float64][]float64)
	}
	if n := r.Usage.Reasoning; n != nil {
		t.tokens[validity] = append(t.tokens[validity], float64(*n))
	}
	if text, ok := shownReasoning(r); ok {
		t.chars[validity] = append(t.chars[validity], float64(utf8.RuneCountInString(text)))
	}
}

// sizes returns the sizes by validity, and whether they are tokens; none where the
// model did not think or does not say.
func (t *reasoningSizes) sizes() (by map[float64][]float64, tokens bool) {
	for _, sizes := range t.tokens {
		for _, n := range sizes {
			if n > 0 {
				return t.tokens, true
			}
		}
	}
	return t.chars, false
}

// shownReasoning returns what a reply shows of its reasoning: what came apart from the
// answer, or between the marks that models write. Where the end mark is missing it
// is all that follows.
func shownReasoning(r *verbatim.Reply) (string, bool) {
	if r.Reasoning != "" {
		return r.Reasoning, true
	}
	const open, end = "<think>", "</think>"
	before, after, opened := strings.Cut(r.Text, open)
	if !opened {
		after = before // some servers swallow the first mark
	}
	inside, _, ended := strings.Cut(after, end)
	return inside, opened || ended
}
