package figure

import "verbatim/internal/chart"

// shades run from light to dark in even steps of lightness, so that a heat map says
// the same in grey.
var shades = []color{
	{0xf3, 0xf7, 0xfb, 1}, {0xcf, 0xe1, 0xf0, 1}, {0x93, 0xc0, 0xdf, 1}, {0x4a, 0x90, 0xc4, 1}, {0x1f, 0x5f, 0xa3, 1}, {0x0a, 0x2f, 0x66, 1},
}

// shade returns the color of a value from 0 to 1.
func shade(v float64) color {
	v = min(max(v, 0), 1) * float64(len(shades)-1)
	i := min(int(v), len(shades)-2)
	return shades[i].mix(shades[i+1], v-float64(i))
}

func (p *plot) heat(s *sheet) {
	h := p.Heat
	wide, high := p.area.w/float64(len(h.Columns)), p.area.h/float64(len(h.Rows))
	for r := range h.Rows {
		y := p.area.y + float64(r)*high
		for c := range h.Columns {
			p.cell(s, h, r, c, area{p.area.x + float64(c)*wide, y, wide, high})
		}
		if p.leftly {
			s.add(words{at: point{p.area.x - tickGap, y + high/2 + tickSize*0.35}, text: fitted(h.Rows[r], tickSize, p.beside), size: tickSize, color: grey, anchor: end})
		}
	}
}

// cell draws one value, in figures too where they have room. What is not known is
// crossed out.
func (p *plot) cell(s *sheet, h *chart.Heat, r, c int, a area) {
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

// share writes a value from 0 to 1 with two decimals and no zero before them. Only
// 0 and 1 themselves are written as such.
func share(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v == 1:
		return "1"
	case v < 0 || v > 1:
		return number(v, 0.1)
	case v < 0.005:
		return "<.01"
	case v >= 0.995:
		return ">.99"
	}
	return number(v, 0.01)[1:]
}

// drawRamp shows what the shades mean, at the top right.
func drawRamp(s *sheet) {
	const wide, high, steps = 90.0, 6.0, 45
	right := s.width - margin - 8
	left, y := right-wide, margin+1
	for i := range steps {
		v := (float64(i) + 0.5) / steps
		x := left + wide*float64(i)/steps // up to the end, so that no seam shows
		s.add(stroke{points: rectangle(x, y, right-x, high), closed: true, fill: shade(v)})
	}
	s.add(stroke{points: rectangle(left, y, wide, high), closed: true, line: frame, width: 0.4},
		words{at: point{left - 3, y + high - 0.6}, text: "0", size: tickSize, color: grey, anchor: end},
		words{at: point{right + 3, y + high - 0.6}, text: "1", size: tickSize, color: grey})
}
