package verdict

// A Word is the verdict on a run B compared with its baseline A. The set is closed.
type Word string

// The words. A verdict is Withheld if too much is missing for any verdict. It is
// Inconclusive if the evidence is not enough.
const (
	Worse        Word = "worse"
	Equivalent   Word = "equivalent"
	Better       Word = "better"
	Inconclusive Word = "inconclusive"
	Withheld     Word = "withheld"
	// Pass is the verdict of a gate: not worse by more than the margin.
	Pass Word = "pass"
)

// Settled reports whether the word is a verdict, for which no more items are needed.
func (w Word) Settled() bool {
	return w == Worse || w == Equivalent || w == Better || w == Pass
}
