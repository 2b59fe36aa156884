package chart

import (
	"math"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// Curves shows a measure of a task over length: a line for each run of the set, and a point
// for each of its lengths. A run without the task has an empty line. The X of a length that
// is a word is NaN.
func (s *Set) Curves(task string, m Measure) Panel {
	p := Panel{Title: terminal.Visible(task), Y: m.Axis}
	var all [][]report.Line
	for i := range s.Runs {
		line := Line{Name: s.Names[i]}
		if f := Task(&s.Runs[i], task); f != nil {
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
func (l *Line) Known() bool {
	for _, p := range l.Points {
		if p.Known() {
			return true
		}
	}
	return false
}

// At returns the point of a label, or nil.
func (l *Line) At(label string) *Point {
	for i := range l.Points {
		if l.Points[i].Label == label {
			return &l.Points[i]
		}
	}
	return nil
}

// Heat shows the exact share of a run by task and length.
func (s *Set) Heat(run int, tasks []string, lengths []Length) *Heat {
	h := &Heat{}
	for _, l := range lengths {
		h.Columns = append(h.Columns, l.Label)
	}
	for _, task := range tasks {
		f := Task(&s.Runs[run], task)
		values, notes := make([]float64, len(lengths)), make([]string, len(lengths))
		for i, length := range lengths {
			values[i], notes[i] = heatCell(f, length)
		}
		h.Rows, h.Values, h.Notes = append(h.Rows, task), append(h.Values, values), append(h.Notes, notes)
	}
	return h
}

func heatCell(f *report.Family, length Length) (value float64, note string) {
	if f == nil {
		return math.NaN(), ""
	}
	l := LineAt(f.Lines, length.Label)
	if l == nil || (l.Lengths == nil) != (length.Span == nil) || l.Lengths != nil && *l.Lengths != *length.Span {
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
