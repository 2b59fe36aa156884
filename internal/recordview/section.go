package recordview

import "strings"

// label is the width of the words before the parts of a record.
const label = 12

// hanging puts a word, padded to the width of a label, before the first of some
// lines.
func hanging(word string, lines []string) string {
	return word + strings.Join(lines, "\n"+strings.Repeat(" ", label)) + "\n"
}
