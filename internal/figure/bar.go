package figure

// barsOf draws the bars of all series, stacked.
func (p *plot) barsOf(s *sheet) {
	slot := p.area.w / float64(p.categories())
	wide := min(slot*0.72, 30)
	sums := make([]float64, p.categories())
	for i := range p.Bars {
		b := &p.Bars[i]
		s.add(group{b.Name})
		for k, v := range b.Values {
			if !(v > 0) || k >= len(sums) {
				continue
			}
			bottom, top := p.heightOf(sums[k]), p.heightOf(sums[k]+v)
			sums[k] += v
			drawBar(s, p.look.of(b.Name), p.x.at(float64(k))-wide/2, top, wide, bottom-top)
		}
		s.add(groupEnd{})
	}
}

// heightOf returns the position of a value on the Y axis. A value beyond an end is at the end, and
// one without a position at the bottom.
func (p *plot) heightOf(v float64) float64 {
	if y := p.y.at(v); finite(y) {
		return min(max(y, p.area.y), p.area.bottom())
	}
	return p.area.bottom()
}
