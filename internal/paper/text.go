package paper

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"verbatim/internal/terminal"
)

// Text writes the tables for a terminal, the captions of the figures, and what differs
// from the published numbers.
func Text(w io.Writer, d *Document, s terminal.Style) error {
	out := bufio.NewWriter(w)
	t := textWriter{out, cmp.Or(max(s.Width, 0), 80), s.Bold}
	if d.Title != "" {
		t.line(t.bold(terminal.Visible(d.Title)))
	}
	for _, p := range d.Lead {
		t.paragraph(p)
	}
	for i := range d.Tables {
		if i > 0 || d.Title != "" {
			t.line("")
		}
		t.table(&d.Tables[i])
	}
	for i := range d.Figures {
		t.line("")
		f := &d.Figures[i]
		t.paragraph(captioned(cmp.Or(f.title(), f.Name), f.Caption))
	}
	if d.Differences != nil {
		t.line("")
		t.differences(d.Differences)
	}
	if d.Command != "" {
		t.line("")
		t.line("made by: " + terminal.Visible(d.Command))
	}
	return out.Flush()
}

// A textWriter leaves write errors to the Flush of its buffer.
type textWriter struct {
	out   *bufio.Writer
	width int
	bold  func(string) string // sets off a heading where that is wanted
}

func (t *textWriter) line(s string) { t.out.WriteString(s + "\n") }

// paragraph breaks lines at spaces.
func (t *textWriter) paragraph(s string) {
	line, used := "", 0
	for word := range strings.FieldsSeq(terminal.Visible(s)) {
		w := uniseg.StringWidth(word)
		if used > 0 && used+1+w > t.width {
			t.line(line)
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+w
	}
	if line != "" {
		t.line(line)
	}
}

// table writes a table whose columns are as wide as their cells, with short heads
// where it would not fit otherwise.
func (t *textWriter) table(table *Table) {
	t.paragraph(captioned(table.title(), table.Caption))
	heads := make([]string, len(table.Columns))
	for i, c := range table.Columns {
		heads[i] = c.Head
	}
	widths := columnWidths(table, heads)
	if lineWidth(widths) > t.width {
		for i, c := range table.Columns {
			heads[i] = cmp.Or(c.Short, c.Head)
		}
		widths = columnWidths(table, heads)
	}
	rule := strings.Repeat("─", lineWidth(widths))
	t.line(t.bold(cells(table, widths, func(i int) string { return heads[i] })))
	t.line(rule)
	for _, r := range table.Rows {
		if r.Rule {
			t.line(rule)
		}
		t.line(cells(table, widths, r.cell))
	}
	for _, n := range table.Notes {
		t.paragraph(n)
	}
}

// gap is how far columns stand apart.
const gap = 2

func columnWidths(table *Table, heads []string) []int {
	widths := make([]int, len(heads))
	for i, h := range heads {
		widths[i] = uniseg.StringWidth(terminal.Visible(h))
		for _, r := range table.Rows {
			widths[i] = max(widths[i], uniseg.StringWidth(terminal.Visible(r.cell(i))))
		}
	}
	return widths
}

func lineWidth(widths []int) int {
	n := gap * (len(widths) - 1)
	for _, w := range widths {
		n += w
	}
	return n
}

// cells lays one line of a table out.
func cells(table *Table, widths []int, of func(i int) string) string {
	var b strings.Builder
	for i, c := range table.Columns {
		text := terminal.Visible(of(i))
		pad := strings.Repeat(" ", widths[i]-uniseg.StringWidth(text))
		if i > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		if c.Right {
			b.WriteString(pad + text)
		} else {
			b.WriteString(text + pad)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// cell returns a cell, or nothing where the row is too short.
func (r *Row) cell(i int) string {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return ""
}

func (t *textWriter) differences(d *Differences) {
	t.line(t.bold("Differences from what is published"))
	t.paragraph(d.Sentence())
	for _, n := range d.Notes {
		t.paragraph(n)
	}
	if len(d.List) > 0 {
		t.line("")
		table := d.Table()
		// Reasons are sentences, and would make the table as wide as the longest.
		table.Columns = table.Columns[:3]
		t.table(&table)
		for _, why := range d.reasons() {
			t.paragraph(why)
		}
	}
}

// reasons lists why numbers differ, each once, with the places of those that are
// not explained.
func (d *Differences) reasons() []string {
	var list []string
	for _, x := range d.List {
		why := x.Why
		if !x.Explained {
			why = x.Place + ": " + x.Why
		}
		if !strings.HasPrefix(why, "Monte Carlo error") && !slices.Contains(list, why) {
			list = append(list, why)
		}
	}
	return list
}
