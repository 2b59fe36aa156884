package figure

// heat draws the cells and the names of the rows.
func (p *plot) heat(s *sheet) {
	h := p.Heat
	wide, high := p.area.w/float64(len(h.Columns)), p.area.h/float64(len(h.Rows))
	for r := range h.Rows {
		y := p.area.y + float64(r)*high
		for c := range h.Columns {
			p.cell(s, h, r, c, area{p.area.x + float64(c)*wide, y, wide, high})
		}
		if p.yLabels {
			s.add(words{at: point{p.area.x - tickGap, y + high/2 + tickSize*0.35}, text: fitted(h.Rows[r], tickSize, p.rowNames), size: tickSize, color: grey, anchor: end})
		}
	}
}

// cell draws one value as a color, with the number if there is room. An unknown value is crossed out.
func (p *plot) cell(s *sheet, h *Heat, r, c int, a area) {
	if r >= len(h.Values) || c >= len(h.Values[r]) || !finite(h.Values[r][c]) {
		s.add(stroke{points: rectangle(a.x, a.y, a.w, a.h), closed: true, fill: white, line: gridColor, width: 0.4},
			stroke{points: []point{{a.x, a.bottom()}, {a.right(), a.y}}, line: gridColor, width: 0.6})
		return
	}
	v := h.Values[r][c]
	fill := shade(v)
	s.add(stroke{points: rectangle(a.x, a.y, a.w, a.h), closed: true, fill: fill, line: white, width: 0.4})
	text, ink := share(v), black
	if fill.luminance() < 0.4 {
		ink = white
	}
	if widthOf(text, tickSize)+2 <= a.w && tickSize+1 <= a.h {
		s.add(words{at: point{a.x + a.w/2, a.y + a.h/2 + tickSize*0.35}, text: text, size: tickSize, color: ink, anchor: middle})
	}
}

// share prints a value from 0 to 1 with two decimals and without the zero before them. Only 0 and 1
// themselves are printed as 0 and 1.
func share(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v == 1:
		return "1"
	case v < 0 || v > 1:
		return tickText(v, 0.1)
	case v < 0.005:
		return "<.01"
	case v >= 0.995:
		return ">.99"
	}
	return tickText(v, 0.01)[1:]
}

// drawRamp draws the scale of the shades, at the top right.
func drawRamp(s *sheet) {
	const wide, high, steps = 90.0, 6.0, 45
	right := s.width - margin - 8
	left, y := right-wide, margin+1
	for i := range steps {
		v := (float64(i) + 0.5) / steps
		x := left + wide*float64(i)/steps // each step extends to the end, so that no seams are seen
		s.add(stroke{points: rectangle(x, y, right-x, high), closed: true, fill: shade(v)})
	}
	s.add(stroke{points: rectangle(left, y, wide, high), closed: true, line: frame, width: 0.4},
		words{at: point{left - 3, y + high - 0.6}, text: "0", size: tickSize, color: grey, anchor: end},
		words{at: point{right + 3, y + high - 0.6}, text: "1", size: tickSize, color: grey})
}
