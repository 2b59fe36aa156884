package layout

import (
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// maxDaysShown bounds a table of days; --group-by day shows all of them.
const maxDaysShown = 31

// dayTable has a row for each of the newest maxDaysShown days of a run.
func dayTable(b *report.Block) *table.Table {
	older := max(len(b.Days)-maxDaysShown, 0)
	t := &table.Table{Columns: []table.Column{
		{Head: "day"}, {Head: "n", Right: true}, {Head: "exact", Right: true}, {Head: "95 %", Right: true},
		{Head: scoreHead(b.Head.Metric), Rank: 2, Right: true}, {Head: "median", Rank: 1, Right: true}, {Head: "served as", Rank: 3, Min: 12},
	}}
	for i := range b.Days[older:] {
		d := &b.Days[older+i]
		t.Add(terminal.Visible(d.Day), answered(&d.Line), number.Percent(d.Line.Exact.Share), number.PercentRange(d.Line.Exact.Low, d.Line.Exact.High, 1),
			number.Score(d.Line.Score.Value), number.Seconds(d.Line.Seconds.Median), servedAs(d.Served))
	}
	if older > 0 {
		t.Notes = []string{"The first " + number.Plural(int64(older), "day is", "days are") + " left out: --group-by day shows every day."}
	}
	return t
}

// servedAs lists the names of the models that served, with their counts if there are several.
func servedAs(counts []report.Count) string {
	switch len(counts) {
	case 0:
		return number.Missing
	case 1:
		return terminal.Visible(counts[0].Name)
	}
	return terminal.Visible(report.ListSome(counts))
}
