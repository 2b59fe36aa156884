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
	// screenful is how many rows can be taken in without scrolling. A longer table
	// has its lengths side by side.
	screenful = 40
	// mostHeads bounds the lengths that are side by side.
	mostHeads = 16
	// figures is the width of the figures that a wide table should not lack.
	figures = 52
)

// A grid is the lengths of a table side by side, shortest first: a cell of each
// for every row.
type grid struct {
	heads  []string
	width  int  // of a cell
	ranges bool // a cell has its interval too
}

// newGrid returns nil where the lengths are too many or too few for a grid.
func newGrid(families []report.Family) *grid {
	g := &grid{heads: lengthHeads(families)}
	if len(g.heads) < 2 || len(g.heads) > mostHeads {
		return nil
	}
	return g
}

// lengthHeads lists the lengths of all families, shortest first, names after numbers.
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

// fit chooses the width of the cells, which is that of their intervals where these
// leave room for the figures next to the grid. It reports whether the grid fits at
// all.
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
			g.width, between, need = max(head, ranged), gap, max(needed, figures)
		}
		g.width += between
		if g.drawn()+need <= room {
			return true
		}
	}
	return false
}

// drawn is how many columns the grid takes.
func (g *grid) drawn() int { return len(g.heads) * g.width }

// rows are those of the table: a family each, and all of them.
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

// cells returns the share at each length; nil where there is no such line.
func (g *grid) cells(lines []report.Line) []*report.Rate {
	out := make([]*report.Rate, len(g.heads))
	for i := range lines {
		if at := slices.Index(g.heads, lines[i].Length); at >= 0 {
			out[at] = &lines[i].Exact
		}
	}
	return out
}

func (g *grid) head() string {
	var b strings.Builder
	for _, h := range g.heads {
		text := terminal.Visible(h)
		if g.ranges { // above the share, not above its interval
			text = terminal.PadLeft(text, g.width-terminal.Width(" 72–100")) + strings.Repeat(" ", terminal.Width(" 72–100"))
		}
		b.WriteString(terminal.PadLeft(text, g.width))
	}
	return b.String()
}

func (g *grid) row(cells []*report.Rate, s terminal.Style) string {
	var b strings.Builder
	for _, r := range cells {
		if r == nil {
			b.WriteString(strings.Repeat(" ", g.width))
			continue
		}
		share, of := number.WholePercent(r.Share), ""
		if g.ranges {
			of = " " + terminal.PadLeft(number.PercentRange(r.Low, r.High, 0), terminal.Width("72–100"))
		}
		b.WriteString(terminal.PadLeft("", g.width-terminal.Width(of)-max(terminal.Width(share), 3)) + paintShare(s, r, terminal.PadLeft(share, 3)) + s.Paint(terminal.Faint, of))
	}
	return b.String()
}

// paintShare paints what is printed of a share: green from nine in ten on, red below half.
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

// chart draws the shares of lines as columns below the cells of the grid.
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

// columnPart returns what stands in row y of a column that is so many rows high: ▁ at the
// bottom for none, as in a curve.
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
