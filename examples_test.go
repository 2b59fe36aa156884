package verbatim_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExamplesApply: the diffs of the page of worked examples apply to this tree. The step additions
// of scripts/check also tests what they make.
func TestExamplesApply(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	page, err := os.ReadFile("docs/contributing-examples.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(page), "\n## ")[1:]
	for _, section := range sections {
		title, _, _ := strings.Cut(section, "\n")
		diff := ""
		for _, block := range regexp.MustCompile("(?s)\n```diff\n(.*?\n)```\n").FindAllStringSubmatch(section, -1) {
			diff += block[1]
		}
		path := filepath.Join(t.TempDir(), "addition.diff")
		if err := os.WriteFile(path, []byte(diff), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("git", "apply", "--check", path).CombinedOutput()
		if err != nil && exec.Command("git", "apply", "--check", "--reverse", path).Run() != nil { // it is not applied already
			t.Errorf("docs/contributing-examples.md: the diff of %q no longer applies (%v): make the change by hand, replace the diff by that of 'git diff -U1', and run scripts/check additions\n%s", title, err, out)
		}
	}
	if len(sections) != 5 {
		t.Errorf("the page has %d examples, want 5", len(sections))
	}
}
