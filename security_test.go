package verbatim_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testName matches the name of a test or a fuzz target.
var testName = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`)

// TestSecurityNamesTests: each promise of docs/security.md names tests and stories
// that exist.
func TestSecurityNamesTests(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, file := range goFiles(t) {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(string(source), -1) {
			tests[m[1]] = true
		}
	}
	named := testName.FindAllString(string(page), -1)
	if len(named) < 50 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, name := range named {
		if !tests[name] && name != "TestKill" { // it names all tests that begin so
			t.Errorf("docs/security.md names the test %s, which does not exist", name)
		}
	}
	for _, m := range regexp.MustCompile(`story (\w+)`).FindAllStringSubmatch(string(page), -1) {
		if _, err := os.Stat(filepath.Join("cmd", "verbatim", "testdata", m[1]+".txtar")); err != nil {
			t.Errorf("docs/security.md names a story that does not exist: %v", err)
		}
	}
}
