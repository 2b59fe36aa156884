package grade

import (
	"verbatim"
	"verbatim/internal/grade/extract"
)

// Of grades the text of a reply to item that ended for the reason finish. It is
// pure. The grader is the one that item.Grader names. If it names none, or one
// that Check refuses for the item, it is "list" for a list and "text" for a text.
// Grade.Grader tells which one it was.
func Of(item *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	return new(Memory).Of(item, text, finish)
}

// A Memory holds the buffers of Of, so that a program that grades many replies allocates them once.
// The zero Memory is ready. It is for one goroutine.
type Memory struct {
	lists  Scratch
	finder extract.Finder
}

// Of is the function Of with the buffers of m.
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
		return gradeJSON(item, text, finish)
	}
	if name == "text-raw" {
		return gradeRaw(&m.finder, item, text, finish)
	}
	return m.gradeText(item, text, finish, name)
}

// gradeText grades a reply by the rule "equal after Python's str.strip". An expected list
// is compared as Python prints it.
func (m *Memory) gradeText(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	return textGrader{finder: &m.finder, exact: same, mistakes: textMistakes[:]}.gradeAnswer(it, text, finish, name)
}

// gradeInteger grades a whole number. Exact is "the same digits"; a text that Python's int()
// reads as the same number is right but for its form. In integer-reference,
// which follows the published code, such a text is exact.
func (m *Memory) gradeInteger(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	if name == "integer-reference" {
		return textGrader{numbers: true, rules: integerRules[:], exact: sameNumber, loose: sameNumber}.grade(it, text, finish, name)
	}
	return textGrader{numbers: true, finder: &m.finder, mistakes: integerMistakes[:], exact: same, loose: sameNumber}.gradeAnswer(it, text, finish, name)
}
