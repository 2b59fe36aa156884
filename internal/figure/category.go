package figure

import (
	"math"

	"verbatim/internal/chart"
)

// labels says the layout of names of categories below a panel: on up to three lines
// where they fit that way, else turned, and every so many where they are crowded.
type labels struct {
	lines  [][]string // of each name; nil where they are turned
	turned []string
	every  int
	height float64
}

// maxTurned is the most that a turned name takes along its slope.
const maxTurned = 78.0

func (p *plot) tickLabels() []string {
	names := make([]string, p.categories())
	for _, t := range p.X.Ticks {
		if i := int(t.At); i >= 0 && i < len(names) && float64(i) == t.At {
			names[i] = t.Label
		}
	}
	if p.kind() == boxes && len(namesIn(&Figure{Panels: []chart.Panel{*p.Panel}})) <= 1 {
		return p.sizes(names)
	}
	return names
}

// sizes adds to the names how large the samples of their boxes are.
func (p *plot) sizes(names []string) []string {
	out := make([]string, len(names))
	copy(out, names)
	for _, b := range p.Boxes {
		if i := int(b.At); b.N > 0 && i >= 0 && i < len(out) && float64(i) == b.At {
			out[i] += "\n(n = " + number(float64(b.N), 1) + ")"
		}
	}
	return out
}

// labels lays out the names of the categories of a panel that is so wide.
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
		name := fitted(oneLine(n), tickSize, max(min(maxTurned, room), 12))
		out.turned = append(out.turned, name)
		if i%out.every == 0 {
			out.height = max(out.height, (widthOf(name, tickSize)+tickSize)/math.Sqrt2+2)
		}
	}
	return out
}

// foldedAt breaks a name at its line ends, and its parts where they are too wide.
func foldedAt(name string, room float64) (out []string, ok bool) {
	ok = true
	for _, part := range split(name) {
		lines, fits := lettering{size: tickSize}.folded(part, room, 3)
		out, ok = append(out, lines...), ok && fits
	}
	return out, ok && len(out) <= 4
}

func split(name string) []string {
	for i, r := range name {
		if r == '\n' {
			return []string{name[:i], name[i+1:]}
		}
	}
	return []string{name}
}

func oneLine(name string) string {
	parts := split(name)
	if len(parts) == 2 {
		return parts[0] + " " + parts[1]
	}
	return name
}

// thinnable returns how many lengths go to one that is labelled, where the names are
// numbers or almost as short; else 0.
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

// inRoom returns the place next to x where words of so much to both sides neither leave
// the sheet nor reach below the next panel.
func (p *plot) inRoom(x, half float64) float64 { return min(max(x, p.from+half), p.to-half) }
