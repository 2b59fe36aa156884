package figure

import (
	"math"
	"slices"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

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
