package layout

import (
	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
)

// A column is one figure of every row. On a narrow terminal the columns of the highest ranks are
// left out first. A column of empty cells is left out on every terminal.
type column struct {
	head string
	rank int
	cell func(*report.Line) string
}

// columns lists the figures of a table from left to right. A narrow table has its intervals in
// whole per cent.
func columns(b *report.Block, narrow bool) []column {
	n := column{"n", 0, answered}
	interval := column{"95 % range", 0, func(l *report.Line) string { return number.PercentRange(l.Exact.Low, l.Exact.High, 1) }}
	if narrow {
		n.cell = briefly
		interval = column{"95 %", 0, func(l *report.Line) string { return number.PercentRange(l.Exact.Low, l.Exact.High, 0) }}
	}
	list := []column{
		n,
		{"exact", 0, func(l *report.Line) string { return number.Percent(l.Exact.Share) }},
		interval,
		{"of all", 1, func(l *report.Line) string {
			if complete(&b.Total) {
				return "" // it is the exact share
			}
			return number.Percent(l.Exact.OfPlanned)
		}},
		{"extracted", 2, func(l *report.Line) string { return number.Percent(l.Extracted.Share) }},
		{scoreHead(b.Head.Metric), 3, func(l *report.Line) string { return number.Score(l.Score.Value) }},
		{"median", 4, func(l *report.Line) string { return number.Seconds(l.Seconds.Median) }},
		{"1st token", 7, func(l *report.Line) string { return number.Seconds(l.FirstToken.Median) }},
		{"cost", 5, func(l *report.Line) string {
			if b.Free {
				return ""
			}
			return CostText(l.Cost)
		}},
		{"tokens out", 8, func(l *report.Line) string { return tokens(l.Tokens.Completion) }},
	}
	for i, o := range verbatim.Outcomes() {
		if o == verbatim.Pass {
			continue // it is the exact share
		}
		list = append(list, column{string(o), 6, func(l *report.Line) string { return countOrEmpty(l.Outcomes[i].N) }})
	}
	return list
}

// needed returns the width of the columns that are never left out.
func needed(cols []column, widths []int) int {
	need := 0
	for i, c := range cols {
		if c.rank == 0 {
			need += gap + widths[i]
		}
	}
	return need
}

// Widths of the parts of a table, in columns of the terminal.
const (
	gap           = 2 // between two columns
	leastBar      = 8
	leastName     = 6 // on the narrowest terminal
	leastFailures = 22
	ampleFailures = 36
)
