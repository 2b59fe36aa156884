package grade

import (
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// question is what is known of the answer of an item before a reply is read.
func question(it *verbatim.Item, want string) *extract.Question {
	if kind, _ := kindOf(it.Grader); kind == integers {
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

// asksForCopy reports whether the prompt asks for its text as it is.
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

// units returns the piece that a text is to repeat, with what is between its copies, of an item that is
// made from both and their number.
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

// expected is the text that is expected of an item.
func expected(it *verbatim.Item) string {
	return answerText(it.Want)
}

func answerText(a verbatim.Answer) string {
	if a.IsList() {
		return pylit.Format(a.List)
	}
	return a.Text
}

// foreseen returns the mistake of the item that leads to the text.
func foreseen(it *verbatim.Item, got string) (verbatim.Mistake, bool) {
	return traits.Mistake(it, func(a verbatim.Answer) bool { return answerText(a) == got })
}
