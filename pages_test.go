package verbatim_test

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordview"
)

// pages lists the project's pages.
func pages(t *testing.T) (list []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "training/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	if len(list) < 15 {
		t.Fatalf("only %d pages were found", len(list))
	}
	return list
}

// unclear matches words that readers of the help, of messages and of README.md have stumbled over.
var unclear = regexp.MustCompile(`(?i)\b(anew|carried out|for ever|for who|found out|half right|hopeless|how many it lacks|is none|is told|nobody|oftener|purse|put up with|told apart|wanted answer|whoever|who watches)\b`)

func TestWords(t *testing.T) {
	check := func(where, text string) {
		if word := unclear.FindString(text); word != "" {
			t.Errorf("%s: say it in plain technical words, without %q", where, word)
		}
	}
	check("README.md", read(t, "README.md"))
	sources(t, func(_, path string, f *ast.File, fset *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && strings.Contains(l.Value, " ") {
				check(fset.Position(l.Pos()).String(), l.Value)
			}
			return true
		})
	})
}

// TestGlossaryHasPrintedWords: docs/glossary.md has a row for every outcome, failure class and flag of
// an answer. TestGlossary of the graders holds the labels.
func TestGlossaryHasPrintedWords(t *testing.T) {
	glossary := read(t, "docs/glossary.md")
	var words []string
	for _, o := range verbatim.Outcomes() {
		words = append(words, string(o))
	}
	flags := 0
	sources(t, func(dir, path string, f *ast.File, _ *token.FileSet) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "Class" && dir == "." {
					words = append(words, stringOf(n.Values[0]))
				}
			case *ast.CallExpr:
				if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "addFlag" && stringOf(n.Args[1]) != "" {
					flag := stringOf(n.Args[1])
					words, flags = append(words, flag), flags+1
					if recordview.FlagMeaning(flag) == "" {
						t.Errorf("the flag %s has no meaning for readers of a report", flag)
					}
				}
			}
			return true
		})
	})
	if flags < 5 || len(words) < 20 {
		t.Errorf("only these words were found: %v", words)
	}
	for _, word := range words {
		if !strings.Contains(glossary, "\n| `"+word+"` |") {
			t.Errorf("docs/glossary.md has no row for %s", word)
		}
	}
}

// stringOf returns the text of a string literal, "" for anything other.
func stringOf(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		text, _ := strconv.Unquote(l.Value)
		return text
	}
	return ""
}

// TestLinksLead: every link of a page leads to a file that is there, and to a heading that it has.
func TestLinksLead(t *testing.T) {
	n := 0
	for _, page := range pages(t) {
		for _, m := range regexp.MustCompile(`\]\(([^)\s:]*)\)`).FindAllStringSubmatch(read(t, page), -1) {
			n++
			file, heading, _ := strings.Cut(m[1], "#")
			to := page
			if file != "" {
				to = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, and there is no %s", page, m[1], to)
			} else if heading != "" && !slices.Contains(anchorsOf(t, to), heading) {
				t.Errorf("%s links to %s, and %s has no such heading", page, m[1], to)
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d links were found", n)
	}
}

// anchorsOf returns the links to the headings of a page, as GitHub makes them.
func anchorsOf(t *testing.T, page string) (list []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(read(t, page), -1) {
		plain := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, strings.ReplaceAll(plain, " ", "-"))
	}
	return list
}

// TestPagesNameWhatIsThere: the pages for contributors name files that are there, and pages name
// tests and stories that are there.
func TestPagesNameWhatIsThere(t *testing.T) {
	names := map[string]bool{"TestKill": true} // it names all tests that begin so
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		names[d.Name()], names[filepath.ToSlash(path)] = true, true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sources(t, func(_, _ string, f *ast.File, _ *token.FileSet) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				names[fn.Name.Name] = true
			}
		}
	})
	found := 0
	check := func(page, pattern string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(read(t, page), -1) {
			found++
			if !names[m[1]] && !names[m[1]+".txtar"] {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
	for _, page := range []string{"CONTRIBUTING.md", "docs/architecture.md"} {
		check(page, `([\w./-]*\w\.(?:go|txtar|gohtml))\b`)
	}
	for _, page := range []string{"CONTRIBUTING.md", "docs/architecture.md", "docs/security.md"} {
		check(page, `\b((?:Test|Fuzz)[A-Z]\w*)`)
		check(page, `(?:story |TestStories/)(\w+)`)
	}
	if found < 100 {
		t.Errorf("only %d names were found", found)
	}
}

// TestVariablesAreDocumented compares the environment variables that tests read with
// CONTRIBUTING.md. The program's own variables are in its help.
func TestVariablesAreDocumented(t *testing.T) {
	page := read(t, "CONTRIBUTING.md")
	known := map[string]bool{}
	reads := regexp.MustCompile(`(?:Getenv|LookupEnv|setting)\((?:t, )?"((?:VERBATIM|PYLIT)_[A-Z_]+)"`)
	for _, pattern := range []string{"*/*_test.go", "*/*/*_test.go"} { // those of other modules too
		others, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range others {
			for _, m := range reads.FindAllStringSubmatch(read(t, path), -1) {
				known[m[1]] = true
			}
		}
	}
	sources(t, func(_, path string, _ *ast.File, _ *token.FileSet) {
		for _, m := range reads.FindAllStringSubmatch(read(t, path), -1) {
			known[m[1]] = true
			if strings.HasSuffix(path, "_test.go") && !strings.Contains(page, m[1]) {
				t.Errorf("%s reads %s: CONTRIBUTING.md does not say what it does", path, m[1])
			}
		}
	})
	for _, name := range regexp.MustCompile(`\b(?:VERBATIM|PYLIT)_[A-Z_]+\b`).FindAllString(page, -1) {
		if !known[name] {
			t.Errorf("CONTRIBUTING.md names %s, which no test reads", name)
		}
	}
}
