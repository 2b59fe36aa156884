// Package grade grades replies to the items of verbatim (package verbatim/items).
//
// Reply is pure: the same item, text and finish reason always get the same grade from the
// same version of a grader, and Grade.Grader names that version. A grade says whether the
// reply is exact, whether the answer that was extracted from it is right, and, if it is
// not exact, a label for what is wrong. docs/glossary.md lists the labels.
//
// The package is stable: what it exports keeps its meaning.
package grade

import (
	"verbatim"
	"verbatim/internal/grade"
)

// Reply grades the text of a reply to the item. finish is the reason for which the model
// stopped: verbatim.FinishStop, or verbatim.FinishLength for the token limit. An item
// that Check refuses is graded by the rule for its kind of answer.
func Reply(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	return grade.Of(it, text, finish)
}

// Right returns the reply that is exactly right: the expected text, or the expected list as Python
// prints it.
func Right(it *verbatim.Item) string { return grade.Right(it) }

// Check returns an error if the item's grader is unknown or cannot grade its answer.
func Check(it *verbatim.Item) error { return grade.Check(it) }

// Graders lists the names that Item.Grader may have. Without one, a text is graded by
// "text" and a list by "list".
func Graders() []string { return grade.Names() }

// Version returns the name of a grader with its version, such as "text/1"; it is "" for an
// unknown name. From the first release on, it goes up when any reply could get another grade than before.
func Version(grader string) string { return grade.Current(grader) }

// Labels returns the labels that the grader gives to replies that are not exact, in the
// order in which they are tested. It is nil for an unknown name.
func Labels(grader string) []string { return grade.Labels(grader) }

// Meaning says in one sentence what a label means; it is "" for an unknown label.
func Meaning(label string) string { return grade.Meaning(label) }
