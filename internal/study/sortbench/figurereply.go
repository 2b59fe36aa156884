package sortbench

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/paper"
	"verbatim/internal/study"
	"verbatim/internal/terminal"
)

// replyFigures returns Figures 1 and 2, without those that the runs have no data for.
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

// reasoningFigure is Figure 1: the length of the reasoning by the validity of the answer, a panel
// for each model with reasoning. It is false without any.
func (a *analysis) reasoningFigure() (paper.Figure, bool) {
	f := paper.Figure{Number: 1, Name: "figure-01"}
	var words, units []string
	for _, e := range a.ordered() {
		by, tokens := e.reasoning.sizes()
		unit := "characters of <think> text"
		if tokens {
			unit = "reasoning tokens"
		}
		p := figure.Panel{Title: e.name, X: figure.Axis{Label: "ValidityScore", Min: -0.5, Max: float64(len(validities())) - 0.5}, Y: figure.Axis{Label: unit}}
		for i, v := range validities() {
			sample := by[v]
			p.X.Ticks = append(p.X.Ticks, figure.Tick{At: float64(i), Label: strconv.FormatFloat(v, 'g', -1, 64)})
			if len(sample) == 0 {
				continue
			}
			b := figure.BoxOf(e.name, float64(i), sample)
			p.Boxes = append(p.Boxes, b)
			words = append(words, fmt.Sprintf("%s, ValidityScore %g: median %.0f, quartiles %.0f and %.0f, %s", e.name, v, b.Median, b.Q1, b.Q3, study.Plural(b.N, "answer")))
		}
		if len(p.Boxes) > 0 {
			fitAxis(&p)
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

// fitAxis gives a panel of boxes a Y axis for all values.
func fitAxis(p *figure.Panel) {
	least, most := p.Boxes[0].Low, 0.0
	for _, b := range p.Boxes {
		least, most = min(least, b.Low), max(most, b.High, slices.Max(append(b.Outliers, b.High)))
	}
	p.Y = figure.CountAxis(p.Y.Label, least, most)
}

// A kindCount is how often models wrote one kind of list that is not valid Python.
type kindCount struct {
	kind string
	n    int
}

// kindCounts counts each kind over all models, the commonest first.
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
	slices.SortStableFunc(list, func(x, y kindCount) int { return cmp.Compare(y.n, x.n) })
	return list
}

// frequentKinds is the number of kinds in the first panel. In the paper they appear hundreds of
// times, and the others rarely.
const frequentKinds = 2

// kindFigure is Figure 2: the kinds of lists that are not valid Python. It is false without any.
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

func (a *analysis) kindPanel(kinds []kindCount) figure.Panel {
	p := figure.Panel{Y: figure.Axis{Label: "answers"}}
	for i, k := range kinds {
		p.X.Ticks = append(p.X.Ticks, figure.Tick{At: float64(i), Label: abridged(terminal.Visible(k.kind)), Full: terminal.Visible(k.kind)})
	}
	for _, e := range a.ordered() {
		bars := figure.Bars{Name: e.name}
		for _, k := range kinds {
			bars.Values = append(bars.Values, float64(e.kinds[k.kind]))
		}
		p.Bars = append(p.Bars, bars)
	}
	return p
}

// figureGaps has a sentence for each of Figures 1 and 2 that is missing, and one on the models that
// they leave out.
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
