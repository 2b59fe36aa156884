package figure

import (
	"slices"
)

// kind returns the kind of the first content that the panel has.
func (p *plot) kind() kind {
	switch {
	case p.Heat != nil && len(p.Heat.Rows) > 0 && len(p.Heat.Columns) > 0:
		return heat
	case len(p.Rows) > 0:
		return rows
	case len(p.Bars) > 0:
		return bars
	case len(p.Boxes) > 0:
		return boxes
	case p.drawn():
		return lines
	}
	return empty
}

// drawn reports whether a line has a known point.
func (p *plot) drawn() bool {
	for _, l := range p.Lines {
		for _, q := range l.Points {
			if finite(q.X) && finite(q.Y) {
				return true
			}
		}
	}
	return false
}

// categories returns the number of categories on the X axis, which are at 0, 1, 2 and so on. It is 0
// for an axis of numbers.
func (p *plot) categories() int {
	n := 0
	switch p.kind() {
	case heat:
		return len(p.Heat.Columns)
	case bars:
		for _, b := range p.Bars {
			n = max(n, len(b.Values))
		}
	case boxes:
		for _, b := range p.Boxes {
			if b.At >= 0 && b.At < 1000 {
				n = max(n, int(b.At)+1)
			}
		}
	default:
		return 0
	}
	for _, t := range p.X.Ticks {
		if t.At >= 0 && t.At < 1000 {
			n = max(n, int(t.At)+1)
		}
	}
	return max(n, 1)
}

// scales returns the scales of both axes, without positions on the sheet.
func (p *plot) scales() (x, y scale) {
	dx, dy := nothing(), nothing()
	switch p.kind() {
	case heat:
		return places(len(p.Heat.Columns)), places(len(p.Heat.Rows))
	case rows:
		for _, r := range p.Rows {
			dx.include(p.X.Log2, r.Value, r.Low, r.High)
		}
		return scaleOf(p.X, dx, false), places(len(p.Rows))
	case bars:
		dy.include(p.Y.Log2, 0)
		for _, sum := range stacked(p.Bars) {
			dy.include(p.Y.Log2, sum)
		}
		return places(p.categories()), scaleOf(p.Y, dy, false)
	case boxes:
		for _, b := range p.Boxes {
			dy.include(p.Y.Log2, b.Low, b.Q1, b.Median, b.Q3, b.High)
			dy.include(p.Y.Log2, b.Outliers...)
		}
		return places(p.categories()), scaleOf(p.Y, dy, false)
	}
	for _, l := range p.Lines {
		for _, q := range l.Points {
			if finite(q.Y) {
				dx.include(p.X.Log2, q.X)
				dy.include(p.Y.Log2, q.Y, q.Low, q.High)
			}
		}
	}
	return scaleOf(p.X, dx, p.curves()), scaleOf(p.Y, dy, false)
}

// curves reports whether a line has several points. Otherwise the panel is a scatter plot.
func (p *plot) curves() bool {
	return slices.ContainsFunc(p.Lines, func(l Line) bool { return len(l.Points) > 1 })
}

// places returns the scale of n categories.
func places(n int) scale { return scale{low: -0.5, high: float64(n) - 0.5} }

// stacked returns the height of the bars of each category, over all series.
func stacked(list []Bars) []float64 {
	var sums []float64
	for _, b := range list {
		for i, v := range b.Values {
			if i == len(sums) {
				sums = append(sums, 0)
			}
			if v > 0 {
				sums[i] += v
			}
		}
	}
	return sums
}

// kind is the content of a panel.
type kind int

const (
	empty kind = iota
	lines
	boxes
	bars
	heat
	rows
)
