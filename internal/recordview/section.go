package recordview

import (
	"strings"

	"verbatim/internal/terminal"
)

// label is the number of columns for the headings of the parts of a record.
const label = 12

// heading returns a word as the heading of a part.
func heading(word string, s terminal.Style) string {
	return s.Paint(terminal.Bold, terminal.PadRight(word, label))
}

// hanging puts a heading before the first line, and indents the others.
func hanging(word string, lines []string) string {
	return word + strings.Join(lines, "\n"+strings.Repeat(" ", label)) + "\n"
}
