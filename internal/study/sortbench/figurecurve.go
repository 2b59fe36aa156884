package sortbench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/paper"
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
