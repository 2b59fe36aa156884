package verbatim_test

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// TestUpdateIsListed: the packages whose tests have -update are those that CONTRIBUTING.md lists.
func TestUpdateIsListed(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), "\n| package | what `-update` writes |\n")
	list, _, _ = strings.Cut(list, "\n\n")
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("`\\./([a-z/]+)`").FindAllStringSubmatch(list, -1) {
		listed[m[1]] = false
	}
	sources(t, func(dir, path string, f *ast.File, _ *token.FileSet) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 3 {
				return true
			}
			if name, ok := call.Args[0].(*ast.BasicLit); ok && name.Value == `"update"` {
				if _, ok := listed[dir]; !ok {
					t.Errorf("%s has -update: CONTRIBUTING.md does not list %s", path, dir)
				}
				listed[dir] = true
			}
			return true
		})
	})
	for dir, has := range listed {
		if !has {
			t.Errorf("CONTRIBUTING.md lists -update of %s, whose tests have none", dir)
		}
	}
}

// TestPagesNameFiles holds the pages for contributors to the files and stories that are there.
func TestPagesNameFiles(t *testing.T) {
	names := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names[d.Name()], names[filepath.ToSlash(path)] = true, true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file := regexp.MustCompile(`[\w./*-]*\w\.(?:go|txtar|gohtml)\b`)
	story := regexp.MustCompile(`-run TestStories/(\w+)`)
	found := 0
	for _, page := range []string{"CONTRIBUTING.md", "docs/architecture.md", "docs/contributing-examples.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, made := range regexp.MustCompile(`(?m)^--- /dev/null\n\+\+\+ b/(\S+)$`).FindAllStringSubmatch(string(text), -1) {
			names[made[1]], names[filepath.Base(made[1])] = true, true // by a worked example
		}
		for _, name := range file.FindAllString(string(text), -1) {
			name = strings.TrimPrefix(strings.TrimPrefix(name, "b/"), "a/")
			found++
			if strings.Contains(name, "*") || names[name] || names["internal/store/"+name] {
				continue
			}
			t.Errorf("%s names %s, which is not there", page, name)
		}
		for _, m := range story.FindAllStringSubmatch(string(text), -1) {
			if !names["cmd/verbatim/testdata/"+m[1]+".txtar"] {
				t.Errorf("%s names the story %s, which is not there", page, m[1])
			}
		}
		seen := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "| `") && seen[line] {
				t.Errorf("%s has this row twice: %s", page, line)
			}
			seen[line] = true
		}
	}
	if found < 40 {
		t.Errorf("only %d names of files were found", found)
	}
}

// TestExhaustiveTestsAreRun: what tests leave out without VERBATIM_EXHAUSTIVE is run by scripts/check.
// The step exhaustive names each such test and its package, or a step runs the test alone.
func TestExhaustiveTestsAreRun(t *testing.T) {
	script, err := os.ReadFile("scripts/check")
	if err != nil {
		t.Fatal(err)
	}
	_, step, _ := strings.Cut(string(script), "\nexhaustive() {")
	step, _, found := strings.Cut(step, "\n}\n")
	if !found {
		t.Fatal("scripts/check has no step exhaustive")
	}
	named := map[string]bool{}
	for _, list := range regexp.MustCompile(`list\+?='\|?([^']+)'`).FindAllStringSubmatch(step, -1) {
		for name := range strings.SplitSeq(list[1], "|") {
			named["Test"+name] = true
		}
	}
	packages := strings.Fields(step)
	seen := 0
	fewer := fewerCases(t)
	sources(t, func(dir, path string, f *ast.File, _ *token.FileSet) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasSuffix(path, "_test.go") || !strings.HasPrefix(fn.Name.Name, "Test") || !asksForAll(fn) && !(fewer[dir] && calls(fn, "rapid")) {
				continue
			}
			seen++
			alone := strings.Contains(string(script), "'^"+fn.Name.Name+"$' ./"+dir)
			if !alone && (!named[fn.Name.Name] || !slices.Contains(packages, "./"+dir)) {
				t.Errorf("%s: %s takes all cases with VERBATIM_EXHAUSTIVE, and scripts/check does not run it so", path, fn.Name.Name)
			}
		}
	})
	if seen < 10 {
		t.Errorf("only %d tests that have more cases were found", seen)
	}
}

// fewerCases are the folders whose property tests have fewer cases without VERBATIM_EXHAUSTIVE.
func fewerCases(t *testing.T) map[string]bool {
	t.Helper()
	fewer := map[string]bool{}
	sources(t, func(dir, path string, f *ast.File, _ *token.FileSet) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "TestMain" && calls(fn, "testmain") {
				fewer[dir] = true
			}
		}
	})
	if len(fewer) < 10 {
		t.Errorf("only %d packages were found whose property tests have fewer cases", len(fewer))
	}
	return fewer
}

// asksForAll reports whether a test itself asks whether it is to take all cases.
func asksForAll(fn *ast.FuncDecl) bool { return calls(fn, "exhaustive") }

// calls reports whether a function calls one of that name, or one of the package of that name.
func calls(fn *ast.FuncDecl, name string) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			found = found || f.Name == name
		case *ast.SelectorExpr:
			pkg, ok := f.X.(*ast.Ident)
			found = found || ok && pkg.Name == name
		}
		return true
	})
	return found
}
