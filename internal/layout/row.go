package layout

import (
	"cmp"
	"strings"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A row is a row of the table of a run: a Line with its name and its drawing.
type row struct {
	name  string
	curve string         // of a total by length; if it is empty, a bar is drawn
	cells []*report.Rate // at the lengths of a grid, in place of the drawing
	line  *report.Line
	head  bool // the row is a family; rows of its lengths may follow
	all   bool // the row is the total of the run
	// marks has the outcome of each length, if each has one request. It replaces the rows of the
	// lengths, which would take more room.
	marks string
}

// rows lists the rows of a run. A family with one line has one row, and a run with one family has
// no row for the total.
func rows(b *report.Block, everyLength bool) []row {
	var out []row
	for i := range b.Families {
		f := &b.Families[i]
		if len(f.Lines) == 1 {
			out = append(out, row{name: strings.TrimSpace(f.Name + " " + f.Lines[0].Length), line: &f.Lines[0], head: true})
			continue
		}
		family := row{name: f.Name, curve: curve(f.Lines), line: &f.Total, head: true}
		if !everyLength {
			family.marks = marks(f.Lines)
		}
		out = append(out, family)
		if family.marks != "" {
			continue
		}
		for j := range f.Lines {
			out = append(out, row{name: "  " + lengthWord(f.Lines[j].Length), line: &f.Lines[j]})
		}
	}
	if len(b.Families) > 1 {
		out = append(out, row{name: "all", line: &b.Total, head: true, all: true})
	}
	return out
}

// lengthWord names a length.
func lengthWord(length string) string { return cmp.Or(length, "(no length)") }

// marks returns the mark of each length. It is empty if a length has several requests.
func marks(lines []report.Line) string {
	var parts []string
	for i := range lines {
		l := &lines[i]
		if l.Recorded > 1 || l.Planned == nil || *l.Planned > 1 {
			return ""
		}
		parts = append(parts, strings.TrimSpace(terminal.Visible(l.Length)+" "+mark(l)))
	}
	return strings.Join(parts, "  ")
}

// mark prints the outcome of a line with one request: ✓, or ✗ or – with the reason.
func mark(l *report.Line) string {
	switch {
	case l.Exact.N > 0:
		return "✓"
	case len(l.Failures) > 0:
		return "✗ " + terminal.Visible(l.Failures[0].Name)
	}
	for _, o := range l.Outcomes {
		if o.N > 0 {
			return "– " + terminal.Visible(o.Name)
		}
	}
	return "– not sent"
}
