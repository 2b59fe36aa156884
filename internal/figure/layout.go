package figure

import (
	"fmt"
	"slices"
)

// layOut returns the sheet of a figure.
func layOut(f *Figure) *sheet {
	l := laidOut(f)
	if l.crowded { // names next to the points would overlap
		g := *f
		g.Legend = true
		l = laidOut(&g)
	}
	return l.sheet
}

// laidOut lays a figure out and draws it.
func laidOut(f *Figure) *layout {
	l := &layout{fig: f, looks: looksOf(f), sheet: &sheet{title: f.Title, text: f.Text}}
	l.grid()
	l.axes()
	l.columnsWide()
	l.rowsHigh()
	l.place()
	l.legend.draw(l.sheet)
	for i := range l.plots {
		l.plots[i].draw(l.sheet)
		l.crowded = l.crowded || l.plots[i].crowded
	}
	l.sharedLabels()
	return l
}

// grid sets the numbers of columns and rows and the width, and makes the plots.
func (l *layout) grid() {
	n := len(l.fig.Panels)
	l.columns = l.fig.Columns
	if l.columns <= 0 {
		l.columns = min(n, 3)
		if n == 4 {
			l.columns = 2
		}
	}
	l.columns = min(l.columns, n, 12)
	l.rows = (n + l.columns - 1) / l.columns
	width := l.fig.Width
	switch {
	case width > 0 && finite(width):
		width = min(max(width, 40), 2000)
	case l.columns == 1:
		width = 85
	default:
		width = 178
	}
	l.sheet.width = width * mm
	for i := range l.fig.Panels {
		p := plot{Panel: &l.fig.Panels[i], look: l.looks, column: i % l.columns, row: i / l.columns}
		p.x, p.y = p.scales()
		l.plots = append(l.plots, p)
	}
}

// axes decides which axes are shared by all panels, and which panels have labels.
func (l *layout) axes() {
	l.shareX, l.shareY = len(l.plots) > 1, len(l.plots) > 1
	first := &l.plots[0]
	for i := range l.plots[1:] {
		p := &l.plots[i+1]
		same := p.kind() == first.kind()
		l.shareX = l.shareX && same && p.x == first.x && p.X.Label == first.X.Label && slices.Equal(p.X.Ticks, first.X.Ticks) && p.sameColumns(first)
		l.shareY = l.shareY && same && p.y == first.y && p.Y.Label == first.Y.Label && slices.Equal(p.Y.Ticks, first.Y.Ticks) && p.sameRows(first)
	}
	for i := range l.plots {
		p := &l.plots[i]
		p.yLabels = !l.shareY || p.column == 0
		p.bottom = !l.shareX || i+l.columns >= len(l.plots)
	}
}

// sameColumns reports whether two heat maps have the same columns; true for other panels.
func (p *plot) sameColumns(q *plot) bool {
	return p.Heat == nil || q.Heat == nil || slices.Equal(p.Heat.Columns, q.Heat.Columns)
}

// sameRows reports whether two panels have the same names of rows; true for panels without rows.
func (p *plot) sameRows(q *plot) bool {
	switch {
	case p.Heat != nil && q.Heat != nil:
		return slices.Equal(p.Heat.Rows, q.Heat.Rows)
	case p.kind() == rows:
		return slices.EqualFunc(p.Rows, q.Rows, func(a, b Row) bool { return a.Label == b.Label })
	}
	return true
}

// columnsWide decides on the legend, and divides the width between the columns.
func (l *layout) columnsWide() {
	l.left = make([]float64, l.columns)
	guess := l.sheet.width/float64(l.columns) - 40
	for i := range l.plots {
		p := &l.plots[i]
		if p.kind() == empty {
			continue
		}
		p.yTicks = ticksOf(p.Y, p.y, l.natural(p, guess), func(string) float64 { return tickSize * leading })
		l.left[p.column] = max(l.left[p.column], l.leftOf(p))
	}
	direct := l.direct()
	l.legend = l.legendOf(!direct)
	if direct && l.plots[0].curves() {
		for _, n := range l.looks.shown {
			l.right = max(l.right, min(widthOf(n, tickSize), l.sheet.width*0.35)+8)
		}
	}
	for i := range l.plots {
		l.right = max(l.right, l.rightOf(&l.plots[i]))
	}
	used := 2*margin + float64(l.columns)*l.right + float64(l.columns-1)*gap
	for _, w := range l.left {
		used += w
	}
	l.wide = max((l.sheet.width-used)/float64(l.columns), 20)
}

// direct reports whether names are written next to the lines, so that no legend is needed.
func (l *layout) direct() bool {
	p := &l.plots[0]
	n := len(l.looks.shown)
	if l.fig.Legend || len(l.plots) > 1 || p.kind() != lines || n < 2 {
		return false
	}
	p.names = n <= 12
	return p.names
}

// rowsHigh divides the height between the rows.
func (l *layout) rowsHigh() {
	l.top, l.bottom, l.high = make([]float64, l.rows), make([]float64, l.rows), make([]float64, l.rows)
	for i := range l.plots {
		p := &l.plots[i]
		l.high[p.row] = max(l.high[p.row], l.natural(p, l.wide))
		top := 5.0
		if p.Title != "" {
			lines := p.titleLines(l.wide + l.right)
			top = float64(len(lines))*titleSize*leading + 4
		}
		l.top[p.row] = max(l.top[p.row], top)
		p.reach = l.reachOf(p)
		l.bottom[p.row] = max(l.bottom[p.row], l.below(p))
	}
	used := 2*margin + l.legend.height + float64(l.rows-1)*2
	plots := 0.0
	for r := range l.rows {
		used += l.top[r] + l.bottom[r]
		plots += l.high[r]
	}
	if l.shareX && l.plots[0].X.Label != "" {
		used += labelSize*leading - 1
	}
	room := plots
	switch height := l.fig.Height; {
	case height > 0 && finite(height):
		room = min(height, 5000)*mm - used
	case used+plots > maxSheet*mm:
		room = maxSheet*mm - used
	}
	total := 0.0
	for r := range l.high {
		l.high[r] = max(l.high[r]*room/plots, l.least(r))
		total += l.high[r]
	}
	l.sheet.height = used + total
}

// place gives every panel its area and its scales.
func (l *layout) place() {
	y := margin + l.legend.height
	for r := range l.rows {
		y += l.top[r]
		for c := range l.columns {
			if i := r*l.columns + c; i < len(l.plots) {
				p, x := &l.plots[i], l.leftEdge(c)
				p.put(area{x, y, l.wide, l.high[r]})
				p.room, p.rowNames = l.right, l.left[c]-tickGap
				p.from = max(margin, x-l.left[c]-gap/2+1)
				p.to = min(l.sheet.width-margin, p.area.right()+l.right+gap/2-1)
				if p.Y.Label != "" {
					p.rowNames -= labelSize*leading + 2
				}
				if !l.shareX {
					p.xLabel = p.area.bottom() + l.bottom[r] - 2 - 0.22*labelSize
				}
				if !l.shareY {
					p.yLabel = x - l.leftOf(p) + ascent*labelSize
				}
			}
		}
		y += l.high[r] + l.bottom[r] + 2
	}
}

// put sets the area of the panel. The ends of an axis of numbers are a little inside, so that marks at
// the ends are not cut off.
func (p *plot) put(a area) {
	p.area = a
	dx, dy := inset, inset
	switch p.kind() {
	case heat:
		dx, dy = 0, 0
	case rows:
		dy = 2
	case bars:
		dx, dy = 0, 0
	case boxes:
		dx = 0
	}
	p.x.from, p.x.to = a.x+dx, a.right()-dx
	p.y.from, p.y.to = a.bottom()-dy, a.y+dy
	if p.kind() == bars {
		p.y.to = a.y + inset // the end of the highest bar is seen
	}
	if p.kind() == heat || p.kind() == rows { // the first row is on top
		p.y.from, p.y.to = a.y+dy, a.bottom()-dy
	}
}

// sharedLabels writes the labels of shared axes, in the middle of the figure.
func (l *layout) sharedLabels() {
	first := &l.plots[0]
	last := &l.plots[min(l.columns, len(l.plots))-1]
	if l.shareX && first.X.Label != "" {
		x := (first.area.x + last.area.right()) / 2
		l.sheet.add(words{at: point{x, l.sheet.height - margin - 0.22*labelSize}, text: fitted(first.X.Label, labelSize, l.sheet.width-2*margin), size: labelSize, color: black, anchor: middle})
	}
	if l.shareY && first.Y.Label != "" {
		low := l.plots[len(l.plots)-1].area.bottom()
		high := first.area.y
		l.sheet.add(words{at: point{margin + ascent*labelSize, (low + high) / 2}, text: fitted(first.Y.Label, labelSize, low-high), size: labelSize, color: black, anchor: middle, turned: 90})
	}
}

// legendOf returns the legend: the names in lines, or the scale of heat maps. It is empty if it is not
// needed.
func (l *layout) legendOf(needed bool) legend {
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
	if first == empty || !needed || len(names) == 0 || len(names) == 1 && !l.fig.Legend {
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

// items returns an item for each name, and counts those beyond maxNames.
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
