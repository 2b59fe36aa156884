package grade

import (
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// question returns what is known of the answer to an item before a reply is read.
func (r textGrader) question(it *verbatim.Item, want string) *extract.Question {
	if r.numbers {
		q := &extract.Question{Kind: extract.Integer}
		if it.Source != nil {
			q.Operands = inputNumbers(*it.Source)
		}
		return q
	}
	if it.Source != nil && !it.Source.IsList() && it.Source.Text != "" {
		q := extract.OfText(it.Source.Text, it.Source.Text)
		q.Copy = asksForCopy(it)
		return q
	}
	q := extract.OfText(want, "")
	q.Units = units(it)
	if q.Char {
		q.Within, _ = inputText(it)
	}
	return q
}

// asksForCopy reports whether the prompt asks to give the source back as it is.
func asksForCopy(it *verbatim.Item) bool {
	if len(it.Prompt) == 0 {
		return false
	}
	for _, p := range it.Prompt[len(it.Prompt)-1].Content {
		if before, after, ok := strings.Cut(p.Text, it.Source.Text); ok {
			return extract.AsksForCopy(before + " " + after)
		}
	}
	return false
}

// units returns the piece that the answer repeats and the separator of its copies, as one text. Only an
// item whose source is a piece, a number and a separator has them.
func units(it *verbatim.Item) string {
	if it.Source == nil || len(it.Source.List) != 3 {
		return ""
	}
	piece, ok := it.Source.List[0].(string)
	between, ok2 := it.Source.List[2].(string)
	if _, text := it.Source.List[1].(string); text || !ok || !ok2 {
		return ""
	}
	return piece + between
}

// foreseen describes a text that is the answer of a mistake which the item foresees.
func foreseen(it *verbatim.Item, want, got string) (verdict, bool) {
	m, ok := traits.Mistake(it, func(a verbatim.Answer) bool { return pylit.Answer(a) == got })
	if !ok {
		return verdict{}, false
	}
	return verdict{label: m.Label, detail: m.Detail, gradedText: got, pair: newPair(want, got)}, true
}
