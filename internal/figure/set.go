package figure

import (
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A Set is the runs of a report that its charts show. A run has the same name in all
// charts, and its index determines its look: see LookOf.
type Set struct {
	Runs  []report.Block
	Names []string // one for each run
	// Other returns the name of a run that is not in the set, such as one of a comparison.
	Other func(h *verdict.RunInfo) string
}

// RunIndex returns the index of a run of a comparison or a leaderboard in a report; -1 if it is not in the
// report.
func RunIndex(runs []report.Block, h *verdict.RunInfo) int {
	found := -1
	for i := range runs {
		b := &runs[i].Head
		if b.N != h.N || b.Name != h.Name || b.Model != h.Model {
			continue
		}
		if b.Plan == h.Plan && (h.N > 0 || b.Note == h.Note) {
			return i
		}
		if found < 0 { // runs that are not saved may share their names
			found = i
		}
	}
	return found
}

// Name returns the name of a run, and its index; -1 if it is not in the set.
func (s *Set) Name(h *verdict.RunInfo) (name string, run int) {
	if run = RunIndex(s.Runs, h); run >= 0 {
		return s.Names[run], run
	}
	return s.Other(h), run
}

// Tasks lists the tasks of all runs, each once, in the order of the runs.
func Tasks(runs []report.Block) []string {
	var list []string
	seen := make(map[string]bool)
	for i := range runs {
		for j := range runs[i].Families {
			if name := runs[i].Families[j].Name; !seen[name] {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list
}

// FindTask returns the task with a name; nil without it.
func FindTask(b *report.Block, name string) *report.Family {
	for i := range b.Families {
		if b.Families[i].Name == name {
			return &b.Families[i]
		}
	}
	return nil
}
