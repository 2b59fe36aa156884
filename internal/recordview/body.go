package recordview

import (
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/pylit"
	"verbatim/internal/terminal"
)

// AnswerText returns an answer as a reply should have it.
func AnswerText(a verbatim.Answer) string {
	if a.IsList() {
		return pylit.Format(a.List)
	}
	return a.Text
}

// body lays out the first chars characters of a text behind a margin. Long lines of prose are broken
// between words, other ones anywhere. Spaces at the ends of lines, and line feeds at the end of the
// text, are symbols.
func body(text string, chars int, s terminal.Style, prose bool) string {
	const margin = "  │ "
	head, rest := terminal.Excerpt(text, chars)
	tail := head[len(strings.TrimRight(head, "\n")):]
	head = head[:len(head)-len(tail)]
	var b strings.Builder
	for line := range strings.SplitSeq(head, "\n") {
		b.WriteString(bodyLine(line, s, prose, margin))
	}
	out := strings.TrimSuffix(b.String(), "\n") + terminal.Visible(tail) + "\n"
	if rest > 0 {
		out += s.Paint(terminal.Faint, margin) + s.Paint(terminal.Alert, "… "+number.Count(int64(rest))+" more bytes (--json has them)") + "\n"
	}
	return out
}

func bodyLine(line string, s terminal.Style, prose bool, margin string) string {
	inner := strings.TrimRight(line, " ")
	line = terminal.Visible(inner) + strings.Repeat("␠", len(line)-len(inner))
	width := s.Columns() - terminal.Width(margin)
	var lines []string
	if prose {
		lines = terminal.Wrap(line, width)
	} else {
		lines = terminal.WrapAnywhere(line, width)
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(s.Paint(terminal.Faint, margin) + l + "\n")
	}
	return b.String()
}
