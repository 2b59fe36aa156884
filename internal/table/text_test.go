package table

import (
	"strings"
	"testing"

	"verbatim/internal/terminal"
)

// TestTextInWidth: a table takes no more than the terminal's columns, and breaks texts
// between words.
func TestTextInWidth(t *testing.T) {
	list := &Table{Columns: []Column{{Head: "name"}, {Head: "n", Right: true}, {Head: "what it does", Wrap: true, Min: 20}, {Head: "more", Rank: 1}}}
	list.Add("reverse", "12", "Write the text backwards, character by character.", "a further column")
	list.Add("copy", "3", "Write the same text.", "x")
	for _, c := range []struct {
		width int
		want  string
	}{
		{100, `name      n  what it does                                       more
reverse  12  Write the text backwards, character by character.  a further column
copy      3  Write the same text.                               x
`},
		{50, `name      n  what it does
reverse  12  Write the text backwards, character
             by character.
copy      3  Write the same text.
`},
	} {
		var b strings.Builder
		WriteText(&b, []Block{list}, terminal.Style{Width: c.width})
		if b.String() != c.want {
			t.Errorf("in %d columns:\n%s\nwant\n%s", c.width, b.String(), c.want)
		}
	}
}
