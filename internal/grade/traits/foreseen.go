package traits

import "verbatim"

// Foreseen returns the labels that only a mistake that an item foresees leads to. A reply with the
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

// Labels that an item may foresee and that rules of graders give, too.
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

// Mistake returns the first mistake that the item foresees whose answer is the one of the reply, as isGiven
// says; false without one.
func Mistake(it *verbatim.Item, isGiven func(verbatim.Answer) bool) (m verbatim.Mistake, ok bool) {
	for _, m := range it.Mistakes {
		if isGiven(m.Answer) {
			return m, true
		}
	}
	return m, false
}
