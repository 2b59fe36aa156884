package grade

import (
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/pylit"
)

// A foreseen is a mistake that the item foresees, with the list that it leads to.
type listForeseen struct {
	label, detail string
	list          []any
}

// otherAnswers returns the other right lists of an item and its foreseen mistakes. It does not convert
// the lists: most replies differ from them at an early place. It leaves out answers that are not lists.
func otherAnswers(it *verbatim.Item) (accept [][]any, mistakes []listForeseen, err error) {
	for _, a := range it.Accept {
		if err := checkList(a.List); err != nil {
			return nil, nil, err
		}
		if a.IsList() {
			accept = append(accept, a.List)
		}
	}
	for _, m := range it.Mistakes {
		if err := checkList(m.Answer.List); err != nil {
			return nil, nil, err
		}
		if m.Answer.IsList() {
			mistakes = append(mistakes, listForeseen{m.Label, m.Detail, m.Answer.List})
		}
	}
	return accept, mistakes, nil
}

// checkList returns an error if an element of an answer is not the value of a literal.
func checkList(list []any) error {
	for i, x := range list {
		row, ok := x.([]any)
		err := checkList(row)
		if !ok {
			_, err = pylit.From(x)
		}
		if err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

func sameItems(a, b []pylit.Value) bool { return slices.EqualFunc(a, b, pylit.Same) }

// sameAnswer reports whether the items of a list that was read are those of an answer.
func sameAnswer(items []pylit.Value, answer []any) bool {
	return slices.EqualFunc(items, answer, func(item pylit.Value, x any) bool {
		v, err := pylit.From(x)
		return err == nil && pylit.Same(item, v)
	})
}
