package layout

import (
	"math"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A forestPlot draws intervals of differences on a common scale.
type forestPlot struct {
	low, high, rope float64
	width           int
}

// newForestPlot scales the drawing to hold every interval, zero and the region of
// practical equivalence.
func newForestPlot(rows []verdict.Row, rope float64, width int) forestPlot {
	f := forestPlot{low: -2 * rope, high: 2 * rope, rope: rope, width: width}
	for i := range rows {
		f.low, f.high = min(f.low, rows[i].Difference.Low), max(f.high, rows[i].Difference.High)
	}
	if f.low == f.high {
		f.low, f.high = -1, 1
	}
	return f
}

// at returns the column of a value.
func (f forestPlot) at(v float64) int {
	return max(0, min(f.width-1, int(math.Round((v-f.low)/(f.high-f.low)*float64(f.width-1)))))
}

// draw draws one interval: ─ from end to end with ● at the difference, over the
// region of practical equivalence (░) and zero (│).
func (f forestPlot) draw(d *verdict.Difference) string {
	if f.width == 0 {
		return ""
	}
	cells := make([]rune, f.width)
	for i := range cells {
		cells[i] = ' '
	}
	for i := f.at(-f.rope); i <= f.at(f.rope); i++ {
		cells[i] = '░'
	}
	cells[f.at(0)] = '│'
	for i := f.at(d.Low); i <= f.at(d.High); i++ {
		cells[i] = '─'
	}
	cells[f.at(d.Value)] = '●'
	return string(cells)
}

// scale prints the ends of the drawing above it.
func (f forestPlot) scale() string {
	if f.width == 0 {
		return ""
	}
	low, high := number.Signed(f.low, 2), number.Signed(f.high, 2)
	return low + strings.Repeat(" ", max(1, f.width-terminal.Width(low)-terminal.Width(high))) + high
}
