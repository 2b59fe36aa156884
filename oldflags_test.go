package verbatim_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// renamedFlag is a row of the table of renamed flags in the list of changes.
var renamedFlag = regexp.MustCompile("(?m)^\\| `--([a-z-]+)` \\| `--([a-z-]+)` \\|$")

// TestNoMessageNamesAnOldFlag: messages, pages and templates name flags by their present
// names.
func TestNoMessageNamesAnOldFlag(t *testing.T) {
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	present := map[string]string{}
	for _, row := range renamedFlag.FindAllStringSubmatch(string(changes), -1) {
		names = append(names, row[1])
		present[row[1]] = row[2]
	}
	if len(names) < 10 || present["jobs"] != "concurrency" {
		t.Fatalf("the list of changes has these renamed flags: %v", present)
	}
	old := regexp.MustCompile(`--(` + strings.Join(names, "|") + `)\b(?:[^-a-z]|$)`)
	check := func(where, text string) {
		if found := old.FindStringSubmatch(text); found != nil {
			t.Errorf("%s: --%s is now --%s", where, found[1], present[found[1]])
		}
	}
	check("nothing", "--jobs-of-another-name --tokens") // they only begin like old ones
	literals := 0
	sources(t, func(dir, path string, f *ast.File, fset *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				text, _ := strconv.Unquote(l.Value)
				check(fset.Position(l.Pos()).String(), text)
				literals++
			}
			return true
		})
	})
	if literals < 10_000 {
		t.Errorf("only %d texts were read", literals)
	}
	templates, err := filepath.Glob(filepath.Join("internal", "page", "*.gohtml"))
	if err != nil || len(templates) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	for _, page := range append(pages(t), templates...) {
		if page == "CHANGELOG.md" {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		check(page, string(text))
	}
}
