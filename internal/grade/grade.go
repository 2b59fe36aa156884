package grade

import (
	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/jsonvalue"
	"verbatim/internal/grade/list"
)

// Of judges the text of a reply to item that ended for the reason finish. It is
// pure. The rule is the one that item.Grader names; where it names none, or one
// that cannot judge the item (Check says so beforehand), it is the rule for the
// kind of answer that is wanted. Grade.Grader tells which one it was.
func Of(item *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	return new(Memory).Of(item, text, finish)
}

// A Memory is what Of works in: a program that grades many replies keeps one. The zero Memory is
// ready; it is for one goroutine.
type Memory struct {
	lists  list.Scratch
	finder extract.Finder
}

// Of does what the function Of does, in the memory of m.
func (m *Memory) Of(item *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	name := item.Grader
	k, ok := kindOf(name)
	if !ok || Check(item) != nil {
		name = byAnswer(item.Want)
		k, _ = kindOf(name)
	}
	switch k {
	case lists:
		return m.lists.Grade(item, text, finish, name)
	case integers:
		return m.gradeInteger(item, text, finish, name)
	case jsons:
		return jsonvalue.Grade(item, text, finish)
	}
	if name == "text-raw" {
		return gradeRaw(&m.finder, item, text, finish)
	}
	return m.gradeText(item, text, finish, name)
}

// gradeText judges a reply by the rule "equal after Python's str.strip". A list
// that is wanted as a text is wanted as Python prints it.
func (m *Memory) gradeText(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	return textGrader{finder: &m.finder, exact: same, mistakes: textMistakes[:]}.gradeAnswer(it, text, finish, name)
}

// gradeInteger judges a sum. Strict is "the same digits"; what Python's int()
// would read as the same number is right but for its form. In integer-reference,
// which follows the published code, that rule is the exact one.
func (m *Memory) gradeInteger(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	if name == "integer-reference" {
		return textGrader{numbers: true, rules: integerRules[:], exact: sameNumber, loose: sameNumber}.grade(it, text, finish, name)
	}
	return textGrader{numbers: true, finder: &m.finder, mistakes: integerMistakes[:], exact: same, loose: sameNumber}.gradeAnswer(it, text, finish, name)
}
