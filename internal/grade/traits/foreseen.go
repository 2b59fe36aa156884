package traits

import (
	"slices"

	"verbatim"
)

// Foreseen returns the labels that an item's Mistakes may have. A reply that gives the
// answer of such a mistake gets its label. They come before all labels that describe how an
// answer differs from the expected one.
func Foreseen() []Label {
	return []Label{
		{"wrong_direction", "The right items by the right rule, but a direction is the wrong one.", "`[20, 5, 3, 1]`, ascending where descending was asked for"},
		{"tie_broken", "Items that are equal by the first rule are in a wrong order.", "`['M-7', 'M-2']` where the number decides"},
		{"twin_taken", "Another text of the question was given, which looks much like the right one.", "`K7mQp2Zy` for `K7mQp2Zx`"},
		{"step_missing", "One of several steps that were asked for was not done.", "the text without its third edit"},
		{"off_by_one", "The number, or what was to be counted, is one too many or one too few.", "`199` for `200`"},
	}
}

// OtherKey is the label of a list that was sorted by another rule. An item may foresee that.
const OtherKey = "other_key"

// IsForeseen reports whether an item may foresee a mistake with the label.
func IsForeseen(label string) bool {
	return label == OtherKey || slices.ContainsFunc(Foreseen(), func(l Label) bool { return l.Name == label })
}

// Mistake returns the first of the foreseen mistakes of an item for which gives holds.
func Mistake(it *verbatim.Item, gives func(verbatim.Answer) bool) (m verbatim.Mistake, ok bool) {
	for _, m := range it.Mistakes {
		if gives(m.Answer) {
			return m, true
		}
	}
	return m, false
}
