package figure

import (
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/report"
)

// A Length is a length of a task: a number, a band of them, or a word.
type Length struct {
	Label string
	Span  *verbatim.Lengths // nil: a word
}

// Middle returns the position of a length on an axis; NaN for a word.
func (l Length) Middle() float64 {
	if l.Span == nil {
		return math.NaN()
	}
	return (float64(l.Span.Min) + float64(l.Span.Max)) / 2
}

// Lengths returns the lengths of lines, each once, in the order of report.CompareLengths.
func Lengths(all ...[]report.Line) []Length {
	var list []Length
	type key struct {
		label string
		span  verbatim.Lengths
	}
	seen := make(map[key]bool)
	for _, lines := range all {
		for i := range lines {
			k := key{label: lines[i].Length}
			if lines[i].Lengths != nil {
				k.span = *lines[i].Lengths
			}
			if !seen[k] {
				seen[k] = true
				list = append(list, Length{lines[i].Length, lines[i].Lengths})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Length) int { return report.CompareLengths(a.Label, a.Span, b.Label, b.Span) })
	return list
}

// LineAt returns the line with the label of a length; nil without it.
func LineAt(lines []report.Line, label string) *report.Line {
	for i := range lines {
		if lines[i].Length == label {
			return &lines[i]
		}
	}
	return nil
}

// lengthAxis returns an axis with a tick at every length. If all are numbers, it goes from the first
// to the last, and is logarithmic if they span three doublings or more.
func lengthAxis(lengths []Length) Axis {
	a := Axis{Label: "length"}
	numbers, least, most := len(lengths) > 0, 0, 0
	for i, l := range lengths {
		a.Ticks = append(a.Ticks, Tick{At: l.Middle(), Label: l.Label})
		if l.Span == nil {
			numbers = false
			continue
		}
		if i == 0 || l.Span.Min < least {
			least = l.Span.Min
		}
		most = max(most, l.Span.Max)
	}
	if numbers {
		a.Min, a.Max, a.Log2 = a.Ticks[0].At, a.Ticks[len(a.Ticks)-1].At, least > 0 && most >= 8*least
	}
	return a
}
