package verdict

// A Word is what a comparison says of a run B beside its baseline A. The set is
// closed.
type Word string

// The words. A verdict is Withheld where so much is missing that numbers would
// mislead, whatever they are; it is Inconclusive where the numbers say nothing yet.
const (
	Worse        Word = "worse"
	Equivalent   Word = "equivalent"
	Better       Word = "better"
	Inconclusive Word = "inconclusive"
	Withheld     Word = "withheld"
	// Pass is the gate's: not worse by more than the margin.
	Pass Word = "pass"
)

// Settled reports whether the word is a verdict: more items would not be asked
// for it.
func (w Word) Settled() bool {
	return w == Worse || w == Equivalent || w == Better || w == Pass
}
