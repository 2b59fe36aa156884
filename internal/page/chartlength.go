package page

import (
	"cmp"
	"slices"

	"verbatim"
	"verbatim/internal/report"
)

// A lengthKey is a length of some lines: a number, a band of them, or a word.
type lengthKey struct {
	label string
	span  *verbatim.Lengths
}

// lengthsOf returns the lengths of lines, each once: numbers in their order, then
// words in theirs.
func lengthsOf(all ...[]report.Line) []lengthKey {
	var list []lengthKey
	seen := make(map[string]bool)
	for _, lines := range all {
		for i := range lines {
			if l := &lines[i]; !seen[l.Length] {
				seen[l.Length] = true
				list = append(list, lengthKey{l.Length, l.Lengths})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b lengthKey) int {
		switch {
		case a.span != nil && b.span != nil:
			return cmp.Or(cmp.Compare(a.span.Min, b.span.Min), cmp.Compare(a.span.Max, b.span.Max))
		case a.span != nil:
			return -1
		case b.span != nil:
			return 1
		}
		return cmp.Compare(a.label, b.label)
	})
	return list
}

// lineAt finds the line of a length; nil: there is none.
func lineAt(lines []report.Line, length string) *report.Line {
	for i := range lines {
		if lines[i].Length == length {
			return &lines[i]
		}
	}
	return nil
}

// A lengthAxis has the places of lengths from left to right.
type lengthAxis struct {
	keys  []lengthKey
	at    []float64
	Ticks []tick
}

// newLengthAxis spreads lengths between two places: as numbers, by their logarithms
// where they span more than three doublings, and words at equal distances.
func newLengthAxis(keys []lengthKey, low, high float64) *lengthAxis {
	a := &lengthAxis{keys: keys}
	numbers, least, most := true, 0, 0
	for i, k := range keys {
		if k.span == nil {
			numbers = false
			break
		}
		if i == 0 || k.span.Min < least {
			least = k.span.Min
		}
		most = max(most, k.span.Max)
	}
	s := scale{from: -0.5, to: float64(len(keys)) - 0.5, low: low, high: high}
	if numbers && len(keys) > 0 {
		s = scale{low: low, high: high, log: least > 0 && most >= 8*least}
		s.from, s.to = middle(keys[0].span), middle(keys[len(keys)-1].span)
	}
	for i, k := range keys {
		v := float64(i)
		if numbers {
			v = middle(k.span)
		}
		a.at = append(a.at, s.at(v))
	}
	a.label(high)
	return a
}

// middle is where a band stands.
func middle(l *verbatim.Lengths) float64 { return (float64(l.Min) + float64(l.Max)) / 2 }

// label names as many places as have room: the last one always, since that is the
// length that a reader looks for.
func (a *lengthAxis) label(high float64) {
	const gap = 6
	left := high + drawingWidth // of the label to the right
	for i := len(a.keys) - 1; i >= 0; i-- {
		text := report.CutText(report.Visible(a.keys[i].label), 9)
		half := letterWidth * float64(report.Columns(text)) / 2
		if a.at[i]+half+gap > left {
			continue
		}
		left = a.at[i] - half
		a.Ticks = append(a.Ticks, newTick(a.at[i], text))
	}
	slices.Reverse(a.Ticks)
}
