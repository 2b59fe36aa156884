package report

import (
	"maps"
	"math"
	"slices"

	"verbatim"

	"verbatim/internal/stats/horizon"
)

// headlineShare is the share of exact answers of UpTo.
const headlineShare = 0.95

// An UpTo is the longest length at which the fitted curve expects at least 95 % exact
// answers.
type UpTo struct {
	// Text is the length as people read it: "≥ 64" if it is the longest length of all tasks,
	// "< 4" if the curve is lower at the shortest one.
	Text string `json:"text"`
	// Length is 0 if the curve is lower at the shortest length. Low and High are by the ends
	// of its pointwise 95 % band.
	Length int `json:"length"`
	Low    int `json:"low"`
	High   int `json:"high"`
	// Shortest and Longest bound what is searched: from the shortest length of any task to the
	// longest that all tasks reach.
	Shortest int `json:"shortest"`
	Longest  int `json:"longest"`
}

// upTo fits one curve to the answers of all tasks; see horizon.Fit. An item with several
// trials counts once, with its share. Answers at longer lengths than all tasks reach are left
// out, because they are of some tasks only; see countsOf. It returns nil if lengths are unknown,
// or if there are too few items: then the band includes the share at all lengths.
func upTo(families []Family) *UpTo {
	counts, shortest, longest := countsOf(families)
	if len(counts) == 0 {
		return nil
	}
	fitted, err := horizon.Fit(counts)
	if err != nil {
		return nil
	}
	l, err := fitted.Longest(headlineShare, shortest, longest)
	if err != nil || l.Low == 0 && l.High == longest {
		return nil
	}
	return &UpTo{Text: upToText(l.Length, shortest, longest), Length: l.Length, Low: l.Low, High: l.High, Shortest: shortest, Longest: longest}
}

// countsOf adds up the answers of all tasks by length, from the shortest length of any task to the
// longest that all tasks reach. It returns nil if a length is unknown. A task with longer lengths
// only counts with its shortest one, as if that were the longest of all: at a shorter length it
// can only be better.
func countsOf(families []Family) (list []horizon.Counts, shortest, longest int) {
	shortest, longest = math.MaxInt, math.MaxInt
	for i := range families {
		low, high := math.MaxInt, 0
		for j := range families[i].Lines {
			l := &families[i].Lines[j]
			if l.Exact.Of == 0 {
				continue
			}
			if l.Lengths == nil || l.Lengths.Min < 1 || l.Lengths.Max < l.Lengths.Min {
				return nil, 0, 0
			}
			low, high = min(low, l.Lengths.Min), max(high, l.Lengths.Max)
		}
		if high > 0 {
			shortest, longest = min(shortest, low), min(longest, high)
		}
	}
	byLength := make(map[int]horizon.Counts)
	for i := range families {
		for _, l := range upToLength(families[i].Lines, longest) {
			n := min(middle(l.Lengths), longest)
			c := byLength[n]
			byLength[n] = horizon.Counts{Length: n, N: c.N + l.Exact.Items, Right: c.Right + int64(math.Round(*l.Exact.Share*float64(l.Exact.Items)))}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(byLength)) {
		list = append(list, byLength[n])
	}
	return binned(list), shortest, longest
}

// upToLength returns the lines with answers up to a length; if there are none, the shortest line
// with answers.
func upToLength(lines []Line, longest int) (list []*Line) {
	var shortest *Line
	for i := range lines {
		l := &lines[i]
		if l.Exact.Of == 0 {
			continue
		}
		if middle(l.Lengths) <= longest {
			list = append(list, l)
		}
		if shortest == nil || middle(l.Lengths) < middle(shortest.Lengths) {
			shortest = l
		}
	}
	if list == nil && shortest != nil {
		list = append(list, shortest)
	}
	return list
}

// middle is the geometric mean of the ends of a band of lengths.
func middle(l *verbatim.Lengths) int {
	return int(math.Round(math.Sqrt(float64(l.Min) * float64(l.Max))))
}

// headlineMaxLengths bounds the lengths of a fit, whose time and memory grow with them.
const headlineMaxLengths = 48

// binned returns counts by length; if there are more than maxLengths, in bins of a quarter of a
// doubling.
func binned(counts []horizon.Counts) (list []horizon.Counts) {
	if len(counts) <= headlineMaxLengths {
		return counts
	}
	for _, c := range counts {
		n := int(math.Round(math.Exp2(math.Round(4*math.Log2(float64(c.Length))) / 4)))
		if last := len(list) - 1; last >= 0 && list[last].Length == n {
			list[last].N += c.N
			list[last].Right += c.Right
		} else {
			list = append(list, horizon.Counts{Length: n, N: c.N, Right: c.Right})
		}
	}
	return list
}
