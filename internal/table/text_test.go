package table

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"pgregory.net/rapid"

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

func TestMarkdownText(t *testing.T) {
	for in, want := range map[string]string{
		"dropped_char 3":               "dropped_char 3",
		"reverse@1/len=16/seed=1/7":    "reverse@1/len=16/seed=1/7",
		"![x](http://evil.example/p)":  `!\[x\](http&#58;//evil.example/p)`,
		"<img src=x onerror=alert(1)>": "&lt;img src=x onerror=alert(1)&gt;",
		"https://evil.example":         "https&#58;//evil.example",
		"WWW.evil.example":             "WWW&#46;evil.example",
		"ping @team, a@b":              "ping `@`team, a@b",
		"me@evil.example, a@1.5.":      "me`@`evil.example, a`@`1.5.",
		"a@b., c@ d.x, e@":             "a@b., c@ d.x, e@",
		"a|b `c` *d* _e_ ~~f~~ $g$":    "a\\|b \\`c\\` \\*d\\* \\_e_ \\~\\~f\\~\\~ \\$g\\$",
		"&lt; \\":                      `&amp;lt; \\`,
	} {
		if got := MarkdownText(in); got != want {
			t.Errorf("MarkdownText(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzMarkdownText: no character that begins markup, HTML, a column or an address is
// left without an escape.
func FuzzMarkdownText(f *testing.F) {
	for _, s := range []string{"", "![](http://x)", "<a>", "a|b", "`", "@x", "www.x", "\n# x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := MarkdownText(terminal.Visible(s))
		bare := strings.ReplaceAll(out, "`@`", "")
		for i := 0; i < len(bare); i++ {
			switch c := bare[i]; {
			case c == '\\':
				i++
			case strings.IndexByte("`*[]|~$<>\n", c) >= 0:
				t.Fatalf("%q became %q, with a bare %q", s, out, c)
			}
		}
		if low := strings.ToLower(out); strings.Contains(low, "://") || strings.Contains(low, "www.") {
			t.Fatalf("%q became %q, which is a link", s, out)
		}
	})
}

// TestGuard: what a spreadsheet may obey gets a quote, numbers and other texts none.
func TestGuard(t *testing.T) {
	for _, cell := range []string{
		`=HYPERLINK("http://example.org","x")`, `+1+1`, `-1+cmd|' /C calc'!A0`, `@SUM(A1)`, "\ttext", "\rtext", "'\t", "''\rtext",
		`＝1+1`, `＋1`, `－1`, `＠A1`, ` =1`, "\u00a0=1", "\u200b=1", "\ufeff=1", `"=1"`, `'=1`, ` '"=1`, `''=1`, `-`, `=`, `-a`, `--1`, `+`, `-1e`, `-0.5.1`, `- 1`,
	} {
		if got := guard(cell); got != "'"+cell {
			t.Errorf("%q is written as %q", cell, got)
		}
	}
	for _, cell := range []string{
		"", "a", "1", "-1", "-0.5", "+1", "-1e-05", "-1.5E+10", "1.", "-inf", "-Inf", "nan", "True", "gpt-4", "a=1", "'", "''", "'a", `"quoted"`, " a", "…", "日本", "(=1)", "#1", "\xff",
	} {
		if got := guard(cell); got != cell {
			t.Errorf("%q is written as %q", cell, got)
		}
	}
}

// TestGuardInside: where a spreadsheet separates columns by semicolons or tabs, a cell
// may begin after one, and a row after the end of a line in a quoted cell.
func TestGuardInside(t *testing.T) {
	for cell, want := range map[string]string{
		"a;=1":          "a;'=1",
		"a; =1;b;@c":    "a;' =1;b;'@c",
		"a\t+1-1":       "a\t'+1-1",
		"a\n=1\nb":      "a\n'=1\nb",
		"a\r\n＝1":       "a\r\n'＝1",
		"=a;=b":         "'=a;'=b",
		"\t=1":          "'\t'=1",
		"a;'=1":         "a;''=1",
		"a;\"=1\"":      "a;'\"=1\"",
		"1;-2;+3\n-0.5": "1;-2;+3\n-0.5",
		"a;b=c; d":      "a;b=c; d",
		"a,=b":          "a,=b", // it is quoted
	} {
		if got := guard(cell); got != want {
			t.Errorf("%q is written as %q, want %q", cell, got, want)
		}
	}
}

// TestUnguard: every text comes back.
func TestUnguard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOf(rapid.SampledFrom([]rune("=+-@＝＠'\"\t\r\n a1.e;,"))).Draw(t, "cell")
		guarded := guard(cell)
		if got := Unguard(guarded); got != cell {
			t.Fatalf("%q comes back as %q", cell, got)
		}
		for _, part := range strings.FieldsFunc(guarded, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
			if formula(part) && part[0] != '\'' {
				t.Fatalf("%q is written as %q", cell, guarded)
			}
		}
	})
}

// TestWriter writes a row unchanged if that is requested.
func TestWriter(t *testing.T) {
	row := []string{"=1", "-0.5", "a,b"}
	for raw, want := range map[bool]string{false: "'=1,-0.5,\"a,b\"\n", true: "=1,-0.5,\"a,b\"\n"} {
		var b bytes.Buffer
		w := NewWriter(&b, raw)
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
		if w.Flush(); w.Error() != nil || b.String() != want || row[0] != "=1" {
			t.Errorf("raw %v: %q %v", raw, b.String(), w.Error())
		}
		if _, err := csv.NewReader(&b).ReadAll(); err != nil {
			t.Error(err)
		}
	}
}
