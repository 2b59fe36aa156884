package page

import (
	"math"
	"strconv"

	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A heatTable shows the exact shares of one run, a row for each family and a column
// for each length, as numbers on colours.
type heatTable struct {
	ID, Name string
	Ink      ink
	Lengths  []string
	Rows     []heatRow
}

// A heatRow is a family with a cell for each length.
type heatRow struct {
	Family string
	Cells  []heatCell
}

// A heatCell is an exact share. Class is its colour, q0 to q9, a tenth of all shares each. It
// is empty without answers; without requests, Text is empty too.
type heatCell struct{ Class, Text, Title string }

// heatmap returns a table for each run.
func heatmap(r *report.Report) []heatTable {
	lengths, series := lengthsOf(r, figure.Tasks(r.Runs)...), seriesOf(r)
	var list []heatTable
	for i, name := range series.Names {
		h := series.Heat(i, figure.Tasks(r.Runs[i:i+1]), lengths)
		t := heatTable{ID: "heat-" + strconv.Itoa(i), Name: name, Ink: inkOf(i)}
		for _, label := range h.Columns {
			t.Lengths = append(t.Lengths, terminal.Truncate(terminal.Visible(label), 12))
		}
		for j, task := range h.Rows {
			row := heatRow{Family: terminal.Truncate(terminal.Visible(task), 32)}
			for k, v := range h.Values[j] {
				row.Cells = append(row.Cells, newHeatCell(v, h.Notes[j][k]))
			}
			t.Rows = append(t.Rows, row)
		}
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	return list
}

func newHeatCell(v float64, note string) heatCell {
	switch {
	case note == "":
		return heatCell{}
	case math.IsNaN(v):
		return heatCell{Text: missing, Title: note}
	}
	tenth := min(max(int(v*10), 0), 9)
	return heatCell{"q" + strconv.Itoa(tenth), number.WholePercent(&v), note}
}
