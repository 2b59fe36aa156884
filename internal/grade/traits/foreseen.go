package traits

import "verbatim"

// Foreseen returns the labels that an item's Mistakes may have. A reply that gives the
// answer of such a mistake gets its label. They come before all labels that describe how an
// answer differs from the expected one.
func Foreseen() []Label {
	return []Label{
		{"wrong_direction", "The right items by the right rule, but a direction is the wrong one.", "`[20, 5, 3, 1]`, ascending where descending was asked for"},
		{"tie_broken", "Items that are equal by the first rule are in a wrong order.", "`['M-7', 'M-2']` where the number decides"},
		{"twin_taken", "Another text of the question was given, which looks much like the right one.", "`K7mQp2Zy` for `K7mQp2Zx`"},
		{"step_missing", "One of several steps that were asked for was not done.", "the text without its third edit"},
		{"other_operation", "The right result of another operation than the one that was asked for.", "`8` for the cube root of 64"},
		{"off_by_one", "The number, or what was to be counted, is one too many or one too few.", "`199` for `200`"},
	}
}

// Labels that rules of graders give too. An item may foresee them.
const (
	OtherKey = "other_key" // of lists: sorted by another rule
	Decimal  = "decimal"   // of whole numbers: the right one, with a fraction
)

// MayForesee lists the names of the labels that the mistakes of items may have.
func MayForesee() []string {
	var names []string
	for _, l := range Foreseen() {
		names = append(names, l.Name)
	}
	return append(names, OtherKey, LabelEcho, Decimal)
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
