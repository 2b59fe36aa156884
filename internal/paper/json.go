package paper

import (
	"math"
	"strconv"

	"verbatim/internal/figure"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// FormatName is the name and version of the JSON form, which docs/schema/paper.json
// describes.
const FormatName = "verbatim/paper/1"

// A document is the JSON form of a Document.
type document struct {
	Format      string        `json:"format"`
	Title       string        `json:"title"`
	Lead        []string      `json:"lead"`
	Command     string        `json:"command,omitempty"`
	Tables      []jsonTable   `json:"tables"`
	Figures     []jsonFigure  `json:"figures"`
	Differences *jsonDiffered `json:"differences,omitempty"`
}

type jsonTable struct {
	Number  int       `json:"number,omitempty"`
	Name    string    `json:"name"`
	Caption string    `json:"caption"`
	Columns []string  `json:"columns"`
	Rows    []jsonRow `json:"rows"`
	Notes   []string  `json:"notes,omitempty"`
}

type jsonRow struct {
	Row    string             `json:"row"`
	Cells  []string           `json:"cells"`
	Values map[string]float64 `json:"values"`
}

type jsonFigure struct {
	Number  int         `json:"number,omitempty"`
	Name    string      `json:"name"`
	Caption string      `json:"caption"`
	Text    string      `json:"text"`
	Panels  []jsonPanel `json:"panels"`
}

type jsonPanel struct {
	Title string     `json:"title"`
	X     string     `json:"x"`
	Y     string     `json:"y"`
	Lines []jsonLine `json:"lines,omitempty"`
	Boxes []jsonBox  `json:"boxes,omitempty"`
	Bars  []jsonBars `json:"bars,omitempty"`
}

type jsonLine struct {
	Name   string      `json:"name"`
	Points []jsonPoint `json:"points"`
}

type jsonPoint struct {
	X float64  `json:"x"`
	Y *float64 `json:"y"` // null: nothing is known
}

type jsonBox struct {
	Name     string    `json:"name"`
	At       string    `json:"at"`
	N        int       `json:"n"`
	Low      float64   `json:"low"`
	Q1       float64   `json:"q1"`
	Median   float64   `json:"median"`
	Q3       float64   `json:"q3"`
	High     float64   `json:"high"`
	Outliers []float64 `json:"outliers"`
}

type jsonBars struct {
	Name   string             `json:"name"`
	Values map[string]float64 `json:"values"`
}

type jsonDiffered struct {
	Source   string          `json:"source"`
	Compared int             `json:"compared"`
	Equal    int             `json:"equal"`
	Within   int             `json:"within_monte_carlo_error"`
	List     []jsonDiffering `json:"list"`
	Notes    []string        `json:"notes,omitempty"`
}

type jsonDiffering struct {
	Place     string `json:"place"`
	Published string `json:"published"`
	Ours      string `json:"ours"`
	Why       string `json:"why"`
	Explained bool   `json:"explained"`
}

// value returns the JSON form, with unrounded numbers. All its texts have passed through
// terminal.Visible, so that the file is safe to print.
func (d *Document) value() document {
	out := document{Format: FormatName, Title: terminal.Visible(d.Title), Lead: visible(d.Lead), Command: terminal.Visible(d.Command), Tables: []jsonTable{}, Figures: []jsonFigure{}}
	for _, t := range d.Tables {
		out.Tables = append(out.Tables, jsonTableOf(t))
	}
	for _, f := range d.Figures {
		j := jsonFigure{Number: f.Number, Name: terminal.Visible(f.Name), Caption: terminal.Visible(f.Caption), Text: terminal.Visible(f.Text), Panels: []jsonPanel{}}
		for i := range f.Figure.Panels {
			j.Panels = append(j.Panels, jsonPanelOf(&f.Figure.Panels[i]))
		}
		out.Figures = append(out.Figures, j)
	}
	if x := d.Differences; x != nil {
		out.Differences = &jsonDiffered{Source: terminal.Visible(x.Source), Compared: x.Compared, Equal: x.Equal, Within: x.Within, List: []jsonDiffering{}, Notes: visible(x.Notes)}
		for _, l := range x.List {
			out.Differences.List = append(out.Differences.List, jsonDiffering{terminal.Visible(l.Place), terminal.Visible(l.Published), terminal.Visible(l.Ours), terminal.Visible(l.Why), l.Explained})
		}
	}
	return out
}

func jsonTableOf(t Table) jsonTable {
	j := jsonTable{Number: t.Number, Name: terminal.Visible(t.Name), Caption: terminal.Visible(t.Caption), Columns: []string{}, Rows: []jsonRow{}, Notes: visible(t.Notes)}
	for _, c := range t.Columns {
		j.Columns = append(j.Columns, terminal.Visible(c.Head))
	}
	for _, r := range t.Rows {
		row := jsonRow{Row: terminal.Visible(r.Key), Cells: visible(r.Cells), Values: map[string]float64{}}
		for _, v := range r.Values {
			row.Values[terminal.Visible(v.Column)] = v.Number
		}
		j.Rows = append(j.Rows, row)
	}
	return j
}

func jsonPanelOf(p *figure.Panel) jsonPanel {
	j := jsonPanel{Title: terminal.Visible(p.Title), X: terminal.Visible(p.X.Label), Y: terminal.Visible(p.Y.Label)}
	for _, l := range p.Lines {
		line := jsonLine{Name: terminal.Visible(l.Name), Points: []jsonPoint{}}
		for _, point := range l.Points {
			known := jsonPoint{X: point.X}
			if !math.IsNaN(point.Y) {
				known.Y = &point.Y
			}
			line.Points = append(line.Points, known)
		}
		j.Lines = append(j.Lines, line)
	}
	for _, b := range p.Boxes {
		box := jsonBox{terminal.Visible(b.Name), terminal.Visible(p.X.Category(b.At)), b.N, b.Low, b.Q1, b.Median, b.Q3, b.High, b.Outliers}
		if box.Outliers == nil {
			box.Outliers = []float64{}
		}
		j.Boxes = append(j.Boxes, box)
	}
	for _, b := range p.Bars {
		bars := jsonBars{terminal.Visible(b.Name), map[string]float64{}}
		for i, v := range b.Values {
			bars.Values[terminal.Visible(p.X.Category(float64(i)))] = v
		}
		j.Bars = append(j.Bars, bars)
	}
	return j
}

// visible applies terminal.Visible to texts. It never returns nil, which JSON would write as null.
func visible(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = terminal.Visible(s)
	}
	return out
}

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
