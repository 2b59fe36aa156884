package page

import (
	"verbatim/internal/chart"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A familyName is a family with the labels of its lengths.
type familyName struct {
	name    string
	lengths []string
}

// families lists the families of all runs, and their lengths from the shortest.
func families(r *report.Report) []*familyName {
	var list []*familyName
	for _, name := range chart.Tasks(r.Runs) {
		var lines [][]report.Line
		for i := range r.Runs {
			if f := chart.Task(&r.Runs[i], name); f != nil {
				lines = append(lines, f.Lines)
			}
		}
		f := &familyName{name: name}
		for _, k := range chart.Lengths(lines...) {
			f.lengths = append(f.lengths, k.Label)
		}
		list = append(list, f)
	}
	return list
}

func findLine(b *report.Block, family, length string) *report.Line {
	f := chart.Task(b, family)
	if f == nil {
		return nil
	}
	return chart.LineAt(f.Lines, length)
}

// A shareView is the result of a run in a line, with its difference from the baseline.
type shareView struct {
	Asked        bool
	Class        string // of the run's colour
	Share, Range string
	N            string // answers, and of how many
	Bar          *bar
	Label        safeText // its commonest failure
	Baseline     bool     // the run is the baseline
	Difference   string   // of the mean scores, on items that both runs answered
	Interval     string   // of Difference
	Word         verdict.Word
	// Alone and Other count the items that only this run and only the baseline has right;
	// empty if unknown.
	Alone, Other string
	P            string // the p-value of that split; empty without one
}
