package sortbench

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/chart"
	"verbatim/internal/figure"
	"verbatim/internal/listsort"
	"verbatim/internal/paper"
	"verbatim/internal/study"
	"verbatim/internal/terminal"
)

// replyFigures are Figures 1 and 2, each where the runs hold what it takes.
func (a *analysis) replyFigures() []paper.Figure {
	var list []paper.Figure
	if f, ok := a.reasoningFigure(); ok {
		list = append(list, f)
	}
	if f, ok := a.kindFigure(); ok {
		list = append(list, f)
	}
	return list
}

// validities lists the values of the ValidityScore.
func validities() []float64 { return []float64{0, 0.5, 0.75, 1} }

// reasoningFigure is Figure 1: how long a model thought, by the validity of what it
// then said, a panel for each model that shows it.
func (a *analysis) reasoningFigure() (paper.Figure, bool) {
	f := paper.Figure{Number: 1, Name: "figure-01", Figure: figure.Figure{}}
	var words, units []string
	for _, e := range a.ordered() {
		by, tokens := e.reasoning.sizes()
		unit := "characters of <think> text"
		if tokens {
			unit = "reasoning tokens"
		}
		p := chart.Panel{Title: e.name, X: chart.Axis{Label: "ValidityScore", Min: -0.5, Max: float64(len(validities())) - 0.5}, Y: chart.Axis{Label: unit}}
		for i, v := range validities() {
			sample := by[v]
			p.X.Ticks = append(p.X.Ticks, chart.Tick{At: float64(i), Label: strconv.FormatFloat(v, 'g', -1, 64)})
			if len(sample) == 0 {
				continue
			}
			b := chart.BoxOf(e.name, float64(i), sample)
			p.Boxes = append(p.Boxes, b)
			words = append(words, fmt.Sprintf("%s, ValidityScore %g: median %.0f, quartiles %.0f and %.0f, %s", e.name, v, b.Median, b.Q1, b.Q3, study.Plural(b.N, "answer")))
		}
		if len(p.Boxes) > 0 {
			scaled(&p)
			f.Figure.Panels = append(f.Figure.Panels, p)
			if !slices.Contains(units, unit) {
				units = append(units, unit)
			}
		}
	}
	f.Caption = fmt.Sprintf("How long models reasoned (%s) before answers of each ValidityScore. Boxes are quartiles; whiskers reach the last value within 1.5 times their distance; the scale is logarithmic unless it has a 0.", strings.Join(units, "; "))
	f.Text = f.Caption + " " + strings.Join(words, "; ") + "."
	return f, len(f.Figure.Panels) > 0
}

// scaled gives a panel of boxes an axis for all values.
func scaled(p *chart.Panel) {
	least, most := p.Boxes[0].Low, 0.0
	for _, b := range p.Boxes {
		least, most = min(least, b.Low), max(most, b.High, slices.Max(append(b.Outliers, b.High)))
	}
	p.Y = chart.CountAxis(p.Y.Label, least, most)
}

// A kindCount is how often models wrote one kind of list that is not valid Python.
type kindCount struct {
	kind string
	n    int
}

// kindCounts lists the kinds, the commonest first.
func (a *analysis) kindCounts() []kindCount {
	sums := make(map[string]int)
	for _, e := range a.all {
		for kind, n := range e.kinds {
			sums[kind] += n
		}
	}
	var list []kindCount
	for _, kind := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, kindCount{kind, sums[kind]})
	}
	listsort.Stable(list, func(x, y kindCount) int { return cmp.Compare(y.n, x.n) })
	return list
}

// frequentKinds is how many kinds have a panel of their own: those that appear
// hundreds of times, where the others are corner cases.
const frequentKinds = 2

// kindFigure is Figure 2: the kinds of lists that were not valid Python.
func (a *analysis) kindFigure() (paper.Figure, bool) {
	f := paper.Figure{
		Number: 2, Name: "figure-02",
		Caption: "The kinds of lists that were no valid Python and could still be read, by model: the two commonest to the left, the others to the right on a scale of their own.",
		Figure:  figure.Figure{Legend: true, Columns: 2},
	}
	kinds := a.kindCounts()
	cut := min(frequentKinds, len(kinds))
	for _, some := range [][]kindCount{kinds[:cut], kinds[cut:]} {
		if len(some) > 0 {
			f.Figure.Panels = append(f.Figure.Panels, a.kindPanel(some))
		}
	}
	var words []string
	for _, k := range kinds {
		words = append(words, terminal.Visible(k.kind)+": "+strconv.Itoa(k.n))
	}
	f.Text = f.Caption + " " + strings.Join(words, "; ") + "."
	return f, len(kinds) > 0
}

func (a *analysis) kindPanel(kinds []kindCount) chart.Panel {
	p := chart.Panel{Y: chart.Axis{Label: "answers"}}
	for i, k := range kinds {
		p.X.Ticks = append(p.X.Ticks, chart.Tick{At: float64(i), Label: abridged(terminal.Visible(k.kind)), Full: terminal.Visible(k.kind)})
	}
	for _, e := range a.ordered() {
		bars := chart.Bars{Name: e.name}
		for _, k := range kinds {
			bars.Values = append(bars.Values, float64(e.kinds[k.kind]))
		}
		p.Bars = append(p.Bars, bars)
	}
	return p
}

// figureGaps says why figures are not there, and what those that are leave out.
func (a *analysis) figureGaps() []string {
	replies, kinds, shown := 0, 0, 0
	var mute []string
	for _, e := range a.all {
		if e.replies == 0 {
			mute = append(mute, e.name)
		}
		replies += e.replies
		kinds += len(e.kinds)
		if by, _ := e.reasoning.sizes(); len(by) > 0 {
			shown++
		}
	}
	var lines []string
	switch {
	case replies == 0 && kinds == 0:
		lines = append(lines, "Figures 1 and 2 are made from what the models wrote, and these runs hold scores only: import the outputs ('verbatim import sortbench', with a checkout of the published repository) to have them.")
	case replies == 0:
		lines = append(lines, "Figure 1 is made from what the models wrote, and these runs hold scores only.")
	case shown == 0:
		lines = append(lines, "There is no Figure 1: no model shows how long it reasoned, by tokens that the server counted or by text.")
	}
	if replies > 0 && len(mute) > 0 {
		lines = append(lines, "Figures 1 and 2 are without "+named(mute)+": only scores are known of them, and no replies.")
	}
	if replies > 0 && kinds == 0 {
		lines = append(lines, "There is no Figure 2: every list was valid Python, or could not be read at all.")
	}
	return lines
}
