package verbatim_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pageLink matches the target of a link to a file or a heading of this repository.
var pageLink = regexp.MustCompile(`\]\(([^)\s:]*)\)`)

// TestLinksLead: every link of a page leads to a file that is there, and to a heading that it has.
func TestLinksLead(t *testing.T) {
	n := 0
	headings := map[string]map[string]bool{}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pageLink.FindAllStringSubmatch(string(text), -1) {
			n++
			file, heading, _ := strings.Cut(m[1], "#")
			to := page
			if file != "" {
				to = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, and there is no %s", page, m[1], to)
				continue
			}
			if heading == "" {
				continue
			}
			if headings[to] == nil {
				headings[to] = anchorsOf(t, to)
			}
			if !headings[to][heading] {
				t.Errorf("%s links to %s, and %s has no such heading", page, m[1], to)
			}
		}
	}
	if n < 300 {
		t.Errorf("only %d links were found", n)
	}
}

// anchorsOf returns the links to the headings of a page.
func anchorsOf(t *testing.T, page string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(text), -1) {
		list[anchor(m[1])] = true
	}
	return list
}
