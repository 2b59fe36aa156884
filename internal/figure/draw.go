package figure

import "cmp"

// draw draws the panel on the sheet.
func (p *plot) draw(s *sheet) {
	s.add(group{cmp.Or(p.Title, "panel")})
	defer s.add(groupEnd{})
	p.title(s)
	switch p.kind() {
	case heat:
		p.heat(s)
		p.categoryLabels(s, p.Heat.Columns)
	case rows:
		p.numbersBelow(s)
		p.rowsOf(s)
	case bars:
		p.grid(s)
		p.barsOf(s)
		p.frame(s)
		p.categoryLabels(s, p.tickLabels())
	case boxes:
		p.grid(s)
		p.boxesOf(s)
		p.frame(s)
		p.categoryLabels(s, p.tickLabels())
	case lines:
		p.grid(s)
		p.numbersBelow(s)
		p.frame(s)
		p.linesOf(s)
	default:
		s.add(words{at: point{p.area.x + p.area.w/2, p.area.y + p.area.h/2}, text: "no data", size: tickSize, color: grey, anchor: middle})
	}
	p.axisLabels(s)
}

func (p *plot) title(s *sheet) {
	if p.Title == "" {
		return
	}
	lines := p.titleLines(p.area.w + p.room)
	for i, line := range lines {
		y := p.area.y - 4 - float64(len(lines)-1-i)*titleSize*leading
		s.add(words{at: point{p.area.x, y}, text: line, size: titleSize, bold: true, color: black})
	}
}

// grid draws the lines and labels of the Y axis.
func (p *plot) grid(s *sheet) {
	for _, t := range p.yTicks {
		y := p.y.at(t.At)
		s.add(stroke{points: []point{{p.area.x, y}, {p.area.right(), y}}, line: gridColor, width: gridWidth})
		if p.yLabels {
			s.add(words{at: point{p.area.x - tickGap, y + tickSize*0.35}, text: t.Label, size: tickSize, color: grey, anchor: end})
		}
	}
}

// frame draws the axes.
func (p *plot) frame(s *sheet) {
	s.add(stroke{points: []point{{p.area.x, p.area.y}, {p.area.x, p.area.bottom()}, {p.area.right(), p.area.bottom()}}, line: frame, width: frameWidth})
}

// numbersBelow draws the lines and labels of an X axis of numbers. Labels are moved to stay in their
// room; one that would then overlap the label before it is left out.
func (p *plot) numbersBelow(s *sheet) {
	written := 0.0 // the end of the last label
	size := func(label string) float64 { return widthOf(label, tickSize) + 2 }
	for _, t := range ticksOf(p.X, p.x, p.x.to-p.x.from, size) {
		x := p.x.at(t.At)
		s.add(stroke{points: []point{{x, p.area.bottom()}, {x, p.area.bottom() + 2}}, line: frame, width: frameWidth})
		s.add(stroke{points: []point{{x, p.area.y}, {x, p.area.bottom()}}, line: gridColor, width: gridWidth})
		if p.bottom {
			half := widthOf(t.Label, tickSize) / 2
			at := p.inRoom(x, half)
			if at-half < written {
				continue
			}
			written = at + half + 1
			s.add(words{at: point{at, p.area.bottom() + tickGap + tickSize*ascent}, text: t.Label, size: tickSize, color: grey, anchor: middle})
		}
	}
}

// axisLabels writes the labels of the axes that the panel does not share.
func (p *plot) axisLabels(s *sheet) {
	if p.X.Label != "" && p.xLabel > 0 {
		s.add(words{at: point{p.area.x + p.area.w/2, p.xLabel}, text: fitted(p.X.Label, labelSize, p.area.w+p.room), size: labelSize, color: black, anchor: middle})
	}
	if p.Y.Label != "" && p.yLabel > 0 {
		s.add(words{at: point{p.yLabel, p.area.y + p.area.h/2}, text: fitted(p.Y.Label, labelSize, p.area.h), size: labelSize, color: black, anchor: middle, turned: 90})
	}
}
