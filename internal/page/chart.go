package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// drawingWidth is the width of drawings in units. Text of twelve units is readable on the
// screen of a small phone.
const drawingWidth = 360

// A scale maps values to positions in a drawing.
type scale struct {
	from, to  float64 // values
	low, high float64 // their positions
	log       bool    // logarithmic
}

// at returns the position of a value; a value beyond an end is drawn at the end.
func (s scale) at(v float64) float64 {
	from, to := s.from, s.to
	if s.log {
		v, from, to = math.Log2(v), math.Log2(from), math.Log2(to)
	}
	if !(to > from) {
		return (s.low + s.high) / 2
	}
	share := min(max((v-from)/(to-from), 0), 1)
	return s.low + share*(s.high-s.low)
}

// pixel prints a position to a tenth of a unit.
func pixel(v float64) string {
	s := strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// A dot is a point of a drawing.
type dot struct{ x, y float64 }

// pathOf draws a line through points.
func pathOf(list []dot) string {
	var b strings.Builder
	for i, p := range list {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(pixel(p.x) + " " + pixel(p.y))
	}
	return b.String()
}

// A tick is a labelled position of an axis. Anchor is the text-anchor that keeps its label
// inside the drawing.
type tick struct{ At, Text, Anchor string }

func newTick(at float64, text string) tick {
	t := tick{pixel(at), text, "middle"}
	switch half := letterWidth * float64(terminal.Width(text)) / 2; {
	case at < half:
		t.Anchor = "start"
	case at > drawingWidth-half:
		t.Anchor = "end"
	}
	return t
}

// letterWidth is the approximate width of a letter in drawings.
const letterWidth = 6.6

// An ink is the look of a run in every drawing: a colour, a dash and a mark. The inks of the
// first 64 runs differ even without colour.
type ink struct {
	Class string // of the colour: m0 to m7
	Dash  string // of lines, as SVG's stroke-dasharray
	shape int    // of the mark
}

// dashes returns the dashes of lines that are two units wide.
func dashes() [figure.Looks]string {
	return [figure.Looks]string{"", "7 2", "2 2", "10 2 2 2", "5 4", "1 3", "7 2 2 2 2 2", "12 3"}
}

// inkOf returns the ink of a run by its index in the report; below 0 it is not in the report.
func inkOf(run int) ink {
	if run < 0 {
		return ink{Class: "m-none"}
	}
	k := figure.LookOf(run)
	return ink{Class: "m" + strconv.Itoa(k.Color), Dash: dashes()[k.Dash], shape: k.Mark}
}

// mark returns the path of the mark around a point. r is the radius of the circle; the other
// shapes have about its area.
func (k ink) mark(p dot, r float64) string {
	corners := func(xy ...float64) string {
		var b strings.Builder
		b.WriteString("M" + pixel(p.x+r*xy[0]) + " " + pixel(p.y+r*xy[1]) + "l")
		for i := 2; i < len(xy); i += 2 { // relative positions are shorter
			for j, v := range []float64{r * (xy[i] - xy[i-2]), r * (xy[i+1] - xy[i-1])} {
				if text := pixel(v); text[0] != '-' && i+j > 2 {
					b.WriteByte(' ')
				}
				b.WriteString(pixel(v))
			}
		}
		return b.String() + "z"
	}
	switch k.shape {
	case 1: // square
		return corners(-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9)
	case 2: // triangle
		return corners(0, -1.2, 1.1, 0.8, -1.1, 0.8)
	case 3: // diamond
		return corners(0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0)
	case 4: // triangle, tip down
		return corners(0, 1.2, 1.1, -0.8, -1.1, -0.8)
	case 5: // plus
		return corners(-0.4, -1.2, 0.4, -1.2, 0.4, -0.4, 1.2, -0.4, 1.2, 0.4, 0.4, 0.4, 0.4, 1.2, -0.4, 1.2, -0.4, 0.4, -1.2, 0.4, -1.2, -0.4, -0.4, -0.4)
	case 6: // cross
		return corners(-1.1, -0.6, -0.6, -1.1, 0, -0.5, 0.6, -1.1, 1.1, -0.6, 0.5, 0, 1.1, 0.6, 0.6, 1.1, 0, 0.5, -0.6, 1.1, -1.1, 0.6, -0.5, 0)
	case 7: // hourglass on its side
		return corners(-1.2, -1, 0, -0.3, 1.2, -1, 1.2, 1, 0, 0.3, -1.2, 1)
	}
	d := pixel(r)
	return "M" + pixel(p.x-r) + " " + pixel(p.y) + "a" + d + " " + d + " 0 1 0 " + pixel(2*r) + " 0a" + d + " " + d + " 0 1 0 " + pixel(-2*r) + " 0z"
}

// seriesOf returns the set of runs that the charts of a report show.
func seriesOf(r *report.Report) *figure.Set {
	return &figure.Set{Runs: r.Runs, Names: report.RunNames(r.Runs), Other: func(h *verdict.RunInfo) string { return terminal.Visible(h.Model) }}
}

// A legendKey is a run of the legend with its line and its mark.
type legendKey struct {
	Name string
	Ink  ink
	Mark string
}

// legend returns the legend, which all drawings share.
func legend(r *report.Report) (keys []legendKey) {
	for i, name := range report.RunNames(r.Runs) {
		k := inkOf(i)
		keys = append(keys, legendKey{name, k, k.mark(dot{18, 8}, 4)})
	}
	return keys
}

// A run is the name and the look of a run, the same everywhere on the page.
type run struct {
	Name safeText
	// Class is the class of its colour; Mark is the path of its mark around the origin.
	Class, Mark string
}

// runs returns the runs of a report, in its order.
func runs(r *report.Report) []run {
	list := make([]run, len(r.Runs))
	for i, called := range report.RunNames(r.Runs) {
		k := inkOf(i)
		list[i] = run{safeText(called), k.Class, k.mark(dot{}, 4.4)}
	}
	return list
}

// measuresOf lists the measures that the chart of a task has a panel for.
func measuresOf(r *report.Report) []figure.Measure {
	name := "score"
	if len(r.Runs) > 0 && r.Runs[0].Head.Metric != report.MetricScore && r.Runs[0].Head.Metric != "" {
		name = string(r.Runs[0].Head.Metric) + " score"
	}
	return []figure.Measure{figure.Exact(), figure.Extracted(), figure.Score(name)}
}

// equalPanels reports whether two panels of the same runs and lengths have the same values,
// so that one drawing shows both measures.
func equalPanels(a, b *figure.Panel) bool {
	for i := range a.Lines {
		for k, p := range a.Lines[i].Points {
			q := b.Lines[i].Points[k]
			if p.Known() != q.Known() || p.Known() && math.Abs(p.Y-q.Y) > 1e-9 {
				return false
			}
		}
	}
	return true
}

// curveText describes a panel: the best and the worst run at the shortest and at the longest
// length.
func curveText(p *figure.Panel, m *figure.Measure) string {
	text := m.What + " by length"
	last := ""
	for _, tick := range []figure.Tick{p.X.Ticks[0], p.X.Ticks[len(p.X.Ticks)-1]} {
		if tick.Label == last {
			break
		}
		last = tick.Label
		var best, worst *figure.Line
		for i := range p.Lines {
			q := p.Lines[i].At(tick.Label)
			if q == nil || !q.Known() {
				continue
			}
			if best == nil || q.Y > best.At(tick.Label).Y {
				best = &p.Lines[i]
			}
			if worst == nil || q.Y < worst.At(tick.Label).Y {
				worst = &p.Lines[i]
			}
		}
		if best == nil {
			continue
		}
		say := func(l *figure.Line) string {
			t := l.At(tick.Label).Text
			if m.Percent {
				t, _, _ = strings.Cut(t, " ")
				t += " %"
			}
			return t + " (" + l.Name + ")"
		}
		text += "; at " + terminal.Truncate(terminal.Visible(tick.Label), 24) + ": " + say(best)
		if worst != best {
			text += " down to " + say(worst)
		}
	}
	return text + "."
}

// A rankChart shows the leaderboard: mean scores with their intervals, rank intervals, and
// the probability of each rank.
type rankChart struct {
	ID, Text    string
	Metric      string // names the mean
	Height      string
	Left        string // where names and intervals begin, after the ranks
	Axis, TickY string
	FrameX      string // of strips whose cells have no frames of their own; otherwise empty
	FrameW      string
	Ticks       []tick
	Last        string // the last rank
	Rows        []rankRow
	Ranks       []string
}

// A rankRow is a run. Mark and Range are empty if it has no answer.
type rankRow struct {
	Name, Full, Rank  string
	Ink               ink
	Mean, Range       string
	NameY, Y, RuleY   string
	Low, High         string
	CapTop, CapBottom string
	Mark              string
	Strip             []stripCell
	StripY, StripH    string
	Tied              string
}

// A stripCell is the probability of a rank, as one of six shades. It is not Drawn if the run
// has no rank, or if it is nearly 0 in a strip whose cells are too thin for frames.
type stripCell struct {
	X, Width, Class, Text string
	Drawn                 bool
}

const (
	rankHeight = 44.0
	rankTop    = 22.0
	rankLeft   = 40.0  // where names begin if ranks have one digit
	rankFar    = 54.0  // where names begin if ranks have two digits
	rankMiddle = 236.0 // the end of the intervals; the numbers follow
	mostStrip  = 132.0 // the largest width of a strip
	mostFrames = 16    // the largest number of ranks whose cells have frames
)

// rankBars returns the chart of the leaderboard; without one it has no rows.
func rankBars(r *report.Report) rankChart {
	c := rankChart{ID: "ranks"}
	board := r.Leaderboard
	if board == nil || len(board.Places) == 0 {
		return c
	}
	rows := seriesOf(r).Ranks(board)
	x := scale{from: 1, to: 0, low: rankLeft, high: rankMiddle}
	for _, row := range rows {
		if !math.IsNaN(row.Value) {
			x.from, x.to = min(x.from, row.Low), max(x.to, row.High)
		}
		if row.Place.Rank > 0 {
			c.Ranks = append(c.Ranks, strconv.Itoa(len(c.Ranks)+1))
		}
	}
	ranks := len(c.Ranks)
	if ranks > 9 {
		x.low = rankFar
	}
	c.Left = pixel(x.low)
	if ranks > mostFrames {
		c.FrameX, c.FrameW = pixel(drawingWidth-mostStrip), pixel(mostStrip)
	}
	c.Last = strconv.Itoa(ranks)
	for i := range rows {
		c.Rows = append(c.Rows, newRankRow(rows, i, x, rankTop+rankHeight*float64(i), ranks))
	}
	bottom := rankTop + rankHeight*float64(len(rows))
	c.Axis, c.TickY, c.Height = pixel(bottom), pixel(bottom+15), pixel(bottom+20)
	c.ticks(x)
	best := &c.Rows[0]
	c.Metric = "mean " + string(name(cmp.Or(board.Metric, string(report.MetricScore))))
	c.Text = "Means with their intervals and the ranks that they may have. First is " + best.Full + " with " + best.Mean + " (" + best.Range + "), rank " + best.Rank + " of " + c.Last + "."
	return c
}

// ticks puts up to five round numbers on the axis.
func (c *rankChart) ticks(x scale) {
	step := 0.001
	for _, s := range []float64{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1} {
		if (x.to-x.from)/step <= 4 {
			break
		}
		step = s
	}
	decimals := 3
	for _, at := range []float64{0.01, 0.1} {
		if step >= at && step != 0.25 {
			decimals--
		}
	}
	for i := int(math.Ceil(x.from/step - 1e-9)); float64(i)*step <= x.to+1e-9 && len(c.Ticks) < 20; i++ {
		c.Ticks = append(c.Ticks, newTick(x.at(float64(i)*step), number.Fixed(float64(i)*step, decimals)))
	}
}

func newRankRow(rows []figure.Row, i int, x scale, top float64, ranks int) rankRow {
	p, value := rows[i].Place, rows[i].Value
	k, y := inkOf(rows[i].Run), top+29
	row := rankRow{
		Name: terminal.Truncate(rows[i].Label, 24), Full: terminal.Truncate(rows[i].Label, 60), Rank: figure.RankText(p), Ink: k, Mean: missing,
		NameY: pixel(top + 14), Y: pixel(y), RuleY: pixel(top), CapTop: pixel(y - 3.5), CapBottom: pixel(y + 3.5), StripY: pixel(top + 5), StripH: "11",
		Strip: strip(p.RankProbabilities, ranks),
	}
	if !math.IsNaN(value) {
		row.Mean, row.Range = number.Fixed(value, 3), number.Fixed(p.Low, 3)+"–"+number.Fixed(p.High, 3)
		row.Low, row.High, row.Mark = pixel(x.at(p.Low)), pixel(x.at(p.High)), k.mark(dot{x.at(value), y}, 4)
	}
	var tied []string
	for _, t := range p.Indistinguishable {
		if t >= 0 && t < len(rows) {
			tied = append(tied, terminal.Truncate(rows[t].Label, 60))
		}
	}
	row.Tied = number.Names(tied)
	return row
}

// strip returns a cell for each rank. Without probabilities the run is not ranked.
func strip(probabilities []float64, ranks int) []stripCell {
	width := min(mostStrip/float64(ranks), 16)
	first := drawingWidth - width*float64(ranks)
	cells := make([]stripCell, ranks)
	for rank := range cells {
		if rank >= len(probabilities) {
			cells[rank].Text = missing
			continue
		}
		p := probabilities[rank]
		cell := stripCell{pixel(first + width*float64(rank)), pixel(max(width-1, 0.5)), chanceClass(p), number.Probability(p), true}
		if ranks > mostFrames {
			cell.Width, cell.Drawn = pixel(width), cell.Class != chanceClass(0)
		}
		cells[rank] = cell
	}
	return cells
}

// chanceClass returns the class of a probability, from c0 (nearly 0) to c5.
func chanceClass(p float64) string {
	switch {
	case p < 0.01:
		return "c0"
	case p < 0.1:
		return "c1"
	case p < 0.35:
		return "c2"
	case p < 0.65:
		return "c3"
	case p < 0.9:
		return "c4"
	}
	return "c5"
}

// A curveChart shows measures of one family over length: a panel for each measure, with a
// line for each run.
type curveChart struct {
	ID     string
	Family string
	Panels []curvePanel
	// Wide is the class of its width, by the number of its panels.
	Wide string
	// Same names the measures without a panel, which are equal to the first.
	Same string
}

// A curvePanel is one measure over length.
type curvePanel struct {
	ID, Title, Text string
	Axis            string // the unit of its numbers; empty: none
	XTicks, YTicks  []tick
	Half            string // the height of the line at one half
	Left, Right     string
	Top, Bottom     string
	Height, Middle  string
	Bands           []drawn
	Many            bool // there are many runs, so that their bands must be faint
	Lines           []drawn
	Whiskers        []drawn
	Marks           []drawn
	Hits            []hit
	Names           []string
	Rows            []curveRow
}

// A drawn is a path in the ink of a run.
type drawn struct {
	Ink  ink
	Path string
}

// A hit is a stripe of the drawing that shows its numbers under a pointer.
type hit struct{ X, Width, Text string }

// A curveRow has the numbers of one length, a cell for each run.
type curveRow struct {
	Length string
	Cells  []string
}

const (
	curveLeft, curveRight = 44.0, drawingWidth - 10.0
	curveTop, curveBottom = 20.0, 180.0
	// mostBands is the largest number of runs with bands: more bands hide each other.
	mostBands = 8
	// mostWhiskers is the largest number of lengths at which the interval of one answer is
	// drawn.
	mostWhiskers = 16
	// mostStripes is the largest number of cells of a panel with stripes for the pointer.
	mostStripes = 400
)

// curves returns a chart for each family, in the order of the first run that has it.
func curves(r *report.Report) []curveChart {
	var list []curveChart
	series := seriesOf(r)
	for _, name := range figure.Tasks(r.Runs) {
		c := curveChart{ID: fmt.Sprintf("curve-%d", len(list)), Family: terminal.Truncate(terminal.Visible(name), 60)}
		var same []string
		var first figure.Panel
		for i, m := range measuresOf(r) {
			shown := series.Curves(name, m)
			if len(shown.X.Ticks) == 0 {
				break
			}
			if i == 0 {
				first = shown
			} else if equalPanels(&first, &shown) {
				same = append(same, m.Name)
				continue
			}
			p := newCurvePanel(&shown, series.Names, &m)
			p.ID = fmt.Sprintf("%s-%d", c.ID, i)
			p.Text = c.Family + ": " + p.Text
			c.Panels = append(c.Panels, p)
		}
		if len(c.Panels) == 0 {
			continue
		}
		if n := len(c.Panels); n > 1 {
			c.Wide = "vb-wide" + strconv.Itoa(n)
		}
		c.Same = strings.Join(same, " and ")
		list = append(list, c)
	}
	return list
}

// A curveNotes says what the charts of lengths contain, for the text above them.
type curveNotes struct {
	Intervals bool
	Once      bool // every length has one answer, so there are no lines
	Some      bool // some lengths have one answer
}

func newCurveNotes(r *report.Report, charts []curveChart) curveNotes {
	var v curveNotes
	often := false
	for i := range r.Runs {
		for j := range r.Runs[i].Families {
			for k := range r.Runs[i].Families[j].Lines {
				n := r.Runs[i].Families[j].Lines[k].Exact.Of
				v.Some, often = v.Some || n == 1, often || n > 1
			}
		}
	}
	v.Once = v.Some && !often
	for i := range charts {
		for _, p := range charts[i].Panels {
			v.Intervals = v.Intervals || len(p.Bands)+len(p.Whiskers) > 0
		}
	}
	return v
}

// newCurvePanel draws the curves of a measure.
func newCurvePanel(shown *figure.Panel, names []string, m *figure.Measure) curvePanel {
	p := curvePanel{
		Title: m.Name, Names: names, Many: len(names) > 4, Text: curveText(shown, m),
		Left: pixel(curveLeft), Right: pixel(curveRight), Top: pixel(curveTop), Bottom: pixel(curveBottom),
		Height: pixel(curveBottom - curveTop), Middle: pixel((curveLeft + curveRight) / 2),
	}
	x := newLengthAxis(shown.X, curveLeft+10, curveRight-10)
	p.XTicks = x.Ticks
	y := scale{from: 0, to: 1, low: curveBottom, high: curveTop}
	for _, l := range shown.Lines { // a mean of published scores may lie below 0
		for _, q := range l.Points {
			if q.Known() {
				y.from, y.to = min(y.from, q.Y), max(y.to, q.Y)
			}
		}
	}
	p.Half = pixel(y.at(0.5))
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if m.Percent {
			text = strconv.FormatFloat(100*v, 'g', -1, 64) + " %"
		}
		p.YTicks = append(p.YTicks, newTick(y.at(v), text))
	}
	if m.Percent {
		p.Axis = "%"
	}
	for run := range shown.Lines {
		p.draw(inkOf(run), &shown.Lines[run], x, y)
	}
	p.addNumbers(shown, x, len(names)*len(x.keys) <= mostStripes)
	return p
}

// draw draws the line of a run with its band. A length with one answer has a mark and no
// line. Its interval is drawn if there is one run and there are few lengths; otherwise
// intervals would hide each other.
func (p *curvePanel) draw(k ink, line *figure.Line, x *lengthAxis, y scale) {
	var marks strings.Builder
	var s segment
	for i, key := range x.keys {
		q := line.At(key.Label)
		if q == nil {
			continue
		}
		if !q.Known() || q.N < 2 {
			p.addSegment(k, s)
			s = segment{}
		}
		if !q.Known() {
			continue
		}
		at, high, low := dot{x.at[i], y.at(q.Y)}, dot{x.at[i], y.at(q.High)}, dot{x.at[i], y.at(q.Low)}
		marks.WriteString(k.mark(at, 3.2))
		hasInterval := q.Low < q.High
		if q.N < 2 {
			if hasInterval && len(p.Names) == 1 && len(x.keys) <= mostWhiskers {
				p.addWhisker(k, high, low)
			}
			continue
		}
		s.line = append(s.line, at)
		if hasInterval {
			s.high, s.low = append(s.high, high), append(s.low, low)
		}
	}
	p.addSegment(k, s)
	if marks.Len() > 0 {
		p.Marks = append(p.Marks, drawn{k, marks.String()})
	}
}

// A segment is a part of a line without gaps, with the ends of its intervals.
type segment struct{ line, high, low []dot }

func (p *curvePanel) addSegment(k ink, s segment) {
	if len(s.line) > 1 {
		p.Lines = append(p.Lines, drawn{k, pathOf(s.line)})
	}
	switch {
	case len(p.Names) > mostBands || len(s.high) == 0:
	case len(s.high) == 1: // a band needs two lengths
		p.addWhisker(k, s.high[0], s.low[0])
	default:
		slices.Reverse(s.low)
		p.Bands = append(p.Bands, drawn{k, pathOf(append(s.high, s.low...)) + "z"})
	}
}

func (p *curvePanel) addWhisker(k ink, high, low dot) {
	p.Whiskers = append(p.Whiskers, drawn{k, pathOf([]dot{high, low})})
}

// addNumbers adds the table of the panel's numbers. With stripes, it also adds the areas that
// show the numbers of a length under a pointer.
func (p *curvePanel) addNumbers(shown *figure.Panel, x *lengthAxis, stripes bool) {
	for i, key := range x.keys {
		row := curveRow{Length: terminal.Truncate(terminal.Visible(key.Label), 24)}
		text := "length " + row.Length
		for run := range shown.Lines {
			q := shown.Lines[run].At(key.Label)
			if q == nil {
				row.Cells = append(row.Cells, "")
				continue
			}
			row.Cells = append(row.Cells, q.Text)
			text += "\n" + q.Text + "  " + p.Names[run]
		}
		p.Rows = append(p.Rows, row)
		if !stripes {
			continue
		}
		low, high := curveLeft, curveRight
		if i > 0 {
			low = (x.at[i-1] + x.at[i]) / 2
		}
		if i+1 < len(x.at) {
			high = (x.at[i] + x.at[i+1]) / 2
		}
		p.Hits = append(p.Hits, hit{pixel(low), pixel(high - low), text})
	}
}

// A lengthAxis has the positions of lengths from left to right.
type lengthAxis struct {
	keys  []figure.Tick
	at    []float64
	Ticks []tick
}

// newLengthAxis spreads lengths between two positions: numbers by the scale of the axis,
// words at equal distances.
func newLengthAxis(x figure.Axis, low, high float64) *lengthAxis {
	a := &lengthAxis{keys: x.Ticks}
	hasWords := slices.ContainsFunc(x.Ticks, func(t figure.Tick) bool { return math.IsNaN(t.At) })
	s := scale{from: x.Min, to: x.Max, low: low, high: high, log: x.Log2}
	if hasWords {
		s = scale{from: -0.5, to: float64(len(x.Ticks)) - 0.5, low: low, high: high}
	}
	for i, t := range x.Ticks {
		if hasWords {
			t.At = float64(i)
		}
		a.at = append(a.at, s.at(t.At))
	}
	a.label(high)
	return a
}

// label makes ticks of as many lengths as fit, the longest always among them.
func (a *lengthAxis) label(high float64) {
	const gap = 6
	left := high + drawingWidth // of the label to the right
	for i := len(a.keys) - 1; i >= 0; i-- {
		text := terminal.Truncate(terminal.Visible(a.keys[i].Label), 9)
		half := letterWidth * float64(terminal.Width(text)) / 2
		if a.at[i]+half+gap > left {
			continue
		}
		left = a.at[i] - half
		a.Ticks = append(a.Ticks, newTick(a.at[i], text))
	}
	slices.Reverse(a.Ticks)
}

// A heatTable shows the exact shares of one run, a row for each family and a column
// for each length, as numbers on colours.
type heatTable struct {
	ID, Name string
	Ink      ink
	Lengths  []string
	Rows     []heatRow
}

// A heatRow is a family with a cell for each length.
type heatRow struct {
	Family string
	Cells  []heatCell
}

// A heatCell is an exact share. Class is its colour, q0 to q9, a tenth of all shares each. It
// is empty without answers; without requests, Text is empty too.
type heatCell struct{ Class, Text, Title string }

// heatmap returns a table for each run.
func heatmap(r *report.Report) []heatTable {
	lengths, series := lengthsOf(r, figure.Tasks(r.Runs)...), seriesOf(r)
	var list []heatTable
	for i, name := range series.Names {
		h := series.Heat(i, figure.Tasks(r.Runs[i:i+1]), lengths)
		t := heatTable{ID: "heat-" + strconv.Itoa(i), Name: name, Ink: inkOf(i)}
		for _, label := range h.Columns {
			t.Lengths = append(t.Lengths, terminal.Truncate(terminal.Visible(label), 12))
		}
		for j, task := range h.Rows {
			row := heatRow{Family: terminal.Truncate(terminal.Visible(task), 32)}
			for k, v := range h.Values[j] {
				row.Cells = append(row.Cells, newHeatCell(v, h.Notes[j][k]))
			}
			t.Rows = append(t.Rows, row)
		}
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	return list
}

func newHeatCell(v float64, note string) heatCell {
	switch {
	case note == "":
		return heatCell{}
	case math.IsNaN(v):
		return heatCell{Text: missing, Title: note}
	}
	tenth := min(max(int(v*10), 0), 9)
	return heatCell{"q" + strconv.Itoa(tenth), number.WholePercent(&v), note}
}

// A forestPanel shows differences with their intervals and verdicts, a row for each, on one
// scale. A difference is the run minus its baseline.
type forestPanel struct {
	ID, Title, Text string
	Head            string // of the first column of the table
	Height          string
	Bottom          string // of the axis
	Zero            string
	RopeX, RopeW    string
	Rope            string
	Ticks           []tick
	TickY           string
	EndY            string
	Holm            bool // the verdicts are by adjusted p-values
	Rows            []forestRow
}

// A forestRow is one difference.
type forestRow struct {
	Name, Full             string
	Ink                    ink
	Word, Sign, Class, Why string
	Numbers                string
	NameY, Y               string
	Low, High              string
	CapTop, CapBottom      string
	Mark                   string
	Items, A, B            string
	Difference, Range      string
	Worse, Same, Better    string
	Adjusted               string
}

const (
	forestHeight = 38.0 // of a row
	forestEdge   = 8.0
	forestTop    = 4.0
)

// overallForest returns the differences of all comparisons of the report; nil without any.
func overallForest(r *report.Report) *forestPanel {
	if len(r.Comparisons) == 0 {
		return nil
	}
	shown := seriesOf(r).Differences(r.Comparisons)
	for i, c := range r.Comparisons {
		_, shown.Rows[i].Label = layout.PairNames(c)
	}
	p := newForestPanel("forest-all", &shown)
	a, _ := layout.PairNames(r.Comparisons[0])
	p.Title, p.Head = "all items", "model"
	p.Text = "Differences of the mean scores, each model less the baseline " + terminal.Truncate(a, 60) + ", with their intervals." + wordCount(shown.Rows)
	return &p
}

// comparisonForests returns the differences of a comparison, given by its index, by task and
// by length. It leaves out the one that has no rows.
func comparisonForests(r *report.Report, index int) (panels []forestPanel) {
	c := r.Comparisons[index]
	a, b := layout.PairNames(c)
	for j, table := range []struct {
		head string
		rows []verdict.Row
	}{{"task", c.Families}, {"length", c.Lengths}} {
		if len(table.rows) == 0 {
			continue
		}
		shown := seriesOf(r).DifferencesBy(c, table.rows)
		p := newForestPanel(fmt.Sprintf("forest-%d-%d", index, j), &shown)
		p.Holm = true
		p.Title, p.Head = "by "+table.head, table.head
		p.Text = fmt.Sprintf("Differences by %s of %s less %s with their intervals.%s", table.head, terminal.Truncate(b, 60), terminal.Truncate(a, 60), wordCount(shown.Rows))
		panels = append(panels, p)
	}
	return panels
}

// newForestPanel draws rows on a scale that holds every interval, zero and the equivalence
// margin.
func newForestPanel(id string, shown *figure.Panel) forestPanel {
	x := scale{from: shown.X.Min, to: shown.X.Max, low: forestEdge, high: drawingWidth - forestEdge}
	if x.to <= x.from {
		x.from, x.to = -1, 1
	}
	rope := 0.0
	if shown.Zone != nil {
		rope = shown.Zone.High
	}
	bottom := forestTop + forestHeight*float64(len(shown.Rows)) + 2
	p := forestPanel{
		ID: id, Height: pixel(bottom + 36), Bottom: pixel(bottom), Zero: pixel(x.at(0)), RopeX: pixel(x.at(-rope)), RopeW: pixel(x.at(rope) - x.at(-rope)),
		Rope: strconv.FormatFloat(rope, 'g', -1, 64), TickY: pixel(bottom + 15), EndY: pixel(bottom + 31),
	}
	p.ticks(x)
	for i := range shown.Rows {
		p.Rows = append(p.Rows, newForestRow(&shown.Rows[i], x, forestTop+forestHeight*float64(i)))
	}
	return p
}

// ticks puts at most seven round numbers on the axis, zero among them.
func (p *forestPanel) ticks(x scale) {
	step := 0.01
	for _, s := range []float64{0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1} {
		if (x.to-x.from)/step <= 6 {
			break
		}
		step = s
	}
	decimals := 2
	if step >= 0.1 && step != 0.25 {
		decimals = 1
	}
	for i := int(math.Ceil(x.from / step)); float64(i)*step <= x.to && len(p.Ticks) < 20; i++ {
		v := float64(i) * step
		p.Ticks = append(p.Ticks, newTick(x.at(v), number.Signed(v, decimals)))
	}
}

func newForestRow(r *figure.Row, x scale, top float64) forestRow {
	d, k := &r.Verdict.Difference, inkOf(r.Run)
	sign, class := wordSign(r.Verdict.Word)
	y := top + 25
	row := forestRow{
		Name: terminal.Truncate(r.Label, 30), Full: terminal.Truncate(r.Label, 80), Ink: k, Word: string(r.Verdict.Word), Sign: sign, Class: class,
		Why: whyText(&r.Verdict.Verdict), NameY: pixel(top + 12), Y: pixel(y),
		Low: pixel(x.at(d.Low)), High: pixel(x.at(d.High)), CapTop: pixel(y - 3.5), CapBottom: pixel(y + 3.5),
		Mark:  k.mark(dot{x.at(d.Value), y}, 4),
		Items: number.Count(r.Verdict.Items), A: number.Fixed(r.Verdict.A.Mean, 3), B: number.Fixed(r.Verdict.B.Mean, 3),
		Difference: number.Signed(d.Value, 3), Range: number.SignedRange(d.Low, d.High, 3),
		Worse: number.Probability(d.Worse), Same: number.Probability(d.Equivalent), Better: number.Probability(d.Better),
		Adjusted: number.PValue(r.Verdict.Adjusted),
	}
	row.Numbers = row.Difference + " (" + row.Range + ")"
	return row
}

// wordSign returns the sign of a verdict and the class of its colour. The sign tells the
// verdicts apart where colours are not seen.
func wordSign(w verdict.Word) (sign, class string) {
	switch w {
	case verdict.Better:
		return "▲", "vb-better"
	case verdict.Worse:
		return "▼", "vb-worse"
	case verdict.Equivalent:
		return "≈", "vb-even"
	case verdict.Pass:
		return "✓", "vb-better"
	case verdict.Withheld:
		return "∅", "vb-unknown"
	}
	return "?", "vb-unknown"
}

// whyText gives the reason of a withheld verdict, or the items that would settle it.
func whyText(v *verdict.Verdict) string {
	if len(v.Why) > 0 {
		reasons := make([]string, len(v.Why))
		for i, why := range v.Why {
			reasons[i] = terminal.Truncate(terminal.Visible(why), 300)
		}
		return strings.Join(reasons, "; ")
	}
	return layout.Settling(v.ItemsNeeded)
}

// wordCount is a sentence that counts the verdicts; empty without any.
func wordCount(rows []figure.Row) string {
	var counts []string
	for _, w := range []verdict.Word{verdict.Better, verdict.Equivalent, verdict.Worse, verdict.Pass, verdict.Inconclusive, verdict.Withheld} {
		n := 0
		for _, r := range rows {
			if r.Verdict.Word == w {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, strconv.Itoa(n)+" "+string(w))
		}
	}
	if counts == nil {
		return ""
	}
	return " Verdicts: " + strings.Join(counts, ", ") + "."
}
