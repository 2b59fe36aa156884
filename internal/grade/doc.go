// Package grade says whether a reply is right, and if not, what is wrong with it.
//
// Start at Of. It is pure: the same item and reply always get the same grade from the
// same version of a grader. TestVersions enforces that a changed grade has a higher
// version (graders.go). Item.Grader chooses the grader: texts and integers are graded in
// answer.go, as references in text.go; lists in package list.
//
// A reply that is not exact gets one failure label: that of the first rule that holds
// (rules.go). The other files hold the rules by kind: wrappers.go, formatting.go,
// lettercase.go, separators.go, integer.go, mistakes.go and chunk.go. A rule compares the two
// texts of a pair (pair.go). measures.go computes similarity and
// its relatives from an edit distance (distance.go, diagonals.go, editscript.go).
package grade
