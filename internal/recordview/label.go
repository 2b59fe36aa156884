package recordview

import "verbatim/internal/grade"

// Explain says in one sentence what a label of a grade means. It is empty for an unknown label, such
// as that of a newer grader in an imported file.
func Explain(label string) string { return grade.Meaning(label) }
