package figure

import (
	"cmp"
	"math"
	"slices"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

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

// Sizes of the layout, in points unless they say otherwise.
const (
	margin   = 3.0  // of the sheet
	gap      = 9.0  // between panels
	inset    = 4.0  // between the frame and the data
	tickGap  = 3.0  // between the frame and its labels
	maxSheet = 235  // height of a sheet in mm: a page of A4 without the caption
	maxNames = 60   // names in a legend
	minPlot  = 30.0 // heights of a panel
	maxPlot  = 195.0
)

// A layout computes the space for the legend, titles, labels and ticks. The panels have the rest, with
// equal widths.
type layout struct {
	fig     *Figure
	sheet   *sheet
	looks   *looks
	plots   []plot
	columns int
	rows    int
	shareX  bool // all panels have the same X axis: it is labelled once for a column
	shareY  bool
	legend  legend
	left    []float64 // of a column
	right   float64   // of every column
	top     []float64 // of a row
	bottom  []float64
	wide    float64 // of a panel
	high    []float64
	crowded bool // some panel is crowded
}

// A plot is a panel with its position and scales.
type plot struct {
	*Panel
	look     *looks
	column   int
	row      int
	x, y     scale
	yTicks   []Tick
	bottom   bool // labels of the X axis are below it
	yLabels  bool // labels of the Y axis are next to it
	names    bool // names are next to its lines
	area     area
	xLabel   float64 // baseline of the label of the X axis; 0: none
	yLabel   float64 // baseline of the label of the Y axis, which is turned; 0: none
	room     float64 // to the right of the panel, before the next
	rowNames float64 // width of the names of rows, to the left
	reach    float64 // the space to the left for its turned names
	from     float64 // the ends of the space for numbers below it
	to       float64

	crowded bool // a name has no free position
}

func (p *plot) place(x, y float64) point { return point{p.x.at(x), p.y.at(y)} }

// runs returns the parts of a line without gaps.
func (p *plot) runs(l *Line) [][]Point {
	var out [][]Point
	var run []Point
	for _, q := range l.Points {
		if at := p.place(q.X, q.Y); !finite(at.x) || !finite(at.y) {
			if len(run) > 0 {
				out = append(out, run)
			}
			run = nil
			continue
		}
		run = append(run, q)
	}
	if len(run) > 0 {
		out = append(out, run)
	}
	return out
}

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
	none bool // it has no sample
}

// An area is a rectangle of a sheet, from its top left corner.
type area struct{ x, y, w, h float64 }

func (a area) right() float64  { return a.x + a.w }
func (a area) bottom() float64 { return a.y + a.h }

func (a area) contains(p point) bool {
	return p.x >= a.x && p.x <= a.right() && p.y >= a.y && p.y <= a.bottom()
}

func (a area) overlaps(b area) bool {
	return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

// clipped returns the part of a segment that is in an area (Liang and Barsky 1984). ok is false
// if no part is.
func clipped(a, b point, in area) (from, to point, ok bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := b.x-a.x, b.y-a.y
	for _, edge := range [4][2]float64{{-dx, a.x - in.x}, {dx, in.right() - a.x}, {-dy, a.y - in.y}, {dy, in.bottom() - a.y}} {
		p, q := edge[0], edge[1]
		switch {
		case p == 0 && q < 0:
			return a, b, false
		case p < 0:
			t0 = max(t0, q/p)
		case p > 0:
			t1 = min(t1, q/p)
		}
	}
	if t0 > t1 {
		return a, b, false
	}
	return point{a.x + t0*dx, a.y + t0*dy}, point{a.x + t1*dx, a.y + t1*dy}, true
}

// clippedLine returns the parts of a polyline that are in an area.
func clippedLine(line []point, in area) [][]point {
	var parts [][]point
	var part []point
	for i := 1; i < len(line); i++ {
		a, b, ok := clipped(line[i-1], line[i], in)
		if !ok {
			continue
		}
		if len(part) == 0 || part[len(part)-1] != a {
			if len(part) > 1 {
				parts = append(parts, part)
			}
			part = []point{a}
		}
		part = append(part, b)
	}
	if len(part) > 1 {
		parts = append(parts, part)
	}
	return parts
}

// clippedPolygon returns the part of a polygon that is in an area (Sutherland and Hodgman 1974).
func clippedPolygon(polygon []point, in area) []point {
	depths := []func(point) float64{ // from each edge of the area; negative outside
		func(p point) float64 { return p.x - in.x },
		func(p point) float64 { return in.right() - p.x },
		func(p point) float64 { return p.y - in.y },
		func(p point) float64 { return in.bottom() - p.y },
	}
	for _, depth := range depths {
		var out []point
		for i, p := range polygon {
			q := polygon[(i+1)%len(polygon)]
			dp, dq := depth(p), depth(q)
			if dp >= 0 {
				out = append(out, p)
			}
			if dp*dq < 0 {
				t := dp / (dp - dq)
				out = append(out, point{p.x + t*(q.x-p.x), p.y + t*(q.y-p.y)})
			}
		}
		polygon = out
	}
	return polygon
}

// Curves returns the panel of a measure of a task over length. It has a line for each run of the
// set, with a point for each length. A run without the task has an empty line. A length that is a
// word has an X of NaN.
func (s *Set) Curves(task string, m Measure) Panel {
	p := Panel{Title: terminal.Visible(task), Y: m.Axis}
	var all [][]report.Line
	for i := range s.Runs {
		line := Line{Name: s.Names[i]}
		if f := FindTask(&s.Runs[i], task); f != nil {
			all = append(all, f.Lines)
			for k := range f.Lines {
				line.Points = append(line.Points, m.Point(&f.Lines[k]))
			}
		}
		p.Lines = append(p.Lines, line)
	}
	p.X = lengthAxis(Lengths(all...))
	return p
}

// Known reports whether a point of the line has a value.
func (l *Line) Known() bool { return slices.ContainsFunc(l.Points, Point.Known) }

// At returns the point with a label; nil without it.
func (l *Line) At(label string) *Point {
	for i := range l.Points {
		if l.Points[i].Label == label {
			return &l.Points[i]
		}
	}
	return nil
}

// Heat returns the heat map of the exact share of a run, by task and length.
func (s *Set) Heat(run int, tasks []string, lengths []Length) *Heat {
	h := &Heat{}
	for _, l := range lengths {
		h.Columns = append(h.Columns, l.Label)
	}
	for _, task := range tasks {
		f := FindTask(&s.Runs[run], task)
		values, notes := make([]float64, len(lengths)), make([]string, len(lengths))
		for i, length := range lengths {
			values[i], notes[i] = heatCell(f, length)
		}
		h.Rows, h.Values, h.Notes = append(h.Rows, task), append(h.Values, values), append(h.Notes, notes)
	}
	return h
}

// heatCell returns the exact share of a task at a length with its description; NaN if it is unknown.
func heatCell(f *report.Family, length Length) (value float64, note string) {
	if f == nil {
		return math.NaN(), ""
	}
	l := LineAt(f.Lines, length.Label)
	if l == nil || report.CompareLengths(l.Length, l.Lengths, length.Label, length.Span) != 0 {
		return math.NaN(), ""
	}
	v := l.Exact
	if v.Share == nil {
		return math.NaN(), "no request was answered"
	}
	of := number.Count(v.Of)
	if v.Repeated() {
		of += " to " + number.Plural(v.Items, "item", "items")
	}
	return *v.Share, number.Percent(v.Share) + " %: " + number.Count(v.N) + " of " + of + " exact, 95 %: " + number.PercentRange(v.Low, v.High, 0)
}

// heat draws the cells and the names of the rows.
func (p *plot) heat(s *sheet) {
	h := p.Heat
	wide, high := p.area.w/float64(len(h.Columns)), p.area.h/float64(len(h.Rows))
	for r := range h.Rows {
		y := p.area.y + float64(r)*high
		for c := range h.Columns {
			p.cell(s, h, r, c, area{p.area.x + float64(c)*wide, y, wide, high})
		}
		if p.yLabels {
			s.add(words{at: point{p.area.x - tickGap, y + high/2 + tickSize*0.35}, text: fitted(h.Rows[r], tickSize, p.rowNames), size: tickSize, color: grey, anchor: end})
		}
	}
}

// cell draws one value as a color, with the number if there is room. An unknown value is crossed out.
func (p *plot) cell(s *sheet, h *Heat, r, c int, a area) {
	if r >= len(h.Values) || c >= len(h.Values[r]) || !finite(h.Values[r][c]) {
		s.add(stroke{points: rectangle(a.x, a.y, a.w, a.h), closed: true, fill: white, line: gridColor, width: 0.4},
			stroke{points: []point{{a.x, a.bottom()}, {a.right(), a.y}}, line: gridColor, width: 0.6})
		return
	}
	v := h.Values[r][c]
	fill := shade(v)
	s.add(stroke{points: rectangle(a.x, a.y, a.w, a.h), closed: true, fill: fill, line: white, width: 0.4})
	text, ink := share(v), black
	if fill.luminance() < 0.4 {
		ink = white
	}
	if widthOf(text, tickSize)+2 <= a.w && tickSize+1 <= a.h {
		s.add(words{at: point{a.x + a.w/2, a.y + a.h/2 + tickSize*0.35}, text: text, size: tickSize, color: ink, anchor: middle})
	}
}

// share prints a value from 0 to 1 with two decimals and without the zero before them. Only 0 and 1
// themselves are printed as 0 and 1.
func share(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v == 1:
		return "1"
	case v < 0 || v > 1:
		return tickText(v, 0.1)
	case v < 0.005:
		return "<.01"
	case v >= 0.995:
		return ">.99"
	}
	return tickText(v, 0.01)[1:]
}

// drawRamp draws the scale of the shades, at the top right.
func drawRamp(s *sheet) {
	const wide, high, steps = 90.0, 6.0, 45
	right := s.width - margin - 8
	left, y := right-wide, margin+1
	for i := range steps {
		v := (float64(i) + 0.5) / steps
		x := left + wide*float64(i)/steps // each step extends to the end, so that no seams are seen
		s.add(stroke{points: rectangle(x, y, right-x, high), closed: true, fill: shade(v)})
	}
	s.add(stroke{points: rectangle(left, y, wide, high), closed: true, line: frame, width: 0.4},
		words{at: point{left - 3, y + high - 0.6}, text: "0", size: tickSize, color: grey, anchor: end},
		words{at: point{right + 3, y + high - 0.6}, text: "1", size: tickSize, color: grey})
}

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

// rowsOf draws the rows with their labels, and the zone and the zero behind them.
func (p *plot) rowsOf(s *sheet) {
	if z := p.Zone; z != nil && z.Low < z.High {
		low, high := p.across(z.Low), p.across(z.High)
		s.add(stroke{points: rectangle(low, p.area.y, high-low, p.area.h), closed: true, fill: zoneColor})
	}
	if zero := p.x.at(0); p.x.low < 0 && p.x.high > 0 && finite(zero) {
		s.add(stroke{points: []point{{zero, p.area.y}, {zero, p.area.bottom()}}, line: frame, width: 0.7})
	}
	for i := range p.Rows {
		p.drawRow(s, &p.Rows[i], p.y.at(float64(i)))
	}
	s.add(stroke{points: []point{{p.area.x, p.area.bottom()}, {p.area.right(), p.area.bottom()}}, line: frame, width: frameWidth})
}

// drawRow draws a value with its interval, between its label and its note.
func (p *plot) drawRow(s *sheet, r *Row, y float64) {
	s.add(stroke{points: []point{{p.area.x, y}, {p.area.right(), y}}, line: gridColor, width: gridWidth, dash: []float64{0.8, 1.6}})
	base := y + tickSize*0.35
	if p.yLabels {
		s.add(words{at: point{p.area.x - tickGap, base}, text: fitted(r.Label, tickSize, p.rowNames), size: tickSize, color: black, anchor: end})
	}
	if r.Note != "" {
		s.add(words{at: point{p.area.right() + 5, base}, text: fitted(r.Note, tickSize, s.width-margin-p.area.right()-5), size: tickSize, color: grey})
	}
	k := p.look.of(r.Name)
	if low, high := p.x.at(r.Low), p.x.at(r.High); finite(low) && finite(high) && r.Low < r.High {
		if a, b, ok := clipped(point{low, y}, point{high, y}, p.area); ok {
			s.add(stroke{points: []point{a, b}, line: k.color, width: 1.3})
		}
	}
	if x := p.x.at(r.Value); finite(x) && x >= p.area.x && x <= p.area.right() {
		drawMark(s, k, point{x, y}, 2.3)
	}
}

// across returns the position of a value on the X axis. A value beyond an end is at the end, and one
// without a position at the left.
func (p *plot) across(v float64) float64 {
	if x := p.x.at(v); finite(x) {
		return min(max(x, p.area.x), p.area.right())
	}
	return p.area.x
}

// kind returns the kind of the first content that the panel has.
func (p *plot) kind() kind {
	switch {
	case p.Heat != nil && len(p.Heat.Rows) > 0 && len(p.Heat.Columns) > 0:
		return heat
	case len(p.Rows) > 0:
		return rows
	case len(p.Bars) > 0:
		return bars
	case len(p.Boxes) > 0:
		return boxes
	case p.drawn():
		return lines
	}
	return empty
}

// drawn reports whether a line has a known point.
func (p *plot) drawn() bool {
	for _, l := range p.Lines {
		for _, q := range l.Points {
			if finite(q.X) && finite(q.Y) {
				return true
			}
		}
	}
	return false
}

// categories returns the number of categories on the X axis, which are at 0, 1, 2 and so on. It is 0
// for an axis of numbers.
func (p *plot) categories() int {
	n := 0
	switch p.kind() {
	case heat:
		return len(p.Heat.Columns)
	case bars:
		for _, b := range p.Bars {
			n = max(n, len(b.Values))
		}
	case boxes:
		for _, b := range p.Boxes {
			if b.At >= 0 && b.At < 1000 {
				n = max(n, int(b.At)+1)
			}
		}
	default:
		return 0
	}
	for _, t := range p.X.Ticks {
		if t.At >= 0 && t.At < 1000 {
			n = max(n, int(t.At)+1)
		}
	}
	return max(n, 1)
}

// scales returns the scales of both axes, without positions on the sheet.
func (p *plot) scales() (x, y scale) {
	dx, dy := nothing(), nothing()
	switch p.kind() {
	case heat:
		return places(len(p.Heat.Columns)), places(len(p.Heat.Rows))
	case rows:
		for _, r := range p.Rows {
			dx.include(p.X.Log2, r.Value, r.Low, r.High)
		}
		return scaleOf(p.X, dx, false), places(len(p.Rows))
	case bars:
		dy.include(p.Y.Log2, 0)
		for _, sum := range stacked(p.Bars) {
			dy.include(p.Y.Log2, sum)
		}
		return places(p.categories()), scaleOf(p.Y, dy, false)
	case boxes:
		for _, b := range p.Boxes {
			dy.include(p.Y.Log2, b.Low, b.Q1, b.Median, b.Q3, b.High)
			dy.include(p.Y.Log2, b.Outliers...)
		}
		return places(p.categories()), scaleOf(p.Y, dy, false)
	}
	for _, l := range p.Lines {
		for _, q := range l.Points {
			if finite(q.Y) {
				dx.include(p.X.Log2, q.X)
				dy.include(p.Y.Log2, q.Y, q.Low, q.High)
			}
		}
	}
	return scaleOf(p.X, dx, p.curves()), scaleOf(p.Y, dy, false)
}

// curves reports whether a line has several points. Otherwise the panel is a scatter plot.
func (p *plot) curves() bool {
	return slices.ContainsFunc(p.Lines, func(l Line) bool { return len(l.Points) > 1 })
}

// places returns the scale of n categories.
func places(n int) scale { return scale{low: -0.5, high: float64(n) - 0.5} }

// stacked returns the height of the bars of each category, over all series.
func stacked(list []Bars) []float64 {
	var sums []float64
	for _, b := range list {
		for i, v := range b.Values {
			if i == len(sums) {
				sums = append(sums, 0)
			}
			if v > 0 {
				sums[i] += v
			}
		}
	}
	return sums
}

// kind is the content of a panel.
type kind int

const (
	empty kind = iota
	lines
	boxes
	bars
	heat
	rows
)
