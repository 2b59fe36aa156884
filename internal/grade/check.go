package grade

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/jsonvalue"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// Right returns the reply that is exactly right.
func Right(it *verbatim.Item) string { return pylit.Answer(it.Want) }

// Check reports whether Of can judge replies to the item: an error says what is
// wrong with its grader or with the answer that it wants.
func Check(it *verbatim.Item) error {
	k, ok := kindOf(cmp.Or(it.Grader, byAnswer(it.Want)))
	switch {
	case !ok:
		return fmt.Errorf("there is no grader %q; there are %s", it.Grader, strings.Join(Names(), ", "))
	case k == lists && !it.Want.IsList():
		return fmt.Errorf("the grader %s wants a list, not a text", it.Grader)
	case k == integers && (it.Want.IsList() || !wholeNumber(it.Want.Text)):
		return fmt.Errorf("the grader %s wants the digits of a whole number as a text", it.Grader)
	case k == jsons && it.Want.IsList():
		return fmt.Errorf("the grader %s wants a text, not a list", it.Grader)
	case k == jsons:
		if err := jsonvalue.Check(it.Want.Text); err != nil {
			return err
		}
	}
	return checkOthers(it, k)
}

// checkOthers reports whether the other answers of an item are of the kind that its grader
// compares, and its mistakes have labels that may be foreseen.
func checkOthers(it *verbatim.Item, k kind) error {
	of := func(a verbatim.Answer) error {
		switch {
		case k == lists && !a.IsList():
			return errors.New("it is a text, not a list")
		case k != lists && a.IsList():
			return errors.New("it is a list, not a text")
		case k == integers && !wholeNumber(a.Text):
			return errors.New("it is not the digits of a whole number")
		}
		return nil
	}
	for i, a := range it.Accept {
		if err := of(a); err != nil {
			return fmt.Errorf("accepted answer %d: %w", i+1, err)
		}
	}
	for i, m := range it.Mistakes {
		if names := traits.MayForesee(); !slices.Contains(names, m.Label) {
			return fmt.Errorf("mistake %d has the label %q; there are %s", i+1, m.Label, strings.Join(names, ", "))
		}
		if k == integers && m.Label == traits.Decimal && isNumber(m.Answer.Text) {
			continue
		}
		if err := of(m.Answer); err != nil {
			return fmt.Errorf("the answer of mistake %d: %w", i+1, err)
		}
	}
	return nil
}
