package traits

import "verbatim"

// Foreseen returns the labels that only a mistake that an item foresees leads to. A reply with the
// answer of such a mistake gets its label. They come before all labels that describe how an
// answer differs from the expected one.
func Foreseen() []Label {
	return []Label{
		{Name: "wrong_direction", Meaning: "The right items by the right rule, but a direction is the wrong one.", Example: "`[20, 5, 3, 1]`, ascending where descending was asked for"},
		{Name: "tie_broken", Meaning: "Items that are equal by the first rule are in a wrong order.", Example: "`['M-7', 'M-2']` where the number decides"},
		{Name: "twin_taken", Meaning: "Another text of the question was given, which looks much like the right one.", Example: "`K7mQp2Zy` for `K7mQp2Zx`"},
		{Name: "step_missing", Meaning: "One of several steps that were asked for was not done.", Example: "the text without its third edit"},
		{Name: "other_operation", Meaning: "The right result of another operation than the one that was asked for.", Example: "`8` for the cube root of 64"},
		{Name: "off_by_one", Meaning: "The number, or what was to be counted, is one too many or one too few.", Example: "`199` for `200`"},
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
