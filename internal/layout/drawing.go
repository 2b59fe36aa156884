package layout

import (
	"math"
	"strings"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// bar draws a rate from 0 to 1 on a scale of width characters: █ up to the lower end of the
// interval, ▓ up to the share, ░ up to the higher end. Few answers have a long light part. It is
// empty without a share.
func bar(r report.Rate, width int) string {
	if r.Share == nil {
		return ""
	}
	at := func(v float64) int { return int(v*float64(width) + 0.5) }
	low, share, high := at(*r.Low), at(*r.Share), at(*r.High)
	return strings.Repeat("█", low) + strings.Repeat("▓", share-low) + strings.Repeat("░", high-share)
}

// curve draws the exact share of each line as one character: ▁ for 0 to █ for 1, a dot without an
// answer.
func curve(lines []report.Line) string {
	var b strings.Builder
	for i := range lines {
		if share := lines[i].Exact.Share; share != nil {
			b.WriteRune(level(*share))
		} else {
			b.WriteRune('·')
		}
	}
	return b.String()
}

// level returns a block whose height is a share. Only a share of 1 has the full block.
func level(share float64) rune { return []rune("▁▂▃▄▅▆▇█")[int(share*7)] }

// A scale draws intervals on a common range, as a forest plot does.
type scale struct{ low, high float64 }

// newScale returns a scale from low to high; if they are equal, from -1 to 1.
func newScale(low, high float64) scale {
	if low == high {
		return scale{-1, 1}
	}
	return scale{low, high}
}

// at returns the column of a value; values beyond the ends have the first or the last column.
func (s scale) at(v float64, width int) int {
	return max(0, min(width-1, int(math.Round((v-s.low)/(s.high-s.low)*float64(width-1)))))
}

// Interval draws ─ from end to end with ● at the estimate, over zero (│) and the region of
// practical equivalence (░) of ±rope. A negative rope draws neither zero nor a region.
func (s scale) Interval(low, estimate, high, rope float64, width int) string {
	cells := []rune(strings.Repeat(" ", width))
	if rope >= 0 {
		for i := s.at(-rope, width); i <= s.at(rope, width); i++ {
			cells[i] = '░'
		}
		cells[s.at(0, width)] = '│'
	}
	for i := s.at(low, width); i <= s.at(high, width); i++ {
		cells[i] = '─'
	}
	cells[s.at(estimate, width)] = '●'
	return string(cells)
}

// Head prints the ends of the range, for the line above the drawings.
func (s scale) Head(low, high string, width int) string {
	return low + strings.Repeat(" ", max(1, width-terminal.Width(low)-terminal.Width(high))) + high
}
