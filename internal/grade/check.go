package grade

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"verbatim"

	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// Right returns the reply that is exactly right: the expected text, or the expected list as Python
// prints it.
func Right(it *verbatim.Item) string { return pylit.Answer(it.Want) }

// Check returns an error if the item names an unknown grader, or one that cannot compare its answers.
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
		if err := checkJSON(it.Want.Text); err != nil {
			return err
		}
	}
	return checkOthers(it, k)
}

// checkOthers returns an error if an accepted answer or the answer of a mistake is not of the kind
// that the grader compares, or if a mistake has a label that items cannot foresee.
func checkOthers(it *verbatim.Item, k kind) error {
	check := func(a verbatim.Answer) error {
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
		if err := check(a); err != nil {
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
		if err := check(m.Answer); err != nil {
			return fmt.Errorf("the answer of mistake %d: %w", i+1, err)
		}
	}
	return nil
}
