package figure

const (
	sampleWide = 17.0
	sampleGap  = 4.0
	legendLine = labelSize * 1.35
)

// wide returns the width of an item, with the space after it.
func (it *item) wide() float64 {
	w := widthOf(it.text, labelSize) + 11
	if !it.none {
		w += sampleWide + sampleGap
	}
	return w
}

// balanced returns the number of items on each line, for as few lines as possible, of about the same
// width.
func balanced(widths []float64, room float64) []int {
	fewest := fill(widths, room)
	for share := room * 0.5; share < room; share += room * 0.05 {
		if rows := fill(widths, share); len(rows) == len(fewest) {
			return rows
		}
	}
	return fewest
}

// fill returns the number of items on each line of a width. Each line has at least one.
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

// sample draws the look of a series in a panel of its kind.
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
