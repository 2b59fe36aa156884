package damage

import (
	"math/rand/v2"
	"slices"

	"verbatim"
	"verbatim/internal/pylit"
)

// foreseenLabels are the labels that only a mistake that an item foresees leads to.
var foreseenLabels = []string{"wrong_direction", "tie_broken", "twin_taken", "step_missing", "other_operation", "off_by_one"}

// Foreseen returns the answer of one of the mistakes that the item foresees; ok is false
// where it foresees none.
func Foreseen(r *rand.Rand, it *verbatim.Item) (reply string, ok bool) {
	return oneOf(r, it.Mistakes, func(verbatim.Mistake) bool { return true })
}

// textForeseen returns a spoiler of texts for each label that an item may foresee. Their
// weight is 0: an item that foresees mistakes says by itself how common they are.
func textForeseen() []textSpoiler {
	var out []textSpoiler
	for _, label := range foreseenLabels {
		out = append(out, textSpoiler{label, 0, 0, func(r *rand.Rand, t text) (string, bool) { return labelled(r, t.mistakes, label) }})
	}
	return out
}

// listForeseen is textForeseen for lists.
func listForeseen() []listSpoiler {
	var out []listSpoiler
	for _, label := range foreseenLabels {
		out = append(out, listSpoiler{label, 0, func(r *rand.Rand, l list) (string, bool) { return labelled(r, l.mistakes, label) }})
	}
	return out
}

// labelled draws one of the mistakes with the label.
func labelled(r *rand.Rand, mistakes []verbatim.Mistake, label string) (string, bool) {
	return oneOf(r, mistakes, func(m verbatim.Mistake) bool { return m.Label == label })
}

// oneOf draws one of the mistakes that fit and returns its answer.
func oneOf(r *rand.Rand, mistakes []verbatim.Mistake, fits func(verbatim.Mistake) bool) (string, bool) {
	mistakes = slices.DeleteFunc(slices.Clone(mistakes), func(m verbatim.Mistake) bool { return !fits(m) })
	if len(mistakes) == 0 {
		return "", false
	}
	return printed(mistakes[r.IntN(len(mistakes))].Answer), true
}

// isOther reports whether a reply that was to be spoilt into the label is another answer
// that the item knows: one that it accepts, or the answer of a mistake with another label.
func isOther(it *verbatim.Item, label, reply string) bool {
	if len(it.Accept)+len(it.Mistakes) == 0 {
		return false
	}
	reply = pylit.Strip(reply)
	if slices.ContainsFunc(it.Accept, func(a verbatim.Answer) bool { return printed(a) == reply }) {
		return true
	}
	for _, m := range it.Mistakes { // the first that fits is the one that graders see
		if printed(m.Answer) == reply {
			return m.Label != label
		}
	}
	return false
}

// printed is an answer as a model writes it: a list as Python prints it.
func printed(a verbatim.Answer) string {
	if a.IsList() {
		return pylit.Format(a.List)
	}
	return a.Text
}
