package figure

// rowsOf draws the rows with their labels, and the zone and the zero behind them.
func (p *plot) rowsOf(s *sheet) {
	if z := p.Zone; z != nil && z.Low < z.High {
		low, high := p.across(z.Low), p.across(z.High)
		s.add(stroke{points: rectangle(low, p.area.y, high-low, p.area.h), closed: true, fill: zoneColor})
	}
	if zero := p.x.at(0); p.x.low < 0 && p.x.high > 0 && finite(zero) {
		s.add(stroke{points: []point{{zero, p.area.y}, {zero, p.area.bottom()}}, line: frame, width: 0.7})
	}
	for i := range p.Rows {
		p.drawRow(s, &p.Rows[i], p.y.at(float64(i)))
	}
	s.add(stroke{points: []point{{p.area.x, p.area.bottom()}, {p.area.right(), p.area.bottom()}}, line: frame, width: frameWidth})
}

// drawRow draws a value with its interval, between its label and its note.
func (p *plot) drawRow(s *sheet, r *Row, y float64) {
	s.add(stroke{points: []point{{p.area.x, y}, {p.area.right(), y}}, line: gridColor, width: gridWidth, dash: []float64{0.8, 1.6}})
	base := y + tickSize*0.35
	if p.yLabels {
		s.add(words{at: point{p.area.x - tickGap, base}, text: fitted(r.Label, tickSize, p.rowNames), size: tickSize, color: black, anchor: end})
	}
	if r.Note != "" {
		s.add(words{at: point{p.area.right() + 5, base}, text: fitted(r.Note, tickSize, s.width-margin-p.area.right()-5), size: tickSize, color: grey})
	}
	k := p.look.of(r.Name)
	if low, high := p.x.at(r.Low), p.x.at(r.High); finite(low) && finite(high) && r.Low < r.High {
		if a, b, ok := clipped(point{low, y}, point{high, y}, p.area); ok {
			s.add(stroke{points: []point{a, b}, line: k.color, width: 1.3})
		}
	}
	if x := p.x.at(r.Value); finite(x) && x >= p.area.x && x <= p.area.right() {
		drawMark(s, k, point{x, y}, 2.3)
	}
}

// across returns the position of a value on the X axis. A value beyond an end is at the end, and one
// without a position at the left.
func (p *plot) across(v float64) float64 {
	if x := p.x.at(v); finite(x) {
		return min(max(x, p.area.x), p.area.right())
	}
	return p.area.x
}
