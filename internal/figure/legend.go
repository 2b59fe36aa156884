package figure

import "fmt"

// A legend holds the names of series above the panels, or the scale of a heat map.
type legend struct {
	items  []item
	ramp   bool
	height float64
}

// An item is a name with a sample of its look.
type item struct {
	at   point // left end of the sample, on its middle
	text string
	look look
	kind kind
	none bool // only words
}

const (
	sampleWide = 17.0
	sampleGap  = 4.0
	legendLine = labelSize * 1.35
)

// legendOf places the names from left to right, in as many lines as they need.
func (l *layout) legendOf(wanted bool) legend {
	var g legend
	first := empty
	for i := range l.plots {
		switch p := &l.plots[i]; {
		case p.kind() == heat:
			g.ramp = true
		case first == empty && p.kind() != rows:
			first = p.kind()
		}
	}
	names := l.looks.shown
	if g.ramp {
		g.height = legendLine + 2
		return g
	}
	if first == empty || !wanted || len(names) == 0 || len(names) == 1 && !l.fig.Legend {
		return g
	}
	g.items = l.items(names, first)
	room := l.sheet.width - 2*margin
	var widths []float64
	for _, it := range g.items {
		widths = append(widths, it.wide())
	}
	i := 0
	for row, n := range balanced(widths, room) {
		x, y := margin, margin+legendLine*(float64(row)+0.5)
		for range n {
			g.items[i].at = point{x, y}
			x += widths[i]
			i++
		}
		g.height = legendLine*float64(row+1) + 3
	}
	return g
}

// items lists the names, at most maxNames of them.
func (l *layout) items(names []string, k kind) []item {
	var list []item
	for i, n := range names {
		if i == maxNames {
			return append(list, item{text: fmt.Sprintf("and %d more", len(names)-i), none: true})
		}
		text := fitted(n, labelSize, l.sheet.width-2*margin-sampleWide-sampleGap)
		list = append(list, item{text: text, look: l.looks.of(n), kind: k})
	}
	return list
}

// wide is the room that an item takes, with that to the next.
func (it *item) wide() float64 {
	w := widthOf(it.text, labelSize) + 11
	if !it.none {
		w += sampleWide + sampleGap
	}
	return w
}

// balanced returns how many items stand on each line, the lines being as few as can
// be and about as long.
func balanced(widths []float64, room float64) []int {
	fewest := fill(widths, room)
	for share := room * 0.5; share < room; share += room * 0.05 {
		if rows := fill(widths, share); len(rows) == len(fewest) {
			return rows
		}
	}
	return fewest
}

// fill returns how many items fit on each line; there is one on every line.
func fill(widths []float64, room float64) []int {
	var rows []int
	x := 0.0
	for i, w := range widths {
		if i == 0 || x+w-11 > room {
			rows, x = append(rows, 0), 0
		}
		rows[len(rows)-1]++
		x += w
	}
	return rows
}

func (g *legend) draw(s *sheet) {
	for _, it := range g.items {
		x := it.at.x
		if !it.none {
			it.sample(s)
			x += sampleWide + sampleGap
		}
		s.add(words{at: point{x, it.at.y + labelSize*0.35}, text: it.text, size: labelSize, color: black})
	}
	if g.ramp {
		drawRamp(s)
	}
}

func (it *item) sample(s *sheet) {
	switch it.kind {
	case bars:
		drawBar(s, it.look, it.at.x, it.at.y-3.2, sampleWide, 6.4)
	case boxes:
		s.add(stroke{points: rectangle(it.at.x, it.at.y-3, sampleWide, 6), closed: true, fill: it.look.color.fade(0.25), line: it.look.color, width: 0.8})
	default:
		s.add(stroke{points: []point{{it.at.x, it.at.y}, {it.at.x + sampleWide, it.at.y}}, line: it.look.color, width: lineWidth, dash: it.look.dash})
		drawMark(s, it.look, point{it.at.x + sampleWide/2, it.at.y}, 2)
	}
}
