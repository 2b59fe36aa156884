package list

import (
	"verbatim"
	"verbatim/internal/pylit"
)

// A foreseen is a mistake that the item foresees.
type foreseen struct {
	label, detail string
	items         []pylit.Value
}

// otherAnswers returns the other right lists of an item and its foreseen mistakes. Answers
// that are no lists are left out: no list is equal to one.
func otherAnswers(it *verbatim.Item) (accept [][]pylit.Value, mistakes []foreseen, err error) {
	for _, a := range it.Accept {
		items, err := pylit.FromList(a.List)
		if err != nil {
			return nil, nil, err
		}
		if a.IsList() {
			accept = append(accept, items)
		}
	}
	for _, m := range it.Mistakes {
		items, err := pylit.FromList(m.Answer.List)
		if err != nil {
			return nil, nil, err
		}
		if m.Answer.IsList() {
			mistakes = append(mistakes, foreseen{m.Label, m.Detail, items})
		}
	}
	return accept, mistakes, nil
}
