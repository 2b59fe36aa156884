// Package grade says whether a reply is right, and if not, what is wrong with it.
//
// Start at Of. It is pure: the same item and reply always get the same grade from the
// same version of a grader. TestSavedGrades shows which grades a change affects. Item.Grader chooses
// the grader (grade.go). Texts and integers are graded in
// answer.go by the answer in a reply; integer-reference (text.go) compares whole replies.
// Lists are graded in list.go, after read.go has read and repaired them; listmistakes.go finds their
// mistakes, and score.go has the scores of SortBench. json.go grades JSON values.
//
// A reply that is not exact gets one failure label: that of the first rule that holds. A label may
// split an older one: it is tested last, and changes nothing but the label.
// The rules of rules.go compare the two texts of a pair (pair.go). They are, by kind, in
// wrappers.go, formatting.go, lettercase.go, separators.go, integer.go, mistakes.go and
// chunk.go. The rules of answer.go look at more of a wrong reply.
// measures.go computes similarity and other numbers from an edit distance.
package grade
