package sortbench

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/paper"
	"verbatim/internal/study"
	"verbatim/internal/terminal"
)

// A panelTask is a task: its name in the published files, and its title in the paper.
type panelTask struct{ task, title string }

// panelTasks lists the tasks of a mode in the order of the paper.
func panelTasks(mode string) []panelTask {
	switch mode {
	case "basic":
		return []panelTask{{"Int-0:1000", "Int-0:1000"}, {"Float-0:1000", "Float-0:1000"}, {"English", "English"}}
	case "advanced":
		return []panelTask{
			{"Integers-10000000:10001000", "Int-10000000:10001000"}, {"Float-10000000:10001000", "Float-10000000:10001000"}, {"Float-0:0.0001", "Float-0:0.0001"},
			{"Int-n1000:1000", "Int-n1000:1000"}, {"Float-n1000-1000", "Float-n1000:1000"}, {"ASCII-Lower", "ascii"},
			{"ASCII-Cased", "AsCiI"}, {"PrfxEnglish", "PrfxEnglish"}, {"NumberWords", "NumberWords"},
		}
	}
	return []panelTask{
		{"Int-Sorted", "Int-Sorted"}, {"Float-Sorted", "Float-Sorted"}, {"English-Sorted", "English-Sorted"},
		{"Int-Duplicate", "Int-Duplicate"}, {"Float-Duplicate", "Float-Duplicate"}, {"English-Duplicate", "English-Duplicate"},
	}
}

// A curveKind is one of the measures that Figures 3 to 14 show for each mode.
type curveKind struct {
	measure measure
	name    string
}

func curveKinds() []curveKind {
	return []curveKind{{total, "SortBenchScore"}, {validity, "ValidityScore"}, {sorting, "SortingScore"}, {faithfulness, "FaithfulnessScore"}}
}

// curves returns Figures 3 to 14, without those of modes that have no lists.
func (a *analysis) curves() []paper.Figure {
	var list []paper.Figure
	number := 3
	for _, mode := range modes() {
		for _, kind := range curveKinds() {
			if f, ok := a.curve(mode, kind); ok {
				f.Number = number
				f.Name = fmt.Sprintf("figure-%02d", number)
				list = append(list, f)
			}
			number++
		}
	}
	return list
}

// curve draws the mean of a measure over the length of the lists: a panel for each task of a
// mode, a line for each model. It is false if the mode has no lists.
func (a *analysis) curve(mode string, kind curveKind) (paper.Figure, bool) {
	f := paper.Figure{
		Caption: fmt.Sprintf("%s of the %s tasks over the size of the list: the mean of the lists of one size.", kind.name, mode),
		Figure:  figure.Figure{Legend: true, Columns: 3},
	}
	sizes := lengths(a.lists)
	lowest := 0.0
	for _, task := range a.tasks(mode) {
		p := figure.Panel{Title: task.title, X: sizeAxis(sizes), Y: figure.Axis{Label: kind.name, Max: 1}}
		for _, e := range a.ordered() {
			line := e.line(mode, task.task, kind.measure, sizes)
			if !line.Known() {
				continue
			}
			for _, point := range line.Points {
				if point.Known() {
					lowest = min(lowest, point.Y)
				}
			}
			p.Lines = append(p.Lines, line)
		}
		if len(p.Lines) > 0 {
			f.Figure.Panels = append(f.Figure.Panels, p)
		}
	}
	for i := range f.Figure.Panels {
		// One scale for all panels, which has room for scores below 0.
		f.Figure.Panels[i].Y.Min = math.Floor(5*lowest) / 5
	}
	f.Text = f.Caption + " " + a.endsOf(&f.Figure, sizes)
	return f, len(f.Figure.Panels) > 0
}

// tasks lists the tasks of a mode: the paper's first, then the others of the lists.
func (a *analysis) tasks(mode string) []panelTask {
	list := panelTasks(mode)
	var others []panelTask
	for _, l := range a.lists {
		known := func(t panelTask) bool { return t.task == l.task }
		if l.mode == mode && !slices.ContainsFunc(list, known) && !slices.ContainsFunc(others, known) {
			others = append(others, panelTask{l.task, terminal.Visible(l.task)})
		}
	}
	return append(list, others...)
}

// ordered lists the entrants by their ModelScore over all tasks, the best first. All figures have
// this order.
func (a *analysis) ordered() []*entrant {
	var list []*entrant
	for _, r := range a.modes[len(a.modes)-1].rows {
		list = append(list, a.all[r.entrant])
	}
	return list
}

// names lists the names of the entrants in that order.
func (a *analysis) names() []string {
	var list []string
	for _, e := range a.ordered() {
		list = append(list, e.name)
	}
	return list
}

// sizeAxis returns an axis with a tick at each size. It is logarithmic, since sizes double.
func sizeAxis(sizes []int) figure.Axis {
	axis := figure.Axis{Label: "list size", Log2: true}
	for _, n := range sizes {
		axis.Ticks = append(axis.Ticks, figure.Tick{At: float64(n), Label: strconv.Itoa(n)})
	}
	return axis
}

// line returns the entrant's means of a task at each size; NaN without a score.
func (e *entrant) line(mode, task string, m measure, sizes []int) figure.Line {
	sums, counts := make(map[int]float64), make(map[int]int)
	for _, id := range e.ids {
		s := e.scores[id]
		if v := s.values[m]; s.list.mode == mode && s.list.task == task && !math.IsNaN(v) {
			sums[s.list.length] += v
			counts[s.list.length]++
		}
	}
	line := figure.Line{Name: e.name}
	for _, n := range sizes {
		y := math.NaN()
		if counts[n] > 0 {
			y = sums[n] / float64(counts[n])
		}
		line.Points = append(line.Points, figure.Point{X: float64(n), Y: y, Low: y, High: y})
	}
	return line
}

// endsOf returns an alternative text: the values at the largest size.
func (a *analysis) endsOf(f *figure.Figure, sizes []int) string {
	var words []string
	for _, p := range f.Panels {
		var ends []string
		for _, l := range p.Lines {
			if y := l.Points[len(l.Points)-1].Y; !math.IsNaN(y) {
				ends = append(ends, l.Name+" "+strconv.FormatFloat(y, 'f', 2, 64))
			}
		}
		if len(ends) > 0 {
			words = append(words, p.Title+": "+strings.Join(ends, ", "))
		}
	}
	return fmt.Sprintf("At size %d — %s.", sizes[len(sizes)-1], strings.Join(words, "; "))
}

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
		lines = append(lines, "Figures 1 and 2 are without "+number.Names(mute)+": only scores are known of them, and no replies.")
	}
	if replies > 0 && kinds == 0 {
		lines = append(lines, "There is no Figure 2: every list was valid Python, or could not be read at all.")
	}
	return lines
}
