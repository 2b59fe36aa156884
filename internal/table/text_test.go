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

// TestExamplesInWidth: a command that does not fit next to its text has a line of its own on a
// terminal, in one piece.
func TestExamplesInWidth(t *testing.T) {
	list := List{Kind: Examples, Items: []Item{{Text: "see it", Command: "verbatim show 1"}, {Text: "save a page with charts", Command: "verbatim report 1 --format html -o report.html"}}}
	for width, want := range map[int]string{
		0:   "  see it                   verbatim show 1\n  save a page with charts  verbatim report 1 --format html -o report.html\n",
		100: "  see it                   verbatim show 1\n  save a page with charts  verbatim report 1 --format html -o report.html\n",
		60:  "  see it                   verbatim show 1\n  save a page with charts\n    verbatim report 1 --format html -o report.html\n",
	} {
		var b strings.Builder
		textList(&b, list, terminal.Style{Width: width})
		if b.String() != want {
			t.Errorf("%d columns:\n%s", width, b.String())
		}
	}
}
