package exchange

import (
	"fmt"

	"verbatim"
)

// hardMode is the mode of lists with a rule for sorting of their own. A file of such lists has a
// file of rules next to it, whose name ends in "_rules".
const hardMode = "hard"

// A rule is the prompt for sorting a hard list, and the sorted list. Mistakes are the wrong answers
// that the item foresees.
type rule struct {
	Messages verbatim.Prompt    `json:"messages"`
	Sorted   verbatim.Answer    `json:"sorted"`
	Mistakes []verbatim.Mistake `json:"mistakes,omitempty"`
	Facts    map[string]string  `json:"facts,omitempty"` // of the item
}

// apply completes the item of a hard list. SortBench's scorer cannot score it, so its grader is
// that of this program.
func (r rule) apply(it *verbatim.Item, list []any) error {
	if !r.Sorted.IsList() || len(r.Sorted.List) != len(list) || len(r.Messages) == 0 {
		return fmt.Errorf("its rule needs messages and a sorted list of %d elements", len(list))
	}
	it.Prompt, it.Want, it.Source, it.Grader, it.Mistakes = r.Messages, r.Sorted, new(verbatim.ListAnswer(list)), "list", r.Mistakes
	it.Facts[verbatim.FactEdition] = string(verbatim.Standard)
	for name, value := range r.Facts {
		if _, ok := it.Facts[name]; !ok {
			it.Facts[name] = value
		}
	}
	return nil
}
