package layout

import (
	"cmp"
	"slices"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

const (
	// screenful is the number of rows that a terminal shows without scrolling. A longer table has
	// its lengths side by side.
	screenful = 40
	mostHeads = 16 // the largest number of lengths side by side
	// figuresWidth is the width of the figures next to cells with intervals.
	figuresWidth = 52
)

// A grid has the lengths of a table side by side, the shortest first: in each row a cell for each
// length.
type grid struct {
	heads  []string
	width  int  // of a cell, with the space before it
	ranges bool // cells have intervals
}

// newGrid returns the grid of the lengths of families; nil if they are too many or too few.
func newGrid(families []report.Family) *grid {
	g := &grid{heads: lengthHeads(families)}
	if len(g.heads) < 2 || len(g.heads) > mostHeads {
		return nil
	}
	return g
}

// lengthHeads lists the lengths of all families, each once, the shortest first, names after numbers.
func lengthHeads(families []report.Family) []string {
	var lines []*report.Line
	for i := range families {
		for j := range families[i].Lines {
			l := &families[i].Lines[j]
			if !slices.ContainsFunc(lines, func(o *report.Line) bool { return o.Length == l.Length }) {
				lines = append(lines, l)
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b *report.Line) int {
		switch {
		case a.Lengths != nil && b.Lengths != nil:
			return cmp.Or(cmp.Compare(a.Lengths.Min, b.Lengths.Min), cmp.Compare(a.Lengths.Max, b.Lengths.Max))
		case a.Lengths != nil:
			return -1
		case b.Lengths != nil:
			return 1
		}
		return cmp.Compare(a.Length, b.Length)
	})
	heads := make([]string, len(lines))
	for i, l := range lines {
		heads[i] = l.Length
	}
	return heads
}

// fit sets the width of the cells, with intervals if they leave room for the figures next to the
// grid. needed is the least room for figures. It reports whether the grid fits the room.
func (g *grid) fit(room, needed int) bool {
	head := 0
	for _, h := range g.heads {
		head = max(head, terminal.Width(terminal.Visible(h)))
	}
	const bare, ranged = len("100"), len("100 72-100")
	for _, g.ranges = range []bool{true, false} {
		g.width = max(head, bare)
		between, need := 1, needed
		if g.ranges {
			g.width, between, need = max(head, ranged), gap, max(needed, figuresWidth)
		}
		g.width += between
		if g.drawn()+need <= room {
			return true
		}
	}
	return false
}

// drawn returns the width of the grid.
func (g *grid) drawn() int { return len(g.heads) * g.width }

// rows returns the rows of the table: one for each family, and one for all families.
func (g *grid) rows(b *report.Block) []row {
	var out []row
	for i := range b.Families {
		f := &b.Families[i]
		out = append(out, row{name: f.Name, line: &f.Total, cells: g.cells(f.Lines), head: true})
	}
	if len(b.Families) > 1 {
		out = append(out, row{name: "all", line: &b.Total, cells: g.cells(b.Lengths), head: true, all: true})
	}
	return out
}

// cells returns the exact share at each length of the grid; nil without a line of the length.
func (g *grid) cells(lines []report.Line) []*report.Rate {
	out := make([]*report.Rate, len(g.heads))
	for i := range lines {
		if at := slices.Index(g.heads, lines[i].Length); at >= 0 {
			out[at] = &lines[i].Exact
		}
	}
	return out
}

// head prints the lengths above the cells. With intervals they are above the shares, as far as they
// fit there.
func (g *grid) head() string {
	var b strings.Builder
	for _, h := range g.heads {
		text := terminal.Visible(h)
		if g.ranges {
			text += strings.Repeat(" ", min(terminal.Width(" 72–100"), g.width-terminal.Width(text)-1))
		}
		b.WriteString(terminal.PadLeft(text, g.width))
	}
	return b.String()
}

// row prints the cells of a row.
func (g *grid) row(cells []*report.Rate, s terminal.Style) string {
	var b strings.Builder
	for _, r := range cells {
		if r == nil {
			b.WriteString(strings.Repeat(" ", g.width))
			continue
		}
		share, interval := terminal.PadLeft(number.WholePercent(r.Share), len("100")), ""
		if g.ranges {
			interval = " " + terminal.PadLeft(number.PercentRange(r.Low, r.High, 0), terminal.Width("72–100"))
		}
		b.WriteString(strings.Repeat(" ", max(g.width-terminal.Width(interval)-terminal.Width(share), 0)) + paintShare(s, r, share) + s.Paint(terminal.Faint, interval))
	}
	return b.String()
}

// paintShare paints the text of a share: green from 90 % on, red below 50 %.
func paintShare(s terminal.Style, r *report.Rate, text string) string {
	switch {
	case r.Share == nil:
		return text
	case *r.Share >= 0.9:
		return s.Paint(terminal.Good, text)
	case *r.Share < 0.5:
		return s.Paint(terminal.Bad, text)
	}
	return text
}

// chart draws the shares of lines as columns below the grid. name is the width of the names of rows.
func (g *grid) chart(lines []report.Line, name int, s terminal.Style) []string {
	labels := []string{"  0 ┤", "│", " 50 ┤", "│", "100 ┤"} // from the bottom
	between := 1
	if g.ranges {
		between = gap
	}
	cells := g.cells(lines)
	var out []string
	for y := len(labels) - 1; y >= 0; y-- {
		var b strings.Builder
		for _, r := range cells {
			b.WriteString(strings.Repeat(" ", between) + strings.Repeat(string(columnPart(r, y, len(labels))), g.width-between))
		}
		out = append(out, s.Paint(terminal.Faint, terminal.PadLeft(labels[y], name+gap))+s.Paint(terminal.Drawing, strings.TrimRight(b.String(), " ")))
	}
	return out
}

// columnPart returns the character in row y, from the bottom, of the column of a share; rows is the
// height of 100 %. As in Curve, a share of 0 is ▁ and an unknown one a dot.
func columnPart(r *report.Rate, y, rows int) rune {
	if r == nil || r.Share == nil {
		if r != nil && y == 0 {
			return '·'
		}
		return ' '
	}
	eighths := int(*r.Share*float64(8*rows)+0.5) - 8*y
	switch {
	case eighths >= 8:
		return '█'
	case eighths > 0:
		return []rune("▁▂▃▄▅▆▇")[eighths-1]
	case y == 0:
		return '▁'
	}
	return ' '
}
