package page

import (
	"strconv"

	"verbatim/internal/report"
)

// A heatTable shows the exact shares of one run, a row for each family and a column
// for each length, as numbers on colours.
type heatTable struct {
	ID, Name string
	Ink      ink
	Lengths  []string
	Rows     []heatRow
}

// A heatRow is a family. A cell without a text was not asked.
type heatRow struct {
	Family string
	Cells  []heatCell
}

// A heatCell has a class q0 to q9, a tenth of all shares each; empty where nothing was
// answered.
type heatCell struct{ Class, Text, Title string }

// heatmap returns a table for each run.
func heatmap(r *report.Report) []heatTable {
	names := report.RunNames(r.Runs)
	var all [][]report.Line
	for i := range r.Runs {
		for j := range r.Runs[i].Families {
			all = append(all, r.Runs[i].Families[j].Lines)
		}
	}
	keys := lengthsOf(all...)
	var list []heatTable
	for i := range r.Runs {
		t := heatTable{ID: "heat-" + strconv.Itoa(i), Name: names[i], Ink: inkOf(i)}
		for _, k := range keys {
			t.Lengths = append(t.Lengths, report.CutText(report.Visible(k.label), 12))
		}
		for j := range r.Runs[i].Families {
			t.Rows = append(t.Rows, newHeatRow(&r.Runs[i].Families[j], keys))
		}
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	return list
}

func newHeatRow(f *report.Family, keys []lengthKey) heatRow {
	row := heatRow{Family: report.CutText(report.Visible(f.Name), 32)}
	for _, k := range keys {
		var c heatCell
		if l := lineAt(f.Lines, k.label); l != nil {
			c = newHeatCell(l.Exact)
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}

func newHeatCell(v report.Rate) heatCell {
	c := heatCell{Text: report.WholePercentText(v.Share), Title: "nothing was answered"}
	if v.Share != nil {
		c.Class = heatClass(*v.Share)
		c.Title = report.PercentText(v.Share) + " %: " + report.CountText(v.N) + " of " + report.CountText(v.Of) + " exact, 95 %: " + report.IntervalText(v, 0)
	}
	return c
}

// heatClass returns the class of a share: ten steps.
func heatClass(share float64) string {
	return "q" + strconv.Itoa(min(max(int(share*10), 0), 9))
}
