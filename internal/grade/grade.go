package grade

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/jsonvalue"
	"verbatim/internal/grade/list"
	"verbatim/internal/grade/traits"
)

// A kind is what a grader can judge.
type kind int

const (
	texts kind = iota
	lists
	integers
	jsons
)

// rules lists the graders. A version goes up whenever any reply could earn
// another grade than before.
var graders = [...]struct {
	name    string
	version string
	kind    kind
}{
	{"text", "text/10", texts},
	{"list", list.Version("list"), lists},
	{"sortbench", list.Version("sortbench"), lists},
	{"sortbench-reference", list.Version("sortbench-reference"), lists},
	{"integer", "integer/10", integers},
	{"integer-reference", "integer-reference/3", integers},
	{"text-raw", "text-raw/6", texts},
	{"json", jsonvalue.Version, jsons},
}

// Names returns the names of the graders.
func Names() []string {
	names := make([]string, len(graders))
	for i, r := range graders {
		names[i] = r.name
	}
	return names
}

// Current returns the name with the version of the rule that Of applies, such
// as "list/1" for "list"; it is empty for a name that Names does not list.
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

// Check reports whether Of can judge replies to the item: an error says what is
// wrong with its grader or with the answer that it wants.
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
		if err := jsonvalue.Check(it.Want.Text); err != nil {
			return err
		}
	}
	return checkOthers(it, k)
}

// checkOthers reports whether the other answers of an item are of the kind that its grader
// compares, and its mistakes have labels that may be foreseen.
func checkOthers(it *verbatim.Item, k kind) error {
	of := func(a verbatim.Answer) error {
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
		if err := of(a); err != nil {
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
		if err := of(m.Answer); err != nil {
			return fmt.Errorf("the answer of mistake %d: %w", i+1, err)
		}
	}
	return nil
}

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
		return m.gradeRaw(item, text, finish)
	}
	return m.gradeText(item, text, finish, name)
}
