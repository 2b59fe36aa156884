package grade

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
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
	return textGrader{finder: &m.finder, exact: same, mistakes: textMistakes[:]}.gradeAnswer(item, text, finish, name)
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

// Try grades as Of does. Where the grader panics, Try returns an error: a reply that a grader
// cannot read must not end a command that has other replies to grade.
func Try(item *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error) {
	return new(Memory).Try(item, text, finish)
}

// Try is the function Try with the buffers of m. It clears them after a panic.
func (m *Memory) Try(item *verbatim.Item, text string, finish verbatim.Finish) (g verbatim.Grade, err error) {
	defer func() {
		if p := recover(); p != nil {
			*m = Memory{}
			err = fmt.Errorf("the grader fails on this reply (%v): this is a defect of verbatim, please report it with the reply", p)
		}
	}()
	return m.Of(item, text, finish), nil
}

// A kind is the kind of answer that a grader compares.
type kind int

const (
	texts kind = iota
	lists
	integers
	jsons
)

// graders lists the graders. From the first release on, a version goes up whenever any reply could get
// another grade than before.
var graders = [...]struct {
	name    string
	version string
	kind    kind
}{
	{"text", "text/1", texts},
	{"list", listVersion("list"), lists},
	{"sortbench", listVersion("sortbench"), lists},
	{"sortbench-reference", listVersion("sortbench-reference"), lists},
	{"integer", "integer/1", integers},
	{"integer-reference", "integer-reference/1", integers},
	{"text-raw", "text-raw/1", texts},
	{"json", jsonVersion, jsons},
}

// Names returns the names of the graders.
func Names() []string {
	names := make([]string, len(graders))
	for i, r := range graders {
		names[i] = r.name
	}
	return names
}

// Current returns the name of a grader with its version, such as "list/1" for "list"; it is empty
// for a name that Names does not list.
func Current(name string) string {
	for _, r := range graders {
		if r.name == name {
			return r.version
		}
	}
	return ""
}

func kindOf(name string) (kind, bool) {
	for _, r := range graders {
		if r.name == name {
			return r.kind, true
		}
	}
	return 0, false
}

// byAnswer returns the grader of an item that names none.
func byAnswer(want verbatim.Answer) string {
	if want.IsList() {
		return "list"
	}
	return "text"
}

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

// Right returns the reply that is exactly right: the expected text, or the expected list as Python
// prints it.
func Right(it *verbatim.Item) string { return pylit.Answer(it.Want) }

// Check returns an error if the item names an unknown grader, or one that cannot compare its answers.
func Check(it *verbatim.Item) error {
	k, ok := kindOf(cmp.Or(it.Grader, byAnswer(it.Want)))
	switch {
	case !ok:
		return fmt.Errorf("there is no grader %q; there are %s", it.Grader, strings.Join(Names(), ", "))
	case k == lists && !it.Want.IsList():
		return fmt.Errorf("the grader %s wants a list, not a text", it.Grader)
	case k == integers && (it.Want.IsList() || !wholeNumber(it.Want.Text)):
		return fmt.Errorf("the grader %s wants the digits of a whole number as a text", it.Grader)
	case k == jsons && it.Want.IsList():
		return fmt.Errorf("the grader %s wants a text, not a list", it.Grader)
	case k == jsons:
		if err := checkJSON(it.Want.Text); err != nil {
			return err
		}
	}
	return checkOthers(it, k)
}

// checkOthers returns an error if an accepted answer or the answer of a mistake is not of the kind
// that the grader compares, or if a mistake has a label that items cannot foresee.
func checkOthers(it *verbatim.Item, k kind) error {
	check := func(a verbatim.Answer) error {
		switch {
		case k == lists && !a.IsList():
			return errors.New("it is a text, not a list")
		case k != lists && a.IsList():
			return errors.New("it is a list, not a text")
		case k == integers && !wholeNumber(a.Text):
			return errors.New("it is not the digits of a whole number")
		}
		return nil
	}
	for i, a := range it.Accept {
		if err := check(a); err != nil {
			return fmt.Errorf("accepted answer %d: %w", i+1, err)
		}
	}
	for i, m := range it.Mistakes {
		if names := traits.MayForesee(); !slices.Contains(names, m.Label) {
			return fmt.Errorf("mistake %d has the label %q; there are %s", i+1, m.Label, strings.Join(names, ", "))
		}
		if k == integers && m.Label == traits.Decimal && isNumber(m.Answer.Text) {
			continue
		}
		if err := check(m.Answer); err != nil {
			return fmt.Errorf("the answer of mistake %d: %w", i+1, err)
		}
	}
	return nil
}
