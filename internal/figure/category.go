package figure

import (
	"math"
	"strings"
)

// labels is the layout of the names of categories below a panel. They are on several lines if they
// fit, otherwise turned.
type labels struct {
	lines  [][]string // of each name; nil if the names are turned
	turned []string   // the names, cut to fit; nil if they are not turned
	every  int        // only each every-th name is written
	height float64
}

// maxTurned is the largest width of a turned name.
const maxTurned = 78.0

// tickLabels returns the name of each category of the X axis. Boxes of one series have the sizes of
// their samples below.
func (p *plot) tickLabels() []string {
	names := make([]string, p.categories())
	for _, t := range p.X.Ticks {
		if i := int(t.At); i >= 0 && i < len(names) && float64(i) == t.At {
			names[i] = t.Label
		}
	}
	if p.kind() == boxes && len(namesIn(*p.Panel)) <= 1 {
		return p.sizes(names)
	}
	return names
}

// sizes adds the sizes of the samples of boxes to the names, on a line of their own.
func (p *plot) sizes(names []string) []string {
	for _, b := range p.Boxes {
		if i := int(b.At); b.N > 0 && i >= 0 && i < len(names) && float64(i) == b.At {
			names[i] += "\n(n = " + tickText(float64(b.N), 1) + ")"
		}
	}
	return names
}

// labels lays out the names of the categories of a panel of a width.
func (p *plot) labels(wide float64) labels {
	names := p.tickLabels()
	if p.kind() == heat {
		names = p.Heat.Columns
	}
	slot := wide / float64(len(names))
	out := labels{every: 1}
	fits := true
	for _, n := range names {
		lines, ok := foldedAt(n, slot-3)
		fits = fits && ok
		out.lines = append(out.lines, lines)
		out.height = max(out.height, float64(len(lines))*tickSize*leading)
	}
	if fits {
		return out
	}
	if short := thinnable(names, slot); short > 0 {
		out.lines, out.every, out.height = nil, short, tickSize*leading
		for _, n := range names {
			out.lines = append(out.lines, []string{n})
		}
		return out
	}
	out = labels{every: max(1, int(math.Ceil(tickSize*leading/math.Sqrt2*1.5/slot)))}
	for i, n := range names {
		room := (p.reach + slot*(float64(i)+0.5) - 2) * math.Sqrt2
		name := fitted(strings.ReplaceAll(n, "\n", " "), tickSize, max(min(maxTurned, room), 12))
		out.turned = append(out.turned, name)
		if i%out.every == 0 {
			out.height = max(out.height, (widthOf(name, tickSize)+tickSize)/math.Sqrt2+2)
		}
	}
	return out
}

// foldedAt breaks a name into lines: at its line ends, and where a part is too wide. ok is false if
// it does not fit.
func foldedAt(name string, room float64) (out []string, ok bool) {
	ok = true
	for part := range strings.SplitSeq(name, "\n") {
		lines, fits := lettering{size: tickSize}.folded(part, room, 3)
		out, ok = append(out, lines...), ok && fits
	}
	return out, ok && len(out) <= 4
}

// thinnable returns the number of categories for each one that is labelled, so that the labels do
// not touch. It is 0 if a name is too long to be left out: names that are not numbers are not known
// from their neighbours.
func thinnable(names []string, slot float64) int {
	wide := 0.0
	for _, n := range names {
		wide = max(wide, widthOf(n, tickSize)+3)
	}
	if wide > 28 {
		return 0
	}
	return max(1, int(math.Ceil(wide/slot)))
}

// categoryLabels writes the names below the panel.
func (p *plot) categoryLabels(s *sheet, names []string) {
	if !p.bottom || len(names) == 0 {
		return
	}
	l := p.labels(p.area.w)
	slot := p.area.w / float64(len(names))
	y := p.area.bottom() + tickGap
	for i := range names {
		if i%l.every != 0 {
			continue
		}
		x := p.area.x + slot*(float64(i)+0.5)
		if l.turned != nil {
			s.add(words{at: point{x + tickSize*0.3, y + tickSize*0.6}, text: l.turned[i], size: tickSize, color: grey, anchor: end, turned: 45})
			continue
		}
		for k, line := range l.lines[i] {
			x := p.inRoom(x, widthOf(line, tickSize)/2)
			s.add(words{at: point{x, y + tickSize*(ascent+float64(k)*leading)}, text: line, size: tickSize, color: grey, anchor: middle})
		}
	}
}

// inRoom returns the position nearest to x for a text that extends by half to both sides, so that it
// neither leaves the sheet nor is below the next panel.
func (p *plot) inRoom(x, half float64) float64 { return min(max(x, p.from+half), p.to-half) }
