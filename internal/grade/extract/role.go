package extract

// A role is what the words around a value make of it.
type role int

const (
	unnamed role = iota // nothing is said of it
	linked              // after a colon, "is" or an arrow
	asAnswer
	asFinal
	asInput
	denied // negated, asked, one of several, an example
)

// maxLead is the number of bytes before a value that are read for its role.
const maxLead = 200

// The rules that graders tell from others.
const (
	RuleWhole    = "whole reply" // of an answer that is the whole reply
	RuleFinal    = "final answer"
	RuleNamed    = "named as the answer"
	RuleColon    = "after a colon"
	RuleAlone    = "alone on a line"
	RuleEquation = "equation"
)

// ruleOf names the rule of a value by its role, or by its marks.
func ruleOf(r role, marks string) string {
	switch r {
	case asFinal:
		return RuleFinal
	case asAnswer:
		return RuleNamed
	case linked:
		return RuleColon
	}
	return marks
}

// ordinary reports whether a bare word may be one of the sentence: letters alone, small
// but for the first one; where an answer is named, only a short word.
func ordinary(t string, r role) bool {
	for i := 0; i < len(t); i++ {
		if (t[i] < 'a' || t[i] > 'z') && !(i == 0 && 'A' <= t[i] && t[i] <= 'Z') {
			return false
		}
	}
	return r == linked || len(t) < 4
}
