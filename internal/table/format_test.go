package table_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
