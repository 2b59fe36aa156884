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

// TestShortenedNamesDiffer: names that differ still do where they are shortened.
func TestShortenedNamesDiffer(t *testing.T) {
	for _, names := range [][]string{
		{"http://machine.example.org:18804/v1#m", "http://machine.example.org:18805/v1#m"},
		{"server-with-a-very-very-long-name#model-a", "server-with-a-very-very-long-name#model-b"},
		{"the same words to the very end 1 and so on", "the same words to the very end 2 and so on"},
		{"alike 1 in the first part of the whole name", "alike 2 in the first part of the whole name"},
	} {
		table := Table{Columns: []Column{{Head: "model", Min: 8}, {Head: "exact", Right: true}}}
		for _, name := range names {
			table.Add(name, "100.0")
		}
		var b strings.Builder
		WriteText(&b, []Block{&table}, terminal.Style{Width: 40})
		lines := strings.Split(b.String(), "\n")
		if lines[1] == lines[2] || !strings.Contains(lines[1], "…") || terminal.Width(lines[1]) > 40 {
			t.Errorf("the two models have one name, or the table is wider than 40 columns:\n%s\n%s", lines[1], lines[2])
		}
	}
}

// TestSpareColumns: a spare column is left out where the others do not fit next to it.
func TestSpareColumns(t *testing.T) {
	for width, want := range map[int]string{50: "run  name", 40: "run  model"} {
		table := Table{Columns: []Column{{Head: "run", Right: true}, {Head: "name", Min: 14, Spare: true}, {Head: "model", Min: 14}, {Head: "state"}}}
		table.Add("1", "a-long-name-of-a-run-1", "a-long-name-of-a-model", "finished")
		var b strings.Builder
		WriteText(&b, []Block{&table}, terminal.Style{Width: width})
		if !strings.HasPrefix(b.String(), want) || !terminal.Fits(strings.SplitN(b.String(), "\n", 3)[1], width) {
			t.Errorf("in %d columns:\n%s", width, b.String())
		}
	}
}
