package table

import (
	"io"
	"math"
	"strings"

	"verbatim/internal/terminal"
)

// text writes a document for a terminal, in the width and colours of the style.
func text(w io.Writer, d *Document, s terminal.Style) error {
	var b strings.Builder
	WriteText(&b, d.Body(s.Columns()), s)
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteText writes blocks for a terminal, in the width and colours of the style.
func WriteText(b *strings.Builder, blocks []Block, s terminal.Style) {
	for _, block := range blocks {
		switch block := block.(type) {
		case Heading:
			if !block.Wrap {
				b.WriteString(s.Paint(terminal.Bold, terminal.Truncate(block.Text, s.Columns())) + "\n")
				continue
			}
			writeLines(b, block.Text, s.Columns(), "", "", terminal.Bold, s)
		case Paragraph:
			columns := s.Columns()
			if block.Line && s.Width == 0 {
				columns = max(columns, terminal.Width(block.Text))
			}
			writeLines(b, block.Text, columns, "", "", block.Paint, s)
		case Facts:
			textFacts(b, block, s)
		case List:
			textList(b, block, s)
		case Command: // in one piece, to be copied
			b.WriteString("  " + string(block) + "\n")
		case *Table:
			textTable(b, block, s)
		case Blank:
			b.WriteString("\n")
		case Divider:
			b.WriteString(s.Paint(terminal.Faint, strings.Repeat("─", min(s.Columns(), 80))) + "\n")
		}
	}
}

// writeLines breaks a text at spaces. The first line begins with mark, the others with
// indent, which is as wide.
func writeLines(b *strings.Builder, text string, columns int, mark, indent string, p terminal.Paint, s terminal.Style) {
	for i, line := range terminal.Wrap(text, columns-terminal.Width(mark)) {
		if i > 0 {
			mark = indent
		}
		b.WriteString(s.Paint(p, mark+line) + "\n")
	}
}

// textFacts lays out names and parts in two columns.
func textFacts(b *strings.Builder, list Facts, s terminal.Style) {
	name := 9
	for _, f := range list {
		name = max(name, terminal.Width(f.Name)+1)
	}
	for _, f := range list {
		for i, line := range terminal.JoinParts(f.Parts, s.Columns()-name) {
			label := terminal.PadRight("", name)
			if i == 0 {
				label = terminal.PadRight(f.Name, name)
			}
			b.WriteString(s.Paint(terminal.Faint, label) + line + "\n")
		}
	}
}

func textList(b *strings.Builder, list List, s terminal.Style) {
	widest := 0
	for _, item := range list.Items {
		widest = max(widest, terminal.Width(item.Text))
	}
	for _, item := range list.Items {
		switch list.Kind {
		case Warnings:
			writeLines(b, item.Text, s.Columns(), "! ", "  ", terminal.Alert, s)
		case Notes:
			writeLines(b, item.Text, s.Columns(), "· ", "  ", terminal.Faint, s)
		case Examples: // commands in one piece, to be copied
			gap := strings.Repeat(" ", widest-terminal.Width(item.Text)+2)
			if s.Width > 0 && !terminal.Fits(item.Command, s.Columns()-widest-4) {
				gap = "\n    " // a line of its own
			}
			b.WriteString("  " + item.Text + gap + s.Paint(terminal.Faint, item.Command) + "\n")
		}
	}
}

func textTable(b *strings.Builder, t *Table, s terminal.Style) {
	if t.Drawn != nil {
		b.WriteString(t.Drawn(s))
		return
	}
	if t.Caption != "" {
		writeLines(b, terminal.SafeLine(t.Caption), s.Columns(), "", "", t.paint(terminal.Bold), s)
	}
	f := t.fit(s.Columns())
	rule := strings.Repeat("─", f.width(f.columns)) + "\n"
	head := f.line(terminal.Style{}, nil, func(i int) string { return f.heads[i] })
	if t.Ruled {
		b.WriteString(s.Paint(terminal.Bold, head) + "\n" + rule)
	} else {
		b.WriteString(s.Paint(terminal.Faint, head) + "\n")
	}
	for r := range t.Rows {
		row := &t.Rows[r]
		if row.Rule {
			b.WriteString(rule)
		}
		for _, line := range f.lines(s, r) {
			switch {
			case row.Faint:
				line = s.Paint(terminal.Faint, line)
			case row.Bold:
				line = s.Paint(terminal.Bold, line)
			}
			b.WriteString(line + "\n")
		}
	}
	for _, note := range t.Notes {
		writeLines(b, terminal.SafeLine(note), s.Columns(), "", "", t.paint(terminal.Faint), s)
	}
}

// paint returns the paint of the caption or the notes. Ruled tables have them as running text.
func (t *Table) paint(usual terminal.Paint) terminal.Paint {
	if t.Ruled {
		return terminal.Plain
	}
	return usual
}

// lines lays out a row: one line, or several if a cell is broken.
func (f *fitted) lines(s terminal.Style, r int) []string {
	cells := make(map[int][]string, len(f.columns))
	height := 1
	for _, i := range f.columns {
		c := &f.Columns[i]
		switch {
		case c.Drawing != nil:
			cells[i] = []string{c.Drawing.Cell(r, f.widths[i])}
		case c.Wrap:
			cells[i] = terminal.Wrap(terminal.SafeLine(f.Rows[r].Cell(i)), f.widths[i])
		default:
			cells[i] = []string{terminal.SafeLine(f.Rows[r].Cell(i))}
		}
		height = max(height, len(cells[i]))
	}
	lines := make([]string, height)
	for n := range lines {
		lines[n] = f.line(s, f.cuts, func(i int) string {
			if n < len(cells[i]) {
				return cells[i][n]
			}
			return ""
		})
	}
	return lines
}

// line lays out one line of the table. cuts shorten the cells; nil shortens at the end.
func (f *fitted) line(s terminal.Style, cuts []cut, cell func(i int) string) string {
	var b strings.Builder
	for n, i := range f.columns {
		if n > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		shorten := terminal.Truncate
		if cuts != nil {
			shorten = cuts[i]
		}
		text := shorten(cell(i), f.widths[i])
		switch c := f.Columns[i]; {
		case c.Right:
			text = terminal.PadLeft(text, f.widths[i])
		case n < len(f.columns)-1:
			text = terminal.PadRight(text, f.widths[i])
		}
		if d := f.Columns[i].Drawing; d != nil && d.Paint {
			text = s.Paint(terminal.Drawing, text)
		}
		b.WriteString(text)
	}
	return strings.TrimRight(b.String(), " ")
}

// Print prints a table in the columns of the terminal, or if its width is unknown, as wide as the
// table is.
func (t *Table) Print(w io.Writer, s terminal.Style) error {
	if s.Width == 0 {
		s.Width = math.MaxInt32
	}
	var b strings.Builder
	WriteText(&b, []Block{t}, s)
	_, err := io.WriteString(w, b.String())
	return err
}
