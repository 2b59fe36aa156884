package table_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"verbatim/internal/table"
	"verbatim/internal/table/tabletest"
	"verbatim/internal/terminal"
)

// TestPagesListFormats: each format is on the pages that list them.
func TestPagesListFormats(t *testing.T) {
	page := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	report := page("report.md")
	_, papers, _ := strings.Cut(page("papers.md"), "`--format ")
	papers, _, _ = strings.Cut(papers, "`")
	ofStudies := strings.Split(papers, `\|`)
	n := 0
	for _, f := range table.Formats() {
		if !strings.Contains(report, "\n| `"+f.Name+"` | ") {
			t.Errorf("docs/report.md, \"Choose a format\", has no row for %s", f.Name)
		}
		if f.Tests {
			continue
		}
		n++
		if !slices.Contains(ofStudies, f.Name) {
			t.Errorf("docs/papers.md has no %s in its --format %s", f.Name, papers)
		}
	}
	if n != len(ofStudies) {
		t.Errorf("docs/papers.md lists %d formats, and a study has %d", len(ofStudies), n)
	}
}

// The time of all suites of a JUnit file is the sum of theirs; unknown times do not count.
func TestJUnitTime(t *testing.T) {
	for _, c := range []struct {
		times []string
		want  string
	}{{[]string{"1.500", "", "2.250"}, ` time="3.750"`}, {[]string{"0.123"}, ` time="0.123"`}, {[]string{""}, ""}} {
		var suites []table.Suite
		for _, took := range c.times {
			suites = append(suites, table.Suite{Name: "s", Time: took})
		}
		var out strings.Builder
		if err := tabletest.Write(&out, "junit", &table.Document{Tests: func() []table.Suite { return suites }}, terminal.Style{}); err != nil {
			t.Fatal(err)
		}
		_, head, _ := strings.Cut(out.String(), "<testsuites")
		head, _, _ = strings.Cut(head, ">")
		if _, got, _ := strings.Cut(head, `errors="0"`); got != c.want {
			t.Errorf("%q: %q, want %q", c.times, got, c.want)
		}
	}
}

// A long table without a caption and a name has no empty first row.
func TestLongLaTeXWithoutCaption(t *testing.T) {
	long := &table.Table{Columns: []table.Column{{Head: "a"}}, Rows: make([]table.Row, 100)}
	var out strings.Builder
	if table.WriteLaTeX(&out, long); !strings.Contains(out.String(), "\\begin{longtable}{l}\n    \\toprule\n") {
		t.Errorf("%.200s", out.String())
	}
	long.Caption, long.Name = "C", "n"
	out.Reset()
	if table.WriteLaTeX(&out, long); !strings.Contains(out.String(), "{l}\n    \\caption{C}\\label{tab:n}\\\\\n    \\toprule\n") {
		t.Errorf("%.200s", out.String())
	}
}

// FuzzLaTeXText wants no command, comment or column of a text to pass the escaping, and
// braces to match.
func FuzzLaTeXText(f *testing.F) {
	for _, s := range []string{"", `\input{x}`, "100% & #1 $x$", "a_b^c~d", "--- ''", "{}{", "\x00\xff\u202e", "é ß 中 😀", "\\\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := table.LaTeXText(s)
		depth := 0
		for i := 0; i < len(out); i++ {
			switch out[i] {
			case '\\':
				rest := out[i+1:]
				known := false
				for _, ok := range []string{"textbackslash{}", "{", "}", "$", "&", "#", "_", "%", "textasciitilde{}", "textasciicircum{}", "textless{}", "textgreater{}", "textbar{}", "textquotedbl{}", "textasciigrave{}", "ldots{}", "pm$", "times$", "leq$", "geq$", "texttt{[U+"} {
					known = known || strings.HasPrefix(rest, ok)
				}
				if !known {
					t.Fatalf("%q: an unknown command in %q", s, out)
				}
				if strings.ContainsAny(rest[:1], "{}$&#_%") {
					i++
				}
			case '{':
				depth++
			case '}':
				if depth--; depth < 0 {
					t.Fatalf("%q: a brace too many in %q", s, out)
				}
			case '&', '#', '%', '_', '^', '~':
				t.Fatalf("%q: %q is not escaped in %q", s, out[i], out)
			}
		}
		if depth != 0 || strings.Count(strings.ReplaceAll(out, `\$`, ""), "$")%2 != 0 {
			t.Fatalf("%q: braces or dollars do not match in %q", s, out)
		}
	})
}

// FuzzMarkdownCell holds that no text becomes a tag or leaves its cell.
func FuzzMarkdownCell(f *testing.F) {
	for _, s := range []string{"", "<b>", "a|b", "`x`", "[l](u)", "&lt;", "\n\n# h", "\\|"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := strings.ReplaceAll(table.MarkdownText(terminal.Visible(s)), "`@`", "") // an at sign that mentions no person
		if strings.ContainsAny(out, "<>\n\r") {
			t.Fatalf("%q: %q", s, out)
		}
		var before rune
		for _, r := range out {
			// Inside a word an underscore is no markup.
			if r == '_' && before != '\\' && before != '_' && !unicode.IsLetter(before) && !unicode.IsDigit(before) {
				t.Fatalf("%q: an underscore is not escaped in %q", s, out)
			}
			before = r
		}
		for i := 0; i < len(out); i++ {
			switch out[i] {
			case '\\':
				i++
			case '|', '`', '*', '[', ']':
				t.Fatalf("%q: %q is not escaped in %q", s, out[i], out)
			}
		}
	})
}
