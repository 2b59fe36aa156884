package grade

// The labels that every kind of answer shares.
const (
	labelPass    = "pass"
	labelLeak    = "reasoning_leak"
	labelEmpty   = "empty"
	labelRefusal = "refusal"
)

// Labels returns the failure labels of the named grader, in the order in which
// they are tested: the first that holds is the label of a reply that is not right.
// "pass", the label of a right one, is not among them. It is nil for a name that
// Names does not list.
func Labels(name string) []string {
	k, ok := kindOf(name)
	if !ok {
		return nil
	}
	switch k {
	case lists:
		return listLabels()
	case integers:
		return labelsOf(integerLadder[:])
	}
	return labelsOf(textLadder[:])
}
