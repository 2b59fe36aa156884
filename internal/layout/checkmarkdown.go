package layout

import (
	"bufio"
	"io"
	"strings"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// CheckMarkdown writes the Check as a section for the summary of a CI job, in the
// dialect that GitHub reads. Names that come from outside are escaped.
func CheckMarkdown(w io.Writer, c *report.Check) error {
	out := bufio.NewWriter(w)
	out.WriteString("## verbatim " + escaped(c.Kind) + ": " + strings.ToUpper(checkTitle(c)) + "\n\n")
	// Nothing from outside begins a line, where it could become a heading or a list.
	out.WriteString("**Verdict:** " + escaped(CheckSentence(c)) + "\n")
	if c.Ended != "" {
		out.WriteString("\n**The asking ended early:** " + escaped(c.Ended) + "\n")
	}
	out.WriteString("\n| | |\n|:--|:--|\n")
	for _, f := range checkFacts(c) {
		out.WriteString("| " + f.name + " | " + escaped(strings.Join(f.parts, " · ")) + " |\n")
	}
	if list := shownChanges(c); len(list) > 0 {
		out.WriteString("\n| item | in the baseline | now |\n|:--|:--|:--|\n")
		for _, ch := range list {
			out.WriteString("| " + escaped(ch.Item) + " | " + escaped(ch.Before) + " | " + escaped(ch.Now) + " |\n")
		}
	}
	markdownWarnings(out, c.Notes)
	for _, a := range c.Advice {
		out.WriteString("\n" + escaped(a.Text) + "\n")
		if a.Command != "" {
			out.WriteString("\n    " + terminal.Visible(a.Command) + "\n")
		}
	}
	return out.Flush()
}
