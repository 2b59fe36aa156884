package figure

import (
	"slices"
)

// linesOf draws the bands of all lines first, and the lines with their marks over them.
func (p *plot) linesOf(s *sheet) {
	opacity := min(0.18, 0.45/float64(len(p.Lines))) // many bands overlap
	for i := range p.Lines {
		for _, band := range p.bands(&p.Lines[i]) {
			if inside := clippedPolygon(band, p.area); len(inside) > 2 {
				s.add(stroke{points: inside, closed: true, fill: p.look.of(p.Lines[i].Name).color.fade(opacity)})
			}
		}
	}
	for i := range p.Lines {
		l := &p.Lines[i]
		s.add(group{l.Name})
		p.line(s, l)
		s.add(groupEnd{})
	}
	switch {
	case p.names && p.curves():
		p.endNames(s)
	case p.names:
		p.pointNames(s)
	}
}

// line draws a line with its marks. A point between gaps has its interval.
func (p *plot) line(s *sheet, l *Line) {
	k := p.look.of(l.Name)
	width, r := lineWidth, 2.1
	if p.area.w < 170 {
		width, r = 0.9, 1.6
	}
	for _, run := range p.runs(l) {
		points := make([]point, len(run))
		for i, q := range run {
			points[i] = p.place(q.X, q.Y)
		}
		for _, part := range clippedLine(points, p.area) {
			s.add(stroke{points: part, line: k.color, width: width, dash: k.dash})
		}
		if len(run) == 1 {
			p.whisker(s, run[0], k)
		}
		for _, at := range points {
			if p.area.contains(at) {
				drawMark(s, k, at, r)
			}
		}
	}
}

// bands returns the polygons between the ends of intervals, one for each part without gaps.
func (p *plot) bands(l *Line) [][]point {
	var out [][]point
	var upper, lower []point
	flush := func() {
		if len(upper) > 1 {
			slices.Reverse(lower)
			out = append(out, append(upper, lower...))
		}
		upper, lower = nil, nil
	}
	for _, q := range l.Points {
		high, low := p.place(q.X, q.High), p.place(q.X, q.Low)
		if q.Low >= q.High || !finite(q.Y) || !finite(high.y) || !finite(low.y) || !finite(high.x) {
			flush()
			continue
		}
		upper, lower = append(upper, high), append(lower, low)
	}
	flush()
	return out
}

// whisker draws the interval of a single point.
func (p *plot) whisker(s *sheet, q Point, k look) {
	high, low := p.place(q.X, q.High), p.place(q.X, q.Low)
	if !(q.Low < q.High) || !finite(high.y) || !finite(low.y) {
		return
	}
	if a, b, ok := clipped(low, high, p.area); ok {
		s.add(stroke{points: []point{a, b}, line: k.color, width: 0.9})
	}
}
