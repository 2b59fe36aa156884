package table_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/table"
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
