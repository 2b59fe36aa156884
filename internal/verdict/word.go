package verdict

// A Word is the verdict on a run B compared with its baseline A. The set is closed.
type Word string

// The words. Withheld: too many answers are missing for a verdict. Inconclusive: the
// evidence is not enough for a verdict.
const (
	Worse        Word = "worse"
	Equivalent   Word = "equivalent"
	Better       Word = "better"
	Inconclusive Word = "inconclusive"
	Withheld     Word = "withheld"
	// Pass is the verdict of a gate: not worse by more than the margin.
	Pass Word = "pass"
)

// Settled reports whether the word is a verdict that needs no more items.
func (w Word) Settled() bool {
	return w == Worse || w == Equivalent || w == Better || w == Pass
}
