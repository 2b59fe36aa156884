package page

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/chart"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A curveChart shows what becomes of the answers of one family as its items grow: a
// panel for each measure, with all runs in each.
type curveChart struct {
	ID     string
	Family string
	Panels []curvePanel
	// Wide is the class of its width, by the number of its panels.
	Wide string
	// Same names the measures that have no panel, since they are equal to the first.
	Same string
}

// A curvePanel is one measure over length.
type curvePanel struct {
	ID, Title, Text string
	Axis            string // the unit of its numbers; empty: none
	XTicks, YTicks  []tick
	Half            string // the place of the line of 50 %
	Left, Right     string
	Top, Bottom     string
	Height, Middle  string
	Bands           []drawn
	Many            bool // runs: their bands must be faint
	Lines           []drawn
	Whiskers        []drawn
	Marks           []drawn
	Hits            []hit
	Names           []string
	Rows            []curveRow
}

// drawn is a path in the ink of a run.
type drawn struct {
	Ink  ink
	Path string
}

// A hit is a stripe of the drawing that tells its numbers where a pointer rests.
type hit struct{ X, Width, Text string }

// A curveRow is the numbers of one length, a cell for each run.
type curveRow struct {
	Length string
	Cells  []string
}

const (
	curveLeft, curveRight = 44.0, drawingWidth - 10.0
	curveTop, curveBottom = 20.0, 180.0
	// mostBands is how many runs may have bands: more of them, one upon the other,
	// show nothing.
	mostBands = 8
	// mostWhiskers is how many lengths may have one answer with its interval.
	mostWhiskers = 16
)

// curves returns a chart for each family, in the order of the first run that has it.
func curves(r *report.Report) []curveChart {
	var list []curveChart
	series := seriesOf(r)
	for _, name := range chart.Tasks(r.Runs) {
		c := curveChart{ID: fmt.Sprintf("curve-%d", len(list)), Family: terminal.Truncate(terminal.Visible(name), 60)}
		var same []string
		var first chart.Panel
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

// A drawnView says what the charts of lengths show.
type drawnView struct {
	Intervals bool
	// Once: every length was asked once, so that there are no lines. Some: some were.
	Once, Some bool
}

func newDrawn(r *report.Report, charts []curveChart) drawnView {
	var v drawnView
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
func newCurvePanel(shown *chart.Panel, names []string, m *chart.Measure) curvePanel {
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
	p.tell(shown, x, len(names)*len(x.keys) <= 400)
	return p
}

// draw draws the line of a run with its band. A length with one answer has a mark, and
// no line goes through it: it says next to nothing, as its interval shows where there are
// few of them and one run (others would hide each other).
func (p *curvePanel) draw(k ink, line *chart.Line, x *lengthAxis, y scale) {
	var marks strings.Builder
	var run, high, low []dot
	whisker := func(high, low dot) { p.Whiskers = append(p.Whiskers, drawn{k, pathOf([]dot{high, low})}) }
	flush := func() {
		if len(run) > 1 {
			p.Lines = append(p.Lines, drawn{k, pathOf(run)})
		}
		switch {
		case len(p.Names) > mostBands || len(high) == 0:
		case len(high) == 1: // a band needs two lengths
			whisker(high[0], low[0])
		default:
			around := append([]dot(nil), high...)
			for i := len(low) - 1; i >= 0; i-- {
				around = append(around, low[i])
			}
			p.Bands = append(p.Bands, drawn{k, pathOf(around) + "z"})
		}
		run, high, low = nil, nil, nil
	}
	for i, key := range x.keys {
		q := line.At(key.Label)
		if q == nil {
			continue
		}
		if !q.Known() {
			flush()
			continue
		}
		at := dot{x.at[i], y.at(q.Y)}
		marks.WriteString(k.mark(at, 3.2))
		known := q.Low < q.High
		if q.N < 2 {
			flush()
			if known && len(p.Names) == 1 && len(x.keys) <= mostWhiskers {
				whisker(dot{at.x, y.at(q.High)}, dot{at.x, y.at(q.Low)})
			}
			continue
		}
		run = append(run, at)
		if known {
			high, low = append(high, dot{at.x, y.at(q.High)}), append(low, dot{at.x, y.at(q.Low)})
		}
	}
	flush()
	if marks.Len() > 0 {
		p.Marks = append(p.Marks, drawn{k, marks.String()})
	}
}

// tell makes the table of the panel's numbers and the stripes that tell them.
func (p *curvePanel) tell(shown *chart.Panel, x *lengthAxis, stripes bool) {
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
