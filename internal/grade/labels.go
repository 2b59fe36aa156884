package grade

import (
	"verbatim/internal/grade/list"
	"verbatim/internal/grade/traits"
)

// SecretRemoved is the flag of a reply that held a secret.
const SecretRemoved = traits.SecretRemoved

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
		return list.Labels()
	case integers:
		return labelsOf(integerRules[:])
	}
	return labelsOf(textRules[:])
}
