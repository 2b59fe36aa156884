package verbatim_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVariablesAreDocumented compares the environment variables that tests read with
// CONTRIBUTING.md. The program's own variables are in its help.
func TestVariablesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	read := regexp.MustCompile(`(?:Getenv|LookupEnv|setting)\((?:t, )?"((?:VERBATIM|PYLIT)_[A-Z_]+)"`)
	found := map[string]bool{}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") && filepath.Dir(path) != filepath.Join("internal", "oracle") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range read.FindAllStringSubmatch(string(source), -1) {
			found[m[1]] = true
			if !strings.Contains(string(page), m[1]) {
				t.Errorf("%s reads %s: CONTRIBUTING.md does not say what it does", path, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 10 {
		t.Errorf("only %d variables were found", len(found))
	}
	for _, name := range regexp.MustCompile(`\b(?:VERBATIM|PYLIT)_[A-Z_]+\b`).FindAllString(string(page), -1) {
		if !found[name] {
			t.Errorf("CONTRIBUTING.md names %s, which no test reads", name)
		}
	}
}
