package damage

import (
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// Right returns the right reply to the item: the expected text, or the expected list as
// Python prints it.
func Right(it *verbatim.Item) string { return pylit.Answer(it.Want) }

// Grader returns the name of the grader of the item: the one that it names, or the default one of
// its answer.
func Grader(it *verbatim.Item) string {
	switch {
	case it.Grader != "":
		return it.Grader
	case it.Want.IsList():
		return "list"
	}
	return "text"
}

// isRight reports whether a reply is right by the rule of the item's grader. integer-reference
// ignores leading zeros, as Python's int() does.
func isRight(it *verbatim.Item, reply, want string) bool {
	reply = pylit.Strip(reply)
	return reply == want || it.Grader == "integer-reference" && strings.TrimLeft(reply, "0") == strings.TrimLeft(want, "0")
}

// isOther reports whether a reply that was spoilt into a label is another answer that the item
// knows: one that it accepts, or the answer of a mistake with another label.
func isOther(it *verbatim.Item, label, reply string) bool {
	if len(it.Accept)+len(it.Mistakes) == 0 {
		return false
	}
	reply = pylit.Strip(reply)
	if slices.ContainsFunc(it.Accept, func(a verbatim.Answer) bool { return pylit.Answer(a) == reply }) {
		return true
	}
	for _, m := range it.Mistakes { // the first that fits is the one that graders see
		if pylit.Answer(m.Answer) == reply {
			return m.Label != label
		}
	}
	return false
}
