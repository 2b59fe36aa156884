package grade

import (
	"slices"

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
		return namesOf(listLabels(name))
	case integers:
		if name == "integer-reference" {
			return append([]string{traits.LabelLeak, traits.LabelEmpty}, ruleNames(integerRules[:])...)
		}
		return answerLabels(integerMistakes[:])
	case jsons:
		return namesOf(jsonLabels())
	}
	return answerLabels(textMistakes[:])
}

func namesOf(labels []label) (names []string) {
	for _, l := range labels {
		names = append(names, l.Name)
	}
	return names
}

// AllLabels lists every label that a grade can have, each once: those that all graders
// share, then those of texts, lists, JSON values and integers.
func AllLabels() []traits.Label {
	all := []label{
		{Name: "pass", Meaning: "The answer is exactly the expected one.", Example: "`K7mQp2Zx`"},
		{Name: "reasoning_leak", Meaning: "The reply contains reasoning; what follows the last </think> is graded.", Example: "`Reversing…</think>K7mQp2Zx`"},
		{Name: "empty", Meaning: "The reply holds nothing, or only white space."},
	}
	for _, part := range append(slices.Clone(textRules[:len(textRules)-1]), separatorRule[:], mistakeRules[:]) {
		for _, r := range part {
			all = append(all, r.label)
			if r.Name == "fenced" {
				all = append(all, traits.MarkedUp())
			}
		}
	}
	for _, l := range slices.Concat(traits.Foreseen(), traits.NonAnswers(), listLabels("list"), jsonLabels()) {
		if !slices.ContainsFunc(all, func(a label) bool { return a.Name == l.Name }) {
			all = append(all, l)
		}
	}
	for _, part := range [][]rule{arithmeticRules[:], numberRule[:], digitRule[:]} {
		for _, r := range part {
			all = append(all, r.label)
		}
	}
	return append(all, label{Name: "score_only", Meaning: "Only a score was published, not the reply, and it is not a full one."})
}

// Meaning says in one sentence what a label means. It is empty for an unknown label,
// such as one of a newer version in an imported file.
func Meaning(name string) string {
	for _, l := range AllLabels() {
		if l.Name == name {
			return l.Meaning
		}
	}
	return ""
}
