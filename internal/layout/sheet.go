package layout

import (
	"strings"

	"verbatim/internal/terminal"
)

// A sheet is a small table: a head, and rows of as many cells. Columns of a higher
// rank give way first where not all fit; those of rank 0 stay.
type sheet struct {
	head []sheetColumn
	rows [][]string
}

type sheetColumn struct {
	name  string
	rank  int
	right bool // set to the right, as numbers are
	least int  // not cut below this width; 0: never cut
}

// write lays the sheet out for the width of the style.
func (t *sheet) write(b *strings.Builder, s terminal.Style) {
	widths := make([]int, len(t.head))
	for i, h := range t.head {
		widths[i] = terminal.Width(h.name)
		for _, r := range t.rows {
			widths[i] = max(widths[i], terminal.Width(r[i]))
		}
	}
	keep := t.choose(widths, s.Columns())
	line := func(cell func(i int) string) string {
		var out strings.Builder
		for i, h := range t.head {
			if !keep[i] {
				continue
			}
			if out.Len() > 0 {
				out.WriteString(strings.Repeat(" ", gap))
			}
			if text := terminal.Truncate(cell(i), widths[i]); h.right {
				out.WriteString(terminal.PadLeft(text, widths[i]))
			} else {
				out.WriteString(terminal.PadRight(text, widths[i]))
			}
		}
		return strings.TrimRight(out.String(), " ") + "\n"
	}
	b.WriteString(s.Paint(terminal.Faint, strings.TrimSuffix(line(func(i int) string { return t.head[i].name }), "\n")) + "\n")
	for _, r := range t.rows {
		b.WriteString(line(func(i int) string { return r[i] }))
	}
}

// choose drops columns until the rest fits, and then narrows those that may be cut.
func (t *sheet) choose(widths []int, room int) []bool {
	keep := make([]bool, len(t.head))
	total := func() int {
		sum := -gap
		for i, w := range widths {
			if keep[i] {
				sum += w + gap
			}
		}
		return sum
	}
	most := 0
	for i, h := range t.head {
		keep[i], most = true, max(most, h.rank)
	}
	for rank := most; rank > 0 && total() > room; rank-- {
		for i, h := range t.head {
			keep[i] = keep[i] && h.rank < rank
		}
	}
	for over := total() - room; over > 0; over-- {
		widest := -1
		for i, h := range t.head {
			if h.least > 0 && widths[i] > h.least && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return keep
}
