package page

import (
	"verbatim/internal/figure"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// lengthsOf lists the lengths of some tasks in all runs, each once, from the shortest.
func lengthsOf(r *report.Report, tasks ...string) []figure.Length {
	var lines [][]report.Line
	for i := range r.Runs {
		for _, task := range tasks {
			if f := figure.FindTask(&r.Runs[i], task); f != nil {
				lines = append(lines, f.Lines)
			}
		}
	}
	return figure.Lengths(lines...)
}

// findLine returns the line of a run at a length of a family; nil without one.
func findLine(b *report.Block, family, length string) *report.Line {
	f := figure.FindTask(b, family)
	if f == nil {
		return nil
	}
	return figure.LineAt(f.Lines, length)
}

// A shareView is the exact share of a run in a line, with its difference from the baseline.
type shareView struct {
	Asked        bool   // the run has requests of the line
	Class        string // of the run's colour
	Share, Range string
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
