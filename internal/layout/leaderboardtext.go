package layout

import (
	"io"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/leaderboard"
)

// LeaderboardText writes a leaderboard for a terminal: who is first in a sentence, and
// a table of the width that the style gives, with the intervals as a drawing where
// there is room for one.
func LeaderboardText(w io.Writer, l *leaderboard.Leaderboard, s terminal.Style) error {
	var b strings.Builder
	for _, line := range terminal.Wrap(LeadSentence(l), s.Columns()) {
		b.WriteString(s.Paint(terminal.Bold, line) + "\n")
	}
	about, reading := leadFacts(l)
	b.WriteString("\n" + facts([]fact{about}, s) + "\n")
	leadSheet(l, leadDrawing(l, s.Columns())).write(&b, s)
	b.WriteString("\n" + facts([]fact{reading}, s))
	for _, n := range l.Notes {
		for i, line := range terminal.Wrap(terminal.Visible(n.Text), s.Columns()-2) {
			mark := "  "
			if i == 0 {
				mark = "· "
			}
			b.WriteString(s.Paint(terminal.Faint, mark+line) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// leadDrawing returns how wide the drawing can be; 0: there is no room for one.
func leadDrawing(l *leaderboard.Leaderboard, width int) int {
	const least, most = 16, 49
	if room := width - leadSheet(l, 0).width() - gap; room >= least {
		return min(room, most)
	}
	return 0
}

// width returns what all columns take together.
func (t *sheet) width() int {
	sum := -gap
	for i, h := range t.head {
		most := terminal.Width(h.name)
		for _, r := range t.rows {
			most = max(most, terminal.Width(r[i]))
		}
		sum += most + gap
	}
	return sum
}

// without leaves out the columns that say nothing in any row.
func (t *sheet) without(nothing func(cell string) bool) *sheet {
	out := &sheet{rows: make([][]string, len(t.rows))}
	for i, h := range t.head {
		said := false
		for _, r := range t.rows {
			said = said || !nothing(r[i])
		}
		if !said {
			continue
		}
		out.head = append(out.head, h)
		for j, r := range t.rows {
			out.rows[j] = append(out.rows[j], r[i])
		}
	}
	return out
}

// levels draws the intervals of scores on a common scale.
type levels struct {
	forestPlot
}

// newLevels scales the drawing to hold every interval.
func newLevels(l *leaderboard.Leaderboard, width int) levels {
	f := forestPlot{low: 1, high: 0, width: width}
	for i := range l.Places {
		if p := &l.Places[i]; p.Items > 0 {
			f.low, f.high = min(f.low, p.Low), max(f.high, p.High)
		}
	}
	if f.low >= f.high {
		f.low, f.high = 0, 1
	}
	return levels{f}
}

// draw draws one interval: ─ from end to end with ● at the mean.
func (f levels) draw(p *leaderboard.Place) string {
	if f.width == 0 || p.Items == 0 {
		return ""
	}
	cells := []rune(strings.Repeat(" ", f.width))
	for i := f.at(p.Low); i <= f.at(p.High); i++ {
		cells[i] = '─'
	}
	cells[f.at(p.Mean)] = '●'
	return strings.TrimRight(string(cells), " ")
}

// scale prints the ends of the drawing above it.
func (f levels) scale() string {
	low, high := number.Fixed(f.low, 2), number.Fixed(f.high, 2)
	return low + strings.Repeat(" ", max(1, f.width-terminal.Width(low)-terminal.Width(high))) + high
}
