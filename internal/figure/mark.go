package figure

import "math"

// drawMark draws the mark of a look at a point. Filled marks have a thin white edge, so that they
// differ from what is below them.
func drawMark(s *sheet, k look, at point, r float64) {
	edge := 0.4
	filled := func(points []point) {
		s.add(stroke{points: points, closed: true, fill: k.color, line: white, width: edge})
	}
	switch k.mark {
	case 0:
		s.add(disc{at: at, r: r, fill: k.color, line: white, width: edge})
	case 1:
		filled(rectangle(at.x-r*0.9, at.y-r*0.9, 1.8*r, 1.8*r))
	case 2:
		filled(corners(at, 1.3*r, 3, -90))
	case 3:
		filled(corners(at, 1.3*r, 4, 0))
	case 4:
		filled(corners(at, 1.3*r, 3, 90))
	case 5:
		s.add(disc{at: at, r: r * 0.9, fill: white, line: k.color, width: 0.9})
	case 6:
		s.add(stroke{points: rectangle(at.x-r*0.85, at.y-r*0.85, 1.7*r, 1.7*r), closed: true, fill: white, line: k.color, width: 0.9})
	case 7:
		s.add(stroke{points: corners(at, 1.25*r, 4, 0), closed: true, fill: white, line: k.color, width: 0.9})
	}
}

// corners returns a regular polygon with n corners. angle is the direction of the first one, in
// degrees clockwise from the right.
func corners(at point, r float64, n int, angle float64) []point {
	out := make([]point, n)
	for i := range out {
		sin, cos := math.Sincos((angle + 360*float64(i)/float64(n)) * math.Pi / 180)
		out[i] = point{at.x + r*cos, at.y + r*sin}
	}
	return out
}

// drawBar fills a rectangle in the look of a series: its color, with white lines over it that
// distinguish series with the same color.
func drawBar(s *sheet, k look, x, y, w, h float64) {
	if w <= 0 || h <= 0 {
		return
	}
	fill := k.color
	if fill.luminance() < 0.02 { // black, on which no hatch would be seen
		fill = fill.mix(white, 0.25)
	}
	s.add(stroke{points: rectangle(x, y, w, h), closed: true, fill: fill})
	lines := func(dx, dy, step float64) {
		if list := hatched(x, y, w, h, dx, dy, step); len(list) > 0 {
			s.add(segments{list: list, line: white, width: 0.6})
		}
	}
	switch k.hatch {
	case 1:
		lines(1, -1, 4)
	case 2:
		lines(1, 0, 3)
	case 3:
		lines(1, 1, 4)
	case 4:
		lines(0, 1, 3)
	case 5:
		lines(1, 1, 4.5)
		lines(1, -1, 4.5)
	}
	s.add(stroke{points: rectangle(x, y, w, h), closed: true, line: white, width: 0.5})
}

// hatched returns lines of one direction through a rectangle, a step apart. Their positions are those
// of the sheet, so that lines of adjacent rectangles join.
func hatched(x, y, w, h, dx, dy, step float64) [][2]point {
	norm := math.Hypot(dx, dy)
	nx, ny := -dy/norm, dx/norm // across the lines
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range rectangle(x, y, w, h) {
		d := p.x*nx + p.y*ny
		low, high = min(low, d), max(high, d)
	}
	var out [][2]point
	long := w + h
	for d := math.Ceil(low/step) * step; d < high && len(out) < 500; d += step {
		along := (x+w/2)*dx/norm + (y+h/2)*dy/norm // of the middle of the rectangle
		c := point{nx*d + dx/norm*along, ny*d + dy/norm*along}
		a, b := point{c.x - dx/norm*long, c.y - dy/norm*long}, point{c.x + dx/norm*long, c.y + dy/norm*long}
		if a, b, ok := clipped(a, b, area{x, y, w, h}); ok {
			out = append(out, [2]point{a, b})
		}
	}
	return out
}
