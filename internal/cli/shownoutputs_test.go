package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/exhaustive"
)

// TestShownOutputs: the outputs that pages show of simulated models are those that their
// commands print. It compares words, and not the spaces between them.
func TestShownOutputs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		page, first string // the block of the page that begins so
		commands    string // one a line; the last one prints it
		long        bool   // left to the step exhaustive of scripts/check
	}{
		{"horizon.md", "reverse: right half of the time up to 32", "horizon --task reverse --model sim:sloppy -j 1", false},
		{"horizon.md", "reverse: right not more than half", "horizon --task reverse --model sim:sloppy?error=0.7 -j 1", false},
		{"check.md", "WORSE", "run --task reverse,sort-int --length 4..16 --items 40 --model sim:sloppy\ncheck --baseline 1 --model sim:sloppy?down=0&reverse=4 -j 1", false},
		{"guide.md", "model               requests", "plan --suite sortbench --model openai:gpt-4o-mini", false},
		{"aa.md", "items    120 with two answers", "aa sim:sloppy --task reverse --items 20", true},
		{"verify.md", "DIFFER  1 of 2 endpoints", "verify sim:careful sim:careful?seed=2 sim:sloppy", true},
	} {
		if test.long && !exhaustive.All() {
			continue
		}
		db, printed := filepath.Join(t.TempDir(), "v.db"), ran{}
		for line := range strings.SplitSeq(test.commands, "\n") {
			printed = invoke(t, db, strings.Fields(line)...)
		}
		got := strings.Join(strings.Fields(printed.out), " ")
		block := blockOf(t, test.page, test.first)
		for _, line := range block {
			if !strings.Contains(got, strings.Join(strings.Fields(line), " ")) {
				t.Errorf("docs/%s shows of verbatim %s\n%s\nwhich it does not print:\n%s%s", test.page, test.commands, line, printed.out, printed.err)
			}
		}
	}
}

// blockOf returns the lines of the block of code on a page whose first line begins so.
func blockOf(t *testing.T, page, first string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		code, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		if len(lines) == 0 && !(indented && strings.HasPrefix(code, first)) {
			continue
		}
		if !indented && code != "" {
			break
		}
		if code != "" && !strings.Contains(code, "verbatim ") { // a command depends on the database
			lines = append(lines, code)
		}
	}
	if len(lines) == 0 {
		t.Fatalf("docs/%s shows no block that begins with %q", page, first)
	}
	return lines
}
