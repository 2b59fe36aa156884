package terminal

import (
	"regexp"
	"strings"
)

// firstColumn matches the indentation of a line, with a first column before a wide gap.
var firstColumn = regexp.MustCompile(`^ *(\S+ {2,})?`)

// WrapLines breaks the lines of a text that are too long. It indents the further lines as far as
// the text of the first one, behind its indentation and its first column. With a width of 0, which
// is no terminal, the text is unchanged.
func WrapLines(text string, width int) string {
	if width == 0 {
		return text
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if Fits(line, width) {
			lines = append(lines, line)
			continue
		}
		indent := firstColumn.FindString(line)
		room := Width(indent)
		for _, part := range Wrap(line[len(indent):], width-room) {
			lines = append(lines, indent+part)
			indent = strings.Repeat(" ", room)
		}
	}
	return strings.Join(lines, "\n")
}
