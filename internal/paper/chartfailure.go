package paper

import (
	"math"
	"slices"

	"verbatim"

	"verbatim/internal/figure"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// maxColumns is the largest number of lengths in a readable heat map.
const maxColumns = 24

// heat is left out if no task has several lengths, if there are too many lengths, or if most
// cells would be empty.
func (c *charts) heat() []Figure {
	tasks, lengths := figure.Tasks(c.Runs), c.lengths()
	if len(tasks) > 40 || len(lengths) < 2 || len(lengths) > maxColumns {
		return nil
	}
	var panels []figure.Panel
	known, all := 0, 0
	for i := range c.Runs {
		h := c.Heat(i, tasks, lengths)
		for k, l := range lengths {
			h.Columns[k] = lengthName(*l.Span)
		}
		for k, row := range h.Values {
			h.Rows[k] = terminal.Visible(h.Rows[k])
			all += len(row)
			for _, v := range row {
				if !math.IsNaN(v) {
					known++
				}
			}
		}
		panels = append(panels, figure.Panel{Title: c.Names[i], X: figure.Axis{Label: "length"}, Heat: h})
	}
	if 2*known < all {
		return nil
	}
	out := pages("heat-map", "Exact share by task and length, for each model; a dash is unknown", c.overAll(exactShare()), false, panels)
	for i := range out {
		out[i].Figure.Columns = columnsOf(len(out[i].Figure.Panels), len(lengths))
	}
	return out
}

// columnsOf returns the number of heat maps in a row, so that values fit their cells.
func columnsOf(panels, lengths int) int {
	switch {
	case panels == 1 || lengths > 12:
		return 1
	case lengths > 8 || panels == 2 || panels == 4:
		return 2
	}
	return 3
}

// lengths lists the lengths of all runs that are numbers, the shortest first.
func (c *charts) lengths() []figure.Length {
	var lines [][]report.Line
	for i := range c.Runs {
		for _, f := range c.Runs[i].Families {
			lines = append(lines, f.Lines)
		}
	}
	return slices.DeleteFunc(figure.Lengths(lines...), func(l figure.Length) bool { return l.Span == nil })
}

func lengthName(l verbatim.Lengths) string {
	if l.Min == l.Max {
		return l.String()
	}
	return verbatim.Lengths{Min: l.Min, Max: l.Min}.String() + "–" + verbatim.Lengths{Min: l.Max, Max: l.Max}.String()
}

// failures draws the shares of the failure labels.
func (c *charts) failures() []Figure {
	labels := figure.LabelsByCount(c.Runs)
	if len(labels) == 0 {
		return nil
	}
	p := figure.Panel{Y: figure.Axis{Label: "share of the answers"}, Bars: figure.Failures(c.Runs, labels)}
	for i, name := range c.Names {
		p.X.Ticks = append(p.X.Ticks, figure.Tick{At: float64(i), Label: name})
	}
	var names []string // the labels, so that they get no look of a run
	for _, part := range p.Bars {
		names = append(names, part.Name)
	}
	return []Figure{{Name: "failures", Caption: "Answers that are not exact, by failure label, as a share of all answers of a model",
		Text:   "The commonest label is " + names[0] + ".",
		Figure: figure.Figure{Panels: []figure.Panel{p}, Legend: true, Width: wideFor(len(c.Names)), Names: names}}}
}

// wideFor returns the width of a figure in millimetres: one column of a journal for few bars,
// otherwise two.
func wideFor(bars int) float64 {
	if bars <= 4 {
		return 85
	}
	return 178
}
