// Package sortbench makes the tables and figures of the SortBench paper (Herbold 2025,
// arXiv:2504.08312) from runs of its suite, and compares them with the published numbers.
//
// Start reading at Study.
package sortbench

import (
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/paper"
	"verbatim/internal/study"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// Study returns the study for 'report --preset'.
func Study() study.Study {
	return study.Study{
		Name: "sortbench", Ranks: true, Choose: choose,
		Document: func(sides []verdict.Side, command string) (*paper.Document, error) {
			return document(sides, Options{Command: command})
		},
	}
}

// choose returns the newest run of each model. If runs have different lists, it returns those with
// the lists that most of them have, and a note on each model that is left out.
func choose(runs []verbatim.Run) (chosen []verbatim.Run, notes []string) {
	newest := study.Newest(runs, sameLists)
	if len(newest) == 0 {
		return nil, nil
	}
	most := mostAsked(newest)
	for _, r := range newest {
		if sameLists(&r, &most) {
			chosen = append(chosen, r)
		} else if !slices.ContainsFunc(newest, func(x verbatim.Run) bool { return x.Model == r.Model && sameLists(&x, &most) }) {
			notes = append(notes, fmt.Sprintf("Left out is run %d (%s), which has other lists; name the runs to choose others.", r.N, terminal.Visible(r.Name)))
		}
	}
	return chosen, notes
}

// mostAsked returns a run with the lists that most of the runs have, the newest of several.
func mostAsked(runs []verbatim.Run) verbatim.Run {
	best, most := runs[0], 0
	for _, r := range slices.Backward(runs) {
		n := 0
		for _, x := range runs {
			if sameLists(&x, &r) {
				n++
			}
		}
		if n > most {
			best, most = r, n
		}
	}
	return best
}

// sameLists reports whether two runs have the same lists and prompts by their plans.
func sameLists(x, y *verbatim.Run) bool {
	a, b := &x.Plan, &y.Plan
	if a.Edition != b.Edition || (a.Items == nil) != (b.Items == nil) || (a.Variant == nil) != (b.Variant == nil) {
		return false
	}
	if a.Variant != nil && *a.Variant != *b.Variant {
		return false
	}
	if a.Items == nil {
		return a.Seed == b.Seed
	}
	return a.Items.SHA256 == b.Items.SHA256 || publishedLists(x) && publishedLists(y) && a.Items.Name == b.Items.Name
}

// publishedLists reports whether a run's items are the lists of a published release. The hashes of
// its scores, its outputs and its lists differ, but their ids are the same.
func publishedLists(r *verbatim.Run) bool {
	return r.Plan.Items != nil && (r.Origin == exchange.OriginSortBench || r.Plan.Items.N == paperLists)
}
