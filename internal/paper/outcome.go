package paper

import (
	"cmp"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/chart"
	"verbatim/internal/figure"
	"verbatim/internal/report"
)

// maxColumns bounds the lengths of a heat map: more are no longer read.
const maxColumns = 24

// heat is left out where no task was asked at several lengths, a run has too many of
// them, or most of it would be empty, because every task has lengths of its own.
func (c *charts) heat() []Figure {
	tasks, lengths := chart.Tasks(c.Runs), c.lengths()
	if len(tasks) > 40 || len(lengths) < 2 || len(lengths) > maxColumns {
		return nil
	}
	var panels []chart.Panel
	known, all := 0, 0
	for i := range c.Runs {
		h := c.Heat(i, tasks, lengths)
		for k, l := range lengths {
			h.Columns[k] = lengthName(*l.Span)
		}
		for k, row := range h.Values {
			h.Rows[k] = report.Visible(h.Rows[k])
			known, all = known+len(row)-missingIn(row), all+len(row)
		}
		panels = append(panels, chart.Panel{Title: c.Names[i], X: chart.Axis{Label: "length"}, Heat: h})
	}
	if 2*known < all {
		return nil
	}
	out := pages("heat-map", "Exact share by task and length, for each model; a stroke where nothing is known", c.overAll(exactShare()), false, panels)
	for i := range out {
		out[i].Figure.Columns = columnsOf(len(out[i].Figure.Panels), len(lengths))
	}
	return out
}

// columnsOf returns how many heat maps stand side by side, so that a value has room
// in its cell.
func columnsOf(panels, lengths int) int {
	switch {
	case panels == 1 || lengths > 12:
		return 1
	case lengths > 8 || panels == 2 || panels == 4:
		return 2
	}
	return 3
}

// lengths lists those of all runs that are numbers, shortest first.
func (c *charts) lengths() []chart.Length {
	var lines [][]report.Line
	for i := range c.Runs {
		for _, f := range c.Runs[i].Families {
			lines = append(lines, f.Lines)
		}
	}
	return slices.DeleteFunc(chart.Lengths(lines...), func(l chart.Length) bool { return l.Span == nil })
}

func lengthName(l verbatim.Lengths) string {
	if l.Min == l.Max {
		return l.String()
	}
	return verbatim.Lengths{Min: l.Min, Max: l.Min}.String() + "–" + verbatim.Lengths{Min: l.Max, Max: l.Max}.String()
}

func missingIn(row []float64) int {
	n := 0
	for _, v := range row {
		if math.IsNaN(v) {
			n++
		}
	}
	return n
}

// maxLabels is how many failure labels have a part of their own.
const maxLabels = 9

// failures draws what share of the answers went wrong in which way.
func (c *charts) failures() []Figure {
	labels, rest := c.labels()
	if len(labels) == 0 {
		return nil
	}
	p := chart.Panel{Y: chart.Axis{Label: "share of the answers"}}
	parts := make([]chart.Bars, len(labels), len(labels)+1)
	for k, l := range labels {
		parts[k].Name = report.Visible(l)
	}
	if rest {
		parts = append(parts, chart.Bars{Name: "others"})
	}
	for i := range c.Runs {
		p.X.Ticks = append(p.X.Ticks, chart.Tick{At: float64(i), Label: c.Names[i]})
		t := &c.Runs[i].Total
		counts := make([]float64, len(parts))
		for _, n := range t.Failures {
			k := slices.Index(labels, n.Name)
			if k < 0 {
				k = len(labels)
			}
			counts[k] += float64(n.N)
		}
		for k := range parts {
			parts[k].Values = append(parts[k].Values, counts[k]/float64(max(t.Answered, 1)))
		}
	}
	p.Bars = parts
	return []Figure{{Name: "failures", Caption: "Answers that are not exact, by failure label, as a share of all answers of a model",
		Text:   "The commonest label is " + parts[0].Name + ".",
		Figure: figure.Figure{Panels: []chart.Panel{p}, Legend: true, Width: wideFor(len(c.Names)), Names: namesOf(parts)}}}
}

// namesOf lists the labels, which are no runs and share no looks with them.
func namesOf(parts []chart.Bars) []string {
	var list []string
	for _, p := range parts {
		list = append(list, p.Name)
	}
	return list
}

// wideFor returns one column of a journal for few bars, else both.
func wideFor(bars int) float64 {
	if bars <= 4 {
		return 85
	}
	return 178
}

// labels lists the failure labels of all runs, commonest first; rest says that there
// are more.
func (c *charts) labels() (list []string, rest bool) {
	sums := make(map[string]int64)
	for i := range c.Runs {
		for _, n := range c.Runs[i].Total.Failures {
			if sums[n.Name] == 0 {
				list = append(list, n.Name)
			}
			sums[n.Name] += n.N
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(sums[b], sums[a]) })
	if len(list) > maxLabels {
		return list[:maxLabels], true
	}
	return list, false
}
