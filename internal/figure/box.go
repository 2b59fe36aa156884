package figure

import (
	"math"
	"slices"
)

// boxesOf draws the boxes. Those of several series at one position are side by side.
func (p *plot) boxesOf(s *sheet) {
	names := namesIn(*p.Panel)
	n := max(len(names), 1)
	slot := (p.x.to - p.x.from) / (p.x.high - p.x.low)
	wide := min(slot*0.72/float64(n), 34)
	for i := range p.Boxes {
		b := &p.Boxes[i]
		series := max(slices.Index(names, b.Name), 0)
		x := p.x.at(b.At) + (float64(series)-float64(n-1)/2)*wide
		if !finite(x) || x < p.area.x || x > p.area.right() {
			continue
		}
		p.box(s, b, x, wide*0.82)
	}
}

// box draws one box, with whiskers and outliers, as far as its numbers are known.
func (p *plot) box(s *sheet, b *Box, x, wide float64) {
	k := p.look.of(b.Name)
	at := func(v float64) float64 { return min(max(p.y.at(v), p.area.y), p.area.bottom()) }
	q1, median, q3, low, high := at(b.Q1), at(b.Median), at(b.Q3), at(b.Low), at(b.High)
	for _, whisker := range []struct{ from, to float64 }{{q1, low}, {q3, high}} {
		if finite(whisker.from) && finite(whisker.to) {
			s.add(stroke{points: []point{{x, whisker.from}, {x, whisker.to}}, line: k.color, width: 0.7},
				stroke{points: []point{{x - wide/4, whisker.to}, {x + wide/4, whisker.to}}, line: k.color, width: 0.7})
		}
	}
	if finite(q1) && finite(q3) {
		s.add(stroke{points: rectangle(x-wide/2, q3, wide, q1-q3), closed: true, fill: k.color.mix(white, 0.75), line: k.color, width: 0.8})
	}
	if finite(median) {
		s.add(stroke{points: []point{{x - wide/2, median}, {x + wide/2, median}}, line: k.color.mix(black, 0.35), width: 1.5})
	}
	seen := make(map[float64]bool) // the positions of outliers, to half a point
	for _, v := range b.Outliers {
		y := p.y.at(v)
		if !finite(y) || y < p.area.y || y > p.area.bottom() || seen[math.Round(y*2)] {
			continue
		}
		seen[math.Round(y*2)] = true
		s.add(disc{at: point{x, y}, r: 1.1, line: k.color, width: 0.6})
	}
}
