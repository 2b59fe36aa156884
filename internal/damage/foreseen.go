package damage

import (
	"math/rand/v2"
	"slices"

	"verbatim"
	"verbatim/internal/pylit"
)

// foreseenLabels are the labels of mistakes that only items which foresee them can show.
var foreseenLabels = []string{"wrong_direction", "tie_broken", "twin_taken", "step_missing", "other_operation", "off_by_one"}

// Foreseen returns the answer of one of the mistakes that the item foresees; ok is false
// if it foresees none.
func Foreseen(r *rand.Rand, it *verbatim.Item) (reply string, ok bool) {
	return oneOf(r, it.Mistakes)
}

// labelled returns the answer of one of the mistakes with a label.
func labelled(r *rand.Rand, mistakes []verbatim.Mistake, label string) (string, bool) {
	return oneOf(r, slices.DeleteFunc(slices.Clone(mistakes), func(m verbatim.Mistake) bool { return m.Label != label }))
}

// oneOf draws one of the mistakes, and returns its answer.
func oneOf(r *rand.Rand, mistakes []verbatim.Mistake) (string, bool) {
	if len(mistakes) == 0 {
		return "", false
	}
	return pylit.Answer(mistakes[r.IntN(len(mistakes))].Answer), true
}
