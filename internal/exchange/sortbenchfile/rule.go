package sortbenchfile

import (
	"fmt"

	"verbatim"
)

// hardMode is the mode of lists that are not in the order of Python's sorted. Next to a file of
// them is one whose name ends in "_rules".
const hardMode = "hard"

// A rule is what a list is to be sorted by, as it was asked, and the sorted list. Mistakes are the
// wrong answers that the item foresees; files of earlier versions have none.
type rule struct {
	Messages verbatim.Prompt    `json:"messages"`
	Sorted   verbatim.Answer    `json:"sorted"`
	Mistakes []verbatim.Mistake `json:"mistakes,omitempty"`
	Facts    map[string]string  `json:"facts,omitempty"` // that the names of the file and the list do not say
}

// apply makes the item of a list that is sorted by a rule. SortBench's scorer cannot score it.
func (r rule) apply(it *verbatim.Item, list []any) error {
	if !r.Sorted.IsList() || len(r.Sorted.List) != len(list) || len(r.Messages) == 0 {
		return fmt.Errorf("its rule needs messages and a sorted list of %d elements", len(list))
	}
	source := verbatim.ListAnswer(list)
	it.Prompt, it.Want, it.Source, it.Grader, it.Mistakes = r.Messages, r.Sorted, &source, "list", r.Mistakes
	it.Facts[verbatim.FactEdition] = string(verbatim.Standard)
	for name, value := range r.Facts {
		if _, ok := it.Facts[name]; !ok {
			it.Facts[name] = value
		}
	}
	return nil
}
