package figure

import (
	"cmp"
	"slices"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// MostLabels is the maximum number of failure labels with bars of their own; the others share one.
const MostLabels = 9

// LabelsByShare lists the failure labels of all runs, the commonest first. It adds up shares of the
// answers of a run, not counts, so that long runs do not dominate.
func LabelsByShare(runs []report.Block) []string {
	shares := make(map[string]float64)
	list := labelsOf(runs, func(t *report.Line, f report.Count) { shares[f.Name] += float64(f.N) / float64(max(t.Answered, 1)) })
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(a, b)) })
	return list
}

// LabelsByCount lists the failure labels of all runs by the number of their answers, the
// commonest first.
func LabelsByCount(runs []report.Block) []string {
	counts := make(map[string]int64)
	list := labelsOf(runs, func(_ *report.Line, f report.Count) { counts[f.Name] += f.N })
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	return list
}

// labelsOf lists the failure labels in the order of the runs, and calls count for each of each run.
func labelsOf(runs []report.Block, count func(t *report.Line, f report.Count)) []string {
	var list []string
	seen := make(map[string]bool)
	for i := range runs {
		t := &runs[i].Total
		for _, f := range t.Failures {
			if !seen[f.Name] {
				seen[f.Name] = true
				list = append(list, f.Name)
			}
			count(t, f)
		}
	}
	return list
}

// Failures returns the share of each label in the answers of every run: bars for each of the first
// MostLabels labels, and for the others together. labels must have all labels of the runs.
func Failures(runs []report.Block, labels []string) []Bars {
	index := make(map[string]int) // in parts
	parts := make([]Bars, min(len(labels), MostLabels+1))
	for i, label := range labels {
		index[label] = min(i, MostLabels)
		parts[index[label]].Name = terminal.Visible(label)
	}
	if len(labels) > MostLabels {
		parts[MostLabels].Name = "others"
	}
	for i := range parts {
		parts[i].Values, parts[i].Counts, parts[i].Notes = make([]float64, len(runs)), make([]int64, len(runs)), make([]string, len(runs))
	}
	for run := range runs {
		t := &runs[run].Total
		for _, f := range t.Failures {
			p := &parts[index[f.Name]]
			p.Counts[run] += f.N
			p.Values[run] = float64(p.Counts[run]) / float64(max(t.Answered, 1))
			if p.Notes[run] != "" {
				p.Notes[run] += "\n"
			}
			p.Notes[run] += terminal.Visible(f.Name) + " " + number.Count(f.N)
		}
	}
	return parts
}
