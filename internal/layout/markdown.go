package layout

import (
	"bufio"
	"io"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// Markdown writes a section with a table for each run, in the dialect that
// GitHub reads. Names that come from outside are escaped, so that none of them
// becomes a link, markup or another column.
func Markdown(w io.Writer, r *report.Report, _ terminal.Style) error {
	out := bufio.NewWriter(w)
	if r.Groups != nil {
		groupMarkdown(out, r)
		return out.Flush()
	}
	if l := r.Leaderboard; l != nil && len(l.Places) > 0 {
		if err := LeaderboardMarkdown(out, l, terminal.Style{}); err != nil {
			return err
		}
		out.WriteString("\n")
	}
	for i := range r.Runs {
		if i > 0 {
			out.WriteString("\n")
		}
		markdownBlock(out, &r.Runs[i])
	}
	markdownWarnings(out, r.Warnings)
	return out.Flush()
}

// markdownBlock leaves write errors to the Flush of its caller.
func markdownBlock(out *bufio.Writer, b *report.Block) {
	title := b.Head.Name
	if b.Head.N > 0 {
		title = "run " + number.Count(b.Head.N) + " · " + title
	}
	out.WriteString("## " + escaped(title) + "\n\n")
	if b.Head.Note != "" {
		out.WriteString("> " + escaped(b.Head.Note) + "\n\n")
	}
	markdownFacts(out, description(&b.Head))
	if len(b.Families) > 0 {
		out.WriteString("\n")
		markdownTable(out, b)
	}
	if len(b.Days) > 0 {
		t, older := daySheet(b)
		out.WriteString("\n")
		sheetMarkdown(out, t)
		if text := olderDays(older); text != "" {
			out.WriteString("\n" + text + "\n")
		}
	}
	if list := summary(b); len(list) > 0 {
		out.WriteString("\n")
		markdownFacts(out, list)
	}
	markdownWarnings(out, b.Warnings)
}

func markdownFacts(out *bufio.Writer, list []fact) {
	for _, f := range list {
		out.WriteString("- **" + f.name + "** " + marked(strings.Join(f.parts, " · ")) + "\n")
	}
}

func markdownTable(out *bufio.Writer, b *report.Block) {
	all := rows(b, true)
	var cols []column
	for _, c := range columns(b, false) {
		for _, r := range all {
			if !isEmpty(c.cell(r.line)) {
				cols = append(cols, c)
				break
			}
		}
	}
	head, rule := "| | exact by length |", "|:--|:--|"
	for _, c := range cols {
		head, rule = head+" "+c.head+" |", rule+"--:|"
	}
	out.WriteString(head + " commonest failures |\n" + rule + ":--|\n")
	for _, r := range all {
		name := escaped(strings.TrimSpace(r.name))
		if r.head {
			name = "**" + name + "**"
		}
		out.WriteString("| " + name + " | " + r.curve + " |")
		for _, c := range cols {
			out.WriteString(" " + c.cell(r.line) + " |")
		}
		out.WriteString(" " + marked(failures(r.line, 200)) + " |\n")
	}
}

func markdownWarnings(out *bufio.Writer, list []report.Warning) {
	if len(list) > 0 {
		out.WriteString("\n")
	}
	for _, w := range list {
		out.WriteString("- ⚠ " + escaped(w.Text) + "\n")
	}
}
