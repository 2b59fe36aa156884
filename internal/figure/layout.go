package figure

import (
	"fmt"
	"slices"

	"verbatim/internal/report"
	"verbatim/internal/verdict"
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

// leftOf returns the width of the Y axis of a panel.
func (l *layout) leftOf(p *plot) float64 {
	if !p.yLabels {
		return 0
	}
	w := 0.0
	most := l.sheet.width / float64(l.columns) * 0.42
	switch p.kind() {
	case heat:
		for _, r := range p.Heat.Rows {
			w = max(w, min(widthOf(r, tickSize), most))
		}
	case rows:
		for _, r := range p.Rows {
			w = max(w, min(widthOf(r.Label, tickSize), most))
		}
	default:
		for _, t := range p.yTicks {
			w = max(w, min(widthOf(t.Label, tickSize), most))
		}
	}
	if w > 0 {
		w += tickGap + 1
	}
	if p.Y.Label != "" {
		w += labelSize*leading + 2
	}
	return w
}

// rightOf returns the width that a panel needs to the right of its frame.
func (l *layout) rightOf(p *plot) float64 {
	w := 4.0
	if p.kind() != rows {
		return w
	}
	for _, r := range p.Rows {
		if r.Note != "" {
			w = max(w, min(widthOf(r.Note, tickSize), l.sheet.width/float64(l.columns)*0.4)+6)
		}
	}
	return w
}

// natural returns the default height of a panel of a width.
func (l *layout) natural(p *plot, wide float64) float64 {
	switch p.kind() {
	case heat:
		return float64(len(p.Heat.Rows)) * 11.5
	case rows:
		return float64(len(p.Rows))*13 + 6
	}
	return max(min(wide*0.66, maxPlot), minPlot)
}

// least returns the minimum height of a row, below which its contents overlap.
func (l *layout) least(row int) float64 {
	high := minPlot
	for i := range l.plots {
		p := &l.plots[i]
		if p.row != row {
			continue
		}
		if p.yLabels && (!l.shareY || l.rows == 1) {
			high = max(high, min(widthOf(p.Y.Label, labelSize), 120))
		}
		switch p.kind() {
		case heat:
			high = max(high, float64(len(p.Heat.Rows))*9)
		case rows:
			high = max(high, float64(len(p.Rows))*9)
		}
	}
	return high
}

// reachOf returns the space to the left of a panel for turned names: up to the edge of the
// sheet or the shared label, but not below a panel whose names are not turned.
func (l *layout) reachOf(p *plot) float64 {
	reach := l.leftEdge(p.column) - margin
	if l.shareY && l.rows > 1 && p.Y.Label != "" {
		reach -= labelSize * leading
	}
	for c := p.column - 1; c >= 0; c-- {
		if other := &l.plots[p.row*l.columns+c]; other.bottom && (other.categories() == 0 || other.labels(l.wide).turned == nil) {
			return min(reach, l.leftEdge(p.column)-l.leftEdge(c)-l.wide-l.right)
		}
	}
	return reach
}

// below returns the height of the X axis of a panel.
func (l *layout) below(p *plot) float64 {
	h := 2.0
	if !p.bottom {
		return h
	}
	if p.categories() > 0 {
		h += tickGap + p.labels(l.wide).height
	} else {
		h += tickGap + tickSize*leading
	}
	if p.X.Label != "" && !l.shareX {
		h += labelSize * leading
	}
	return h
}

// titleLines breaks the title, in bold letters, into at most two lines.
func (p *plot) titleLines(room float64) []string {
	lines, _ := lettering{titleSize, true}.folded(p.Title, room, 2)
	return lines
}

// leftEdge returns where the panels of a column begin.
func (l *layout) leftEdge(column int) float64 {
	x := margin + float64(column)*(l.wide+l.right+gap)
	for _, w := range l.left[:column+1] {
		x += w
	}
	return x
}

// A sheet lists the marks of a figure in the order in which they are drawn. Positions are in points
// (1/72 inch) from the top left corner. All formats write the same sheet.
type sheet struct {
	width, height float64
	title, text   string
	marks         []any // stroke, segments, disc, words, group or groupEnd
}

func (s *sheet) add(marks ...any) { s.marks = append(s.marks, marks...) }

// A point is a position on a sheet; Y grows downwards.
type point struct{ x, y float64 }

// A stroke is a polygon that is filled, a polyline that is drawn, or both.
type stroke struct {
	points []point
	closed bool
	fill   color
	line   color
	width  float64
	dash   []float64 // lengths on, off, on, …; nil: solid
}

// segments are straight lines with the same color and width.
type segments struct {
	list  [][2]point
	line  color
	width float64
}

// A disc is a circle.
type disc struct {
	at    point
	r     float64
	fill  color
	line  color
	width float64
}

// An anchor is the part of a text that is at its position.
type anchor int

const (
	start anchor = iota
	middle
	end
)

// words are one line of text on a baseline.
type words struct {
	at     point
	text   string
	size   float64
	bold   bool
	color  color
	anchor anchor
	turned float64 // in degrees, counterclockwise
}

// A group holds the marks up to its groupEnd. Screen readers read its name, and pointers show it.
type (
	group    struct{ name string }
	groupEnd struct{}
)

// rectangle returns the corners of a rectangle from its top left corner.
func rectangle(x, y, w, h float64) []point {
	return []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
}

// A Set is the runs of a report that its charts show. A run has the same name in all
// charts, and its index determines its look: see LookOf.
type Set struct {
	Runs  []report.Block
	Names []string // one for each run
	// Other returns the name of a run that is not in the set, such as one of a comparison.
	Other func(h *verdict.RunInfo) string
}

// RunIndex returns the index of a run of a comparison or a leaderboard in a report; -1 if it is not in the
// report.
func RunIndex(runs []report.Block, h *verdict.RunInfo) int {
	found := -1
	for i := range runs {
		b := &runs[i].Head
		if b.N != h.N || b.Name != h.Name || b.Model != h.Model {
			continue
		}
		if b.Plan == h.Plan && (h.N > 0 || b.Note == h.Note) {
			return i
		}
		if found < 0 { // runs that are not saved may share their names
			found = i
		}
	}
	return found
}

// Name returns the name of a run, and its index; -1 if it is not in the set.
func (s *Set) Name(h *verdict.RunInfo) (name string, run int) {
	if run = RunIndex(s.Runs, h); run >= 0 {
		return s.Names[run], run
	}
	return s.Other(h), run
}

// Tasks lists the tasks of all runs, each once, in the order of the runs.
func Tasks(runs []report.Block) []string {
	var list []string
	seen := make(map[string]bool)
	for i := range runs {
		for j := range runs[i].Families {
			if name := runs[i].Families[j].Name; !seen[name] {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list
}

// FindTask returns the task with a name; nil without it.
func FindTask(b *report.Block, name string) *report.Family {
	for i := range b.Families {
		if b.Families[i].Name == name {
			return &b.Families[i]
		}
	}
	return nil
}
