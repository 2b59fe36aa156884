package figure

import (
	"cmp"
	"math"
	"slices"
)

// endNames writes the name of each line after its last value, and moves names of the same
// height apart.
func (p *plot) endNames(s *sheet) {
	type ending struct {
		name string
		at   point
		y    float64 // of the middle of the name
	}
	var list []ending
	for i := range p.Lines {
		runs := p.runs(&p.Lines[i])
		if len(runs) == 0 || p.Lines[i].Name == "" {
			continue
		}
		run := runs[len(runs)-1]
		at := p.place(run[len(run)-1].X, run[len(run)-1].Y)
		at.y = min(max(at.y, p.area.y), p.area.bottom())
		list = append(list, ending{p.Lines[i].Name, at, at.y})
	}
	slices.SortStableFunc(list, func(a, b ending) int { return cmp.Compare(a.at.y, b.at.y) })
	heights := make([]float64, len(list))
	for i := range list {
		heights[i] = list[i].y
	}
	spread(heights, tickSize*leading, p.area.y+2, p.area.bottom()-2)
	x := p.area.right() + 7
	for i, e := range list {
		k := p.look.of(e.name)
		if math.Abs(heights[i]-e.at.y) > 1.5 || e.at.x < p.area.right()-inset-3 {
			s.add(stroke{points: []point{{e.at.x + 2.5, e.at.y}, {x - 1.5, heights[i]}}, line: k.color.fade(0.6), width: 0.4})
		}
		s.add(words{at: point{x, heights[i] + tickSize*0.35}, text: fitted(e.name, tickSize, s.width-margin-x), size: tickSize, color: k.color.ink()})
	}
}

// spread moves sorted values apart to a minimum distance, as little as possible, and keeps
// them between two ends if they fit.
func spread(v []float64, apart, low, high float64) {
	if len(v) == 0 {
		return
	}
	for range 50 { // each pass halves what is too close: far more than enough
		moved := false
		for i := 1; i < len(v); i++ {
			if lack := apart - (v[i] - v[i-1]); lack > 0.01 {
				v[i-1], v[i] = v[i-1]-lack/2, v[i]+lack/2
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	if v[len(v)-1] > high {
		v[len(v)-1] = high
	}
	for i := len(v) - 2; i >= 0; i-- {
		v[i] = min(v[i], v[i+1]-apart)
	}
	v[0] = max(v[0], low)
	for i := 1; i < len(v); i++ {
		v[i] = max(v[i], v[i-1]+apart)
	}
}

// pointNames writes names next to single points, where no name, mark or interval is.
func (p *plot) pointNames(s *sheet) {
	var used []area
	for i := range p.Lines {
		for _, run := range p.runs(&p.Lines[i]) {
			for _, q := range run {
				at := p.place(q.X, q.Y)
				used = append(used, area{at.x - 3, at.y - 3, 6, 6})
				if high, low := p.y.at(q.High), p.y.at(q.Low); q.Low < q.High && finite(high) && finite(low) {
					used = append(used, area{at.x - 0.8, high, 1.6, low - high})
				}
			}
		}
	}
	for i := range p.Lines {
		l := &p.Lines[i]
		runs := p.runs(l)
		if len(runs) == 0 || l.Name == "" {
			continue
		}
		at := p.place(runs[0][0].X, runs[0][0].Y)
		name := fitted(l.Name, tickSize, p.area.w*0.6)
		box, ok := p.free(at, widthOf(name, tickSize), used)
		p.crowded = p.crowded || !ok
		used = append(used, box)
		k := p.look.of(l.Name)
		if near := (point{min(max(at.x, box.x), box.right()), min(max(at.y, box.y), box.bottom())}); math.Hypot(near.x-at.x, near.y-at.y) > 6 {
			s.add(stroke{points: []point{at, near}, line: k.color.fade(0.6), width: 0.4})
		}
		s.add(words{at: point{box.x, box.y + tickSize*0.85}, text: name, size: tickSize, color: k.color.ink()})
	}
}

// free returns a free position for a name of a width next to a point: to the right,
// otherwise to the left, above, below, or farther away. ok is false without one.
func (p *plot) free(at point, width float64, used []area) (box area, ok bool) {
	high := tickSize * 1.1
	for _, d := range []float64{4, 8, 13, 20, 28, 38, 50} {
		for _, c := range []point{
			{at.x + d, at.y - high/2}, {at.x - d - width, at.y - high/2},
			{at.x - width/2, at.y - d - high}, {at.x - width/2, at.y + d},
			{at.x + d, at.y - d - high}, {at.x + d, at.y + d},
			{at.x - d - width, at.y - d - high}, {at.x - d - width, at.y + d},
		} {
			box := area{c.x, c.y, width, high}
			inside := box.x > p.area.x && box.right() < p.area.right()+p.room && box.y >= p.area.y && box.bottom() <= p.area.bottom()
			if inside && !slices.ContainsFunc(used, box.overlaps) {
				return box, true
			}
		}
	}
	return area{at.x, at.y, width, high}, false
}
