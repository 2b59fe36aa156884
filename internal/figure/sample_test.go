package figure

import (
	"fmt"
	"math"
)

// A sample is a figure of one kind, small enough to be looked at as a golden file.
type sample struct {
	name   string
	figure *Figure
}

var models = []string{"o3-mini", "GPT-4o", "Claude-3.5-Sonnet", "GPT-4o-mini", "Claude-3.5-Haiku", "Llama-3.1", "DeepSeek-r1"}

// curve falls from 1 at a length that differs from model to model.
func curve(model int, lengths ...float64) Line {
	l := Line{Name: models[model]}
	for _, n := range lengths {
		y := 1 / (1 + math.Pow(n/(200/float64(model+1)), 1.4))
		half := 1.96 * math.Sqrt(y*(1-y)/40)
		l.Points = append(l.Points, Point{X: n, Y: y, Low: max(0, y-half), High: min(1, y+half+0.01)})
	}
	return l
}

var lengths = []float64{2, 4, 8, 16, 32, 64, 128, 256}

func curves(n int) []Line {
	var list []Line
	for i := range n {
		list = append(list, curve(i, lengths...))
	}
	return list
}

var (
	byLength = Axis{Label: "length", Log2: true, Min: 2, Max: 256}
	byShare  = Axis{Label: "exact share", Min: 0, Max: 1}
)

func samples() []sample {
	three := curves(3)
	three[1].Points[3].Y = math.NaN()
	return []sample{
		{"lines", &Figure{Title: "Three models by length", Text: "All fall.", Panels: []Panel{{X: byLength, Y: byShare, Lines: three}}}},
		{"legend", &Figure{Legend: true, Panels: []Panel{
			{Title: "reverse", X: byLength, Y: byShare, Lines: curves(7)},
			{Title: "rehearse", X: byLength, Y: byShare, Lines: curves(4)[2:]}}}},
		{"multiples", multiples(5, 2)},
		{"scatter", scatter()},
		{"boxes", boxFigure()},
		{"bars", barFigure()},
		{"heat", heatFigure()},
		{"rows", rowFigure()},
	}
}

// multiples has as many panels of as many lines.
func multiples(panels, lines int) *Figure {
	f := &Figure{Legend: true, Columns: 3}
	for i := range panels {
		f.Panels = append(f.Panels, Panel{Title: fmt.Sprintf("task %d", i+1), X: byLength, Y: byShare, Lines: curves(lines)})
	}
	return f
}

func scatter() *Figure {
	p := Panel{X: Axis{Label: "dollars per 1,000 answers", Log2: true, Ticks: []Tick{{At: 0.1, Label: "0.10"}, {At: 1, Label: "1"}, {At: 10, Label: "10"}}}, Y: byShare}
	for i, m := range models {
		y := 0.9 - 0.07*float64(i)
		p.Lines = append(p.Lines, Line{Name: m, Points: []Point{{X: 12 / math.Pow(2.1, float64(i)), Y: y, Low: y - 0.03, High: y + 0.03}}})
	}
	return &Figure{Panels: []Panel{p}}
}

func boxFigure() *Figure {
	p := Panel{X: Axis{Label: "validity score", Ticks: []Tick{{At: 0, Label: "0"}, {At: 1, Label: "0.25"}, {At: 2, Label: "0.5"}, {At: 3, Label: "0.75"}, {At: 4, Label: "1"}}}, Y: Axis{Label: "characters of reasoning"}}
	for i := range 5 {
		m := 9000 - 1700*float64(i)
		b := Box{At: float64(i), Low: m / 3, Q1: m * 0.7, Median: m, Q3: m * 1.3, High: m * 1.9, N: 100 * (i + 1)}
		for k := range 12 {
			b.Outliers = append(b.Outliers, m*(2+float64(k*k)/90))
		}
		p.Boxes = append(p.Boxes, b)
	}
	return &Figure{Panels: []Panel{p}}
}

func barFigure() *Figure {
	part := func(scale float64, kinds ...string) Panel {
		p := Panel{Y: Axis{Label: "instances"}}
		for i, k := range kinds {
			p.X.Ticks = append(p.X.Ticks, Tick{At: float64(i), Label: k})
		}
		for i, m := range models {
			b := Bars{Name: m}
			for k := range kinds {
				b.Values = append(b.Values, math.Round(scale*float64((i*7+k*3)%5+1)))
			}
			p.Bars = append(p.Bars, b)
		}
		return p
	}
	return &Figure{Legend: true, Columns: 2, Panels: []Panel{
		part(21, "missing closing bracket", "content after list"),
		part(1, "line-wise list", "enumeration", "LaTeX", "backticks", "broken quotes", "content before list"),
	}}
}

func heatFigure() *Figure {
	f := &Figure{Columns: 2}
	for i := range 2 {
		h := &Heat{Rows: []string{"reverse", "rehearse", "sort integers in ascending order"}}
		for k, n := range lengths {
			h.Columns = append(h.Columns, fmt.Sprint(n))
			for r := range h.Rows {
				if k == 0 {
					h.Values = append(h.Values, nil)
				}
				v := 1 - float64(k*(r+i+1))/28
				if k == 6 && r == 1 {
					v = math.NaN()
				}
				h.Values[r] = append(h.Values[r], v)
			}
		}
		f.Panels = append(f.Panels, Panel{Title: models[i], X: Axis{Label: "length"}, Heat: h})
	}
	return f
}

func rowFigure() *Figure {
	p := Panel{X: Axis{Label: "difference of the mean score to o3-mini"}, Zone: &Zone{Low: -0.02, High: 0.02}}
	for i, m := range models[1:] {
		v := 0.015 - 0.03*float64(i)
		p.Rows = append(p.Rows, Row{Name: m, Label: m, Note: fmt.Sprintf("%+.3f", v), Value: v, Low: v - 0.02, High: v + 0.015})
	}
	return &Figure{Panels: []Panel{p}}
}
