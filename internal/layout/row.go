package layout

import (
	"strings"

	"verbatim/internal/layout/drawing"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A row is a line of a table: a Line with its name and its drawing.
type row struct {
	name  string
	curve string         // of a total; a bar is drawn where it is empty
	cells []*report.Rate // at the lengths of a grid, which then stand where the bar would
	line  *report.Line
	head  bool // a family, whose lines follow
	all   bool // the total of the run
	// marks give the outcome of every length, if each was sent once: a line for each
	// length would take more room.
	marks string
}

// rows lists what a block's table shows. A family with one line is one row, and
// the total of a single family is the run's.
func rows(b *report.Block, everyLength bool) []row {
	var out []row
	for i := range b.Families {
		f := &b.Families[i]
		if len(f.Lines) == 1 {
			out = append(out, row{name: strings.TrimSpace(f.Name + " " + f.Lines[0].Length), line: &f.Lines[0], head: true})
			continue
		}
		family := row{name: f.Name, curve: drawing.Curve(f.Lines), line: &f.Total, head: true}
		if !everyLength {
			family.marks = marks(f.Lines)
		}
		out = append(out, family)
		if family.marks != "" {
			continue
		}
		for j := range f.Lines {
			name := f.Lines[j].Length
			if name == "" {
				name = "(no length)"
			}
			out = append(out, row{name: "  " + name, line: &f.Lines[j]})
		}
	}
	if len(b.Families) > 1 {
		out = append(out, row{name: "all", line: &b.Total, head: true, all: true})
	}
	return out
}

// marks gives for every length pass, or the label of the failure of its one answer. It
// is empty unless every length has at most one record.
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
