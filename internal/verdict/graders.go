package verdict

import (
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/terminal"
)

// Graders counts the answers of a run by grader and version, for example "text/3".
type Graders map[string]int64

// count counts an answer, if it was graded.
func (g Graders) count(a *Answer) {
	if a.Grader != "" {
		g[a.Grader]++
	}
}

// names lists the graders in order.
func (g Graders) names() []string { return slices.Sorted(maps.Keys(g)) }

// CheckGraders rejects answers of two runs, or of one, that were graded by different versions of one
// grader: a difference of rules would look like a difference of models.
func CheckGraders(a, b *verbatim.Run, ofA, ofB Graders) error {
	namesA, namesB := ofA.names(), ofB.names()
	versions := map[string]string{} // by grader
	for _, grader := range slices.Concat(namesA, namesB) {
		name, version, _ := strings.Cut(grader, "/")
		if other, ok := versions[name]; ok && other != version {
			words := []string{"verbatim", "regrade", a.Name}
			if a != b {
				words = append(words, b.Name)
			}
			return &Refusal{RunA: a.Name, RunB: b.Name, Field: "grader",
				A: strings.Join(namesA, ", "), B: strings.Join(namesB, ", "),
				Do: "grade both by the same rules, after an import of what is an exported file: " + terminal.ShellWords(words...)}
		}
		versions[name] = version
	}
	return nil
}
