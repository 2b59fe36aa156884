package cli

import (
	"strings"
	"testing"

	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

// TestShowInWidth: on a terminal no line is wider than it, and without one texts stay whole.
func TestShowInWidth(t *testing.T) {
	for _, f := range task.Families() {
		var narrow, piped strings.Builder
		if err := showTask(&narrow, f, 80); err != nil {
			t.Fatal(err)
		}
		if err := showTask(&piped, f, 0); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(narrow.String(), "\n") {
			if terminal.Width(line) > 80 {
				t.Errorf("%s: %d columns: %s", f.Name, terminal.Width(line), line)
			}
		}
		for _, w := range f.Wordings[1:] {
			first, _, _ := strings.Cut(w.Text, "\n")
			if !strings.Contains(piped.String(), first) {
				t.Errorf("%s: without a terminal %q is cut", f.Name, first)
			}
		}
	}
}

// TestSuites: without a name all suites are listed, and with one that suite with its tasks.
func TestSuites(t *testing.T) {
	all, err := suiteEntries()
	if err != nil || len(all) != len(task.Suites()) || all[0].Tasks != nil {
		t.Errorf("%d suites, %v", len(all), err)
	}
	one, err := suiteEntries("hard")
	if err != nil || len(one) != 1 || one[0].Name != "hard" || len(one[0].Tasks) == 0 || one[0].Doc == "" {
		t.Errorf("%+v, %v", one, err)
	}
}
