package extract

// A role is what the words around a value say about it.
type role int

const (
	unnamed  role = iota // nothing
	linked               // offered: after a colon, "is" or an arrow
	asAnswer             // called the answer
	asFinal              // called the final answer
	asInput              // called the input
	denied               // negated, in a question, one of several, an example
)

// named reports whether words call a value the answer.
func (r role) named() bool { return r == asAnswer || r == asFinal }

// offers reports whether words offer a value as an answer.
func (r role) offers() bool { return r == linked || r.named() }

// excludes reports whether words say that a value is not the answer.
func (r role) excludes() bool { return r == denied || r == asInput }

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

// ordinary reports whether a word without marks may be a word of the sentence. If words name an answer, only a short word
// is ordinary.
func ordinary(t string, r role) bool { return isWord(t) && (r == linked || len(t) < 4) }
