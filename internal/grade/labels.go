package grade

import "slices"

// The labels that every kind of answer shares.
const (
	labelPass    = "pass"
	labelLeak    = "reasoning_leak"
	labelEmpty   = "empty"
	labelRefusal = "refusal"
)

// labelsOfLists are the failures of a list, in the order in which they are tested.
var labelsOfLists = [...]string{
	labelLeak, labelEmpty, "wrapped", labelRefusal, "unparsed", "unchanged", "reversed_order",
	"other_key", "converted", "sign_lost", "looped", "truncated", "missing", "added",
	"altered", "misordered", "mixed",
}

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
		return slices.Clone(labelsOfLists[:])
	case integers:
		return labelsOf(integerLadder[:])
	}
	return labelsOf(textLadder[:])
}
