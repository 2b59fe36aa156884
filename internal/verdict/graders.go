package verdict

import (
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/shell"
)

// Graders counts the answers of a run by grader and version, for example "text/3".
type Graders map[string]int64

// count takes in an answer.
func (g Graders) count(a *Answer) {
	if a.Grader != "" {
		g[a.Grader]++
	}
}

// names lists the graders in order.
func (g Graders) names() []string { return slices.Sorted(maps.Keys(g)) }

// CheckGraders rejects answers that were graded by different versions of one grader: a
// difference of rules would look like a difference of models.
func CheckGraders(a, b *verbatim.Run, ofA, ofB Graders) error {
	namesA, namesB := ofA.names(), ofB.names()
	all := slices.Concat(namesA, namesB)
	for _, x := range all {
		for _, y := range all {
			nx, _, _ := strings.Cut(x, "/")
			ny, _, _ := strings.Cut(y, "/")
			if nx == ny && x != y {
				return &Refusal{RunA: a.Name, RunB: b.Name, Field: "grader",
					A: strings.Join(namesA, ", "), B: strings.Join(namesB, ", "),
					Do: "grade both by the same rules: " + shell.Words("verbatim", "regrade", a.Name, b.Name)}
			}
		}
	}
	return nil
}
