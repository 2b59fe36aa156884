package layout

import (
	"strconv"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/report"
)

// anyReport draws a report with whatever a fold could make of runs, at most so many.
func anyReport(t *rapid.T, most int) *report.Report {
	r := &report.Report{}
	families := rapid.SliceOfNDistinct(rapid.StringN(1, 24, 30), 1, 24, rapid.ID).Draw(t, "families")
	lengths := rapid.SliceOfNDistinct(rapid.IntRange(1, 99999), 1, 20, rapid.ID).Draw(t, "lengths")
	for range rapid.IntRange(1, most).Draw(t, "runs") {
		b := report.Block{Head: report.Head{
			N: rapid.Int64Range(0, 99999).Draw(t, "n"), Name: rapid.String().Draw(t, "name"), Model: rapid.String().Draw(t, "model"),
			Suite: rapid.String().Draw(t, "suite"), Note: rapid.String().Draw(t, "note"),
		}}
		for _, name := range families {
			f := report.Family{Name: name, Total: anyLine(t)}
			for _, n := range lengths[:rapid.IntRange(1, len(lengths)).Draw(t, "lines")] {
				l := anyLine(t)
				l.Lengths = &verbatim.Lengths{Min: n, Max: n}
				l.Length = strconv.Itoa(n)
				f.Lines = append(f.Lines, l)
			}
			b.Families = append(b.Families, f)
		}
		b.Total = anyLine(t)
		b.Warnings = []report.Warning{{Kind: "any", Text: rapid.String().Draw(t, "warning")}}
		r.Runs = append(r.Runs, b)
	}
	return r
}

func anyLine(t *rapid.T) report.Line {
	of := rapid.Int64Range(0, 1_000_000_000).Draw(t, "of")
	n := rapid.Int64Range(0, of).Draw(t, "exact")
	all := of + rapid.Int64Range(0, 3).Draw(t, "unanswered")
	l := report.Line{Planned: &all, Recorded: all, Answered: of, Unanswered: all - of, Exact: report.NewRate(n, of, &all), Extracted: report.NewRate(of, of, &all)}
	for _, o := range verbatim.Outcomes() {
		l.Outcomes = append(l.Outcomes, report.Count{Name: string(o), N: n})
	}
	if n < of {
		l.Failures = []report.Count{{Name: rapid.StringN(1, 30, 60).Draw(t, "label"), N: of - n}}
	}
	l.Cost = &report.Cost{Unknown: 1}
	m := verbatim.Money(n)
	l.Cost.Dollars, l.Cost.Known = &m, n
	return l
}
