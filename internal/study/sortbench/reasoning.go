package sortbench

import (
	"strings"
	"unicode/utf8"

	"verbatim"
)

// reasoningSizes holds the sizes of the reasoning before answers, by the validity of the answer:
// in tokens as the server counts them, and in characters of the text that came with the reply.
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

// sizes returns the sizes by validity, and whether they are tokens. Tokens are preferred. There are
// no sizes without known reasoning.
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

// shownReasoning returns the text of the reasoning, and whether there is any: the reasoning of the
// reply, or the part of its text between <think> and </think>. A missing end mark is at the end of
// the text.
func shownReasoning(r *verbatim.Reply) (string, bool) {
	if r.Reasoning != "" {
		return r.Reasoning, true
	}
	const open, end = "<think>", "</think>"
	before, after, opened := strings.Cut(r.Text, open)
	if !opened {
		after = before // some servers remove the first mark
	}
	inside, _, ended := strings.Cut(after, end)
	return inside, opened || ended
}
