package report

import (
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// excerpt returns the first characters of s, and how many bytes follow them.
func excerpt(s string, chars int) (string, int) {
	size := 0
	for ; chars > 0 && size < len(s); chars-- {
		_, n := decode(s[size:])
		size += n
	}
	return s[:size], len(s) - size
}

// wantedText returns the wanted answer as it should be written.
func wantedText(item *verbatim.Item) string { return answerText(item.Want) }

func answerText(a verbatim.Answer) string {
	if a.IsList() {
		return pylit.Format(a.List)
	}
	return a.Text
}

// body lays a text out behind a margin: its lines, broken anywhere where they are
// too long, since every character counts; words are kept whole in prose. Spaces
// at the ends of lines and line feeds at the end of the text are made visible. No
// more than chars characters are shown.
func body(text string, chars int, s Style, prose bool) string {
	const margin = "  │ "
	head, rest := excerpt(text, chars)
	tail := head[len(strings.TrimRight(head, "\n")):]
	head = head[:len(head)-len(tail)]
	var b strings.Builder
	for line := range strings.SplitSeq(head, "\n") {
		b.WriteString(bodyLine(line, s, prose, margin))
	}
	out := strings.TrimSuffix(b.String(), "\n") + Visible(tail) + "\n"
	if rest > 0 {
		out += s.paint(faint, margin) + s.paint(alarm, "… "+count(int64(rest))+" more bytes (--json has them)") + "\n"
	}
	return out
}

func bodyLine(line string, s Style, prose bool, margin string) string {
	inner := strings.TrimRight(line, " ")
	line = Visible(inner) + strings.Repeat("␠", len(line)-len(inner))
	width := s.width() - wide(margin)
	var lines []string
	if prose {
		lines = wrapped(line, width)
	} else {
		lines = broken(line, width)
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(s.paint(faint, margin) + l + "\n")
	}
	return b.String()
}

// broken cuts a line wherever the width ends.
func broken(line string, width int) []string {
	var lines []string
	for !fitsIn(line, width) {
		head := prefix(line, width)
		if head == line {
			break
		}
		lines, line = append(lines, head), line[len(head):]
	}
	return append(lines, line)
}
