package paper

import (
	"math"
	"slices"

	"verbatim/internal/figure"
	"verbatim/internal/terminal"
)

func (c *charts) exact() []Figure {
	return c.overLength(exactShare())
}

// extracted is left out if the extracted shares equal the exact ones.
func (c *charts) extracted() []Figure {
	differs := false
	for i := range c.Runs {
		differs = differs || c.Runs[i].Total.Extracted.N != c.Runs[i].Total.Exact.N
	}
	if !differs {
		return nil
	}
	return c.overLength(quantity{"extracted-share", "Extracted share", ": right once a wrapper is removed, with 95 % Wilson intervals", figure.Extracted()})
}

// score is left out if it equals the exact share.
func (c *charts) score() []Figure {
	metric := ""
	for i := range c.Runs {
		b := &c.Runs[i]
		if v, share := b.Total.Score.Value, b.Total.Exact.Share; v != nil && share != nil && *v != *share {
			metric = b.Head.Metric.String()
		}
	}
	if metric == "" {
		return nil
	}
	return c.overLength(quantity{"score", "Mean score (" + terminal.Visible(metric) + ")", "", figure.Score(metric)})
}

func (c *charts) time() []Figure {
	return c.overLength(quantity{"time", "Median time of a whole answer", "", figure.Time()})
}

func (c *charts) firstToken() []Figure {
	return c.overLength(quantity{"first-token", "Median time to the first token", "", figure.FirstToken()})
}

// overLength draws a panel of curves for each task with several lengths. The other tasks have a
// figure of their own, with a panel of rows for each task and a row for each run.
func (c *charts) overLength(m quantity) []Figure {
	var curves, single []figure.Panel
	for _, task := range figure.Tasks(c.Runs) {
		switch p := c.panel(task, m); {
		case several(p):
			curves = append(curves, p)
		case len(p.Lines) > 0:
			single = append(single, p)
		}
	}
	text := c.overAll(m)
	var out []Figure
	if len(curves) > 0 {
		sameLengths(curves)
		sameHeights(curves, m.Axis)
		out = pages(m.name, m.what+" over length, by task"+m.rest, text, len(curves) > 1, curves)
	}
	if len(single) > 0 {
		axis := sameHeights(single, m.Axis)
		out = append(out, pages(m.name+"-by-task", m.what+" by task"+m.rest, text, false, asRows(single, axis))...)
	}
	return out
}

// panel returns the curves of one task, over the lengths that are numbers. A run with no such
// length has one point: its total. Runs without a value are left out.
func (c *charts) panel(task string, m quantity) figure.Panel {
	p := c.Curves(task, m.Measure)
	lines := p.Lines
	p.X, p.Lines = figure.Axis{Label: "length"}, nil
	for i, l := range lines {
		f := figure.FindTask(&c.Runs[i], task)
		if f == nil {
			continue
		}
		l.Points = slices.DeleteFunc(l.Points, func(p figure.Point) bool { return math.IsNaN(p.X) })
		if len(l.Points) == 0 {
			l.Points = []figure.Point{m.Point(&f.Total)}
		}
		if l.Known() {
			p.Lines = append(p.Lines, l)
		}
	}
	return p
}

// sameHeights gives all panels the same Y axis: that of the quantity, extended to all values.
// Scores of lists that are longer than the expected ones can be outside it.
func sameHeights(panels []figure.Panel, axis figure.Axis) figure.Axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range panels {
		for _, l := range p.Lines {
			for _, q := range l.Points {
				if q.Known() {
					low, high = min(low, q.Y, q.Low), max(high, q.Y, q.High)
				}
			}
		}
	}
	switch {
	case axis.Log2 && low > 0:
		axis.Min, axis.Max = low/1.2, high*1.2
	case axis.Min < axis.Max:
		axis.Min, axis.Max = min(axis.Min, math.Floor(low*5)/5), max(axis.Max, math.Ceil(high*5)/5)
	}
	for i := range panels {
		panels[i].Y = axis
	}
	return axis
}

// several reports whether a line of the panel has several points.
func several(p figure.Panel) bool {
	for _, l := range p.Lines {
		if len(l.Points) > 1 {
			return true
		}
	}
	return false
}

// sameLengths gives all panels the same X axis. It is logarithmic if the longest length is at
// least four times the shortest.
func sameLengths(panels []figure.Panel) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range panels {
		for _, l := range p.Lines {
			for _, q := range l.Points {
				low, high = min(low, q.X), max(high, q.X)
			}
		}
	}
	for i := range panels {
		panels[i].X.Min, panels[i].X.Max = low, high
		panels[i].X.Log2 = low > 0 && high >= 4*low
	}
}

// asRows turns lines of one point into rows.
func asRows(panels []figure.Panel, axis figure.Axis) []figure.Panel {
	out := make([]figure.Panel, len(panels))
	for i, p := range panels {
		out[i] = figure.Panel{Title: p.Title, X: axis}
		for _, l := range p.Lines {
			q := l.Points[0]
			out[i].Rows = append(out[i].Rows, figure.Row{Name: l.Name, Label: l.Name, Value: q.Y, Low: q.Low, High: q.High})
		}
	}
	return out
}
