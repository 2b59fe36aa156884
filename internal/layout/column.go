package layout

import (
	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
)

// A column is one figure of every row. rank tells which columns give way first
// on a narrow terminal: the highest. A column that has nothing to say in any row
// is left out whatever the width.
type column struct {
	head string
	rank int
	cell func(*report.Line) string
}

// columns lists the figures of a table in the order in which they stand. A
// narrow table has its intervals in whole per cent.
func columns(b *report.Block, narrow bool) []column {
	metric := b.Head.Metric
	list := []column{
		{"n", 0, answered},
		{"exact", 0, func(l *report.Line) string { return number.Percent(l.Exact.Share) }},
		{"95 % range", 0, func(l *report.Line) string { return number.PercentRange(l.Exact.Low, l.Exact.High, 1) }},
		{"of all", 1, func(l *report.Line) string { return number.Percent(l.Exact.OfPlanned) }},
		{"extracted", 2, func(l *report.Line) string { return number.Percent(l.Extracted.Share) }},
		{scoreHead(metric), 3, func(l *report.Line) string { return number.Score(l.Score.Value) }},
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
			continue // exact says it
		}
		list = append(list, column{string(o), 6, func(l *report.Line) string { return countOrEmpty(l.Outcomes[i].N) }})
	}
	if complete(&b.Total) {
		list[3].cell = func(*report.Line) string { return "" } // exact says it
	}
	if narrow {
		list[0].cell = briefly
		list[2] = column{"95 %", 0, func(l *report.Line) string { return number.PercentRange(l.Exact.Low, l.Exact.High, 0) }}
	}
	return list
}

// needed is what the columns take that always stay.
func needed(cols []column, widths []int) int {
	need := 0
	for i, c := range cols {
		if c.rank == 0 {
			need += gap + widths[i]
		}
	}
	return need
}

const (
	gap      = 2
	leastBar = 8
	least    = 22 // width of the failures
	// leastName is what is left of names on the narrowest terminal.
	leastName = 6
	ample     = 36
)
