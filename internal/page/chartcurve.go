package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

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
