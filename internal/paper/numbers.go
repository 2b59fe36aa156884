package paper

import (
	"math"
	"strconv"

	"verbatim/internal/figure"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// numbers returns every number of the document, unrounded, each in a row with the columns
// table, row, column and value:
//
//   - Of a table they are its name, the key of the row, the name of the number and the number.
//   - Of a figure, the row is the panel and the series, and the column is the position on the X
//     axis. A box has a row for each of its numbers.
//   - Differences have the table "differences", the place as row, and the columns "published"
//     and "ours".
func (d *Document) numbers() *table.Table {
	out := &table.Table{Columns: []table.Column{{Head: "table"}, {Head: "row"}, {Head: "column"}, {Head: "value"}}}
	add := func(table, row, column, value string) {
		out.Add(terminal.Visible(table), terminal.Visible(row), terminal.Visible(column), value)
	}
	for _, t := range d.Tables {
		for _, r := range t.Rows {
			for _, v := range r.Values {
				add(t.Name, r.Key, v.Column, float(v.Number))
			}
		}
	}
	for i := range d.Figures {
		f := &d.Figures[i]
		for j := range f.Figure.Panels {
			panelNumbers(&f.Figure.Panels[j], func(series, column, value string) {
				add(f.Name, f.Figure.Panels[j].Title+"/"+series, column, value)
			})
		}
	}
	if d.Differences != nil {
		for _, x := range d.Differences.List {
			add("differences", x.Place, "published", numeric(x.Published))
			add("differences", x.Place, "ours", numeric(x.Ours))
		}
	}
	return out
}

// panelNumbers calls write for each number of a panel.
func panelNumbers(p *figure.Panel, write func(series, column, value string)) {
	for _, l := range p.Lines {
		for _, point := range l.Points {
			if !math.IsNaN(point.Y) {
				write(l.Name, float(point.X), float(point.Y))
			}
		}
	}
	for _, b := range p.Boxes {
		at := p.X.Category(b.At)
		for _, v := range []Value{{Column: "n", Number: float64(b.N)}, {Column: "low", Number: b.Low}, {Column: "q1", Number: b.Q1}, {Column: "median", Number: b.Median}, {Column: "q3", Number: b.Q3}, {Column: "high", Number: b.High}} {
			write(b.Name, at+" "+v.Column, float(v.Number))
		}
	}
	for _, b := range p.Bars {
		for i, v := range b.Values {
			write(b.Name, p.X.Category(float64(i)), float(v))
		}
	}
}

// float prints a number with as many digits as it needs to be read back.
func float(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// numeric returns a printed number, or "" for an unknown one.
func numeric(s string) string {
	if s == Missing {
		return ""
	}
	return s
}
