package verbatim_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the list of packages in docs/architecture.md again")

// A wall keeps a package, and those below it, from imports that match a pattern: its own ones, and
// those of the packages of this module that it imports.
type wall struct{ of, without, why string }

const (
	models  = `/internal/(wire|model|httpconn|pace|run)(/|$)`
	network = models + `|^net$|^net/http`
	saved   = `^database/|^os/exec$|/internal/store(/|$)`
)

var walls = []wall{
	{".", `\.|^verbatim/`, "the vocabulary imports the standard library only"},
	{"internal/task", network + "|" + saved, "items are drawn, or read from files"},
	{"internal/grade", network + "|" + saved, "a grade depends on an item and a reply only"},
	{"internal/stats", network + "|" + saved, "statistics are computed from numbers only"},
	{"internal/wire", `/internal/(store|run|task|grade)(/|$)`, "a protocol knows requests and replies only"},
	{"internal/report", models, "an analysis reads saved records and never calls a model"},
	{"internal/page", models, "an analysis reads saved records and never calls a model"},
}

func TestWalls(t *testing.T) {
	imports := map[string][]string{}
	sources(t, func(dir, path string, f *ast.File, _ *token.FileSet) {
		if !strings.HasSuffix(path, "_test.go") {
			imports[dir] = append(imports[dir], importsOf(f)...)
		}
	})
	for _, w := range walls {
		forbidden, found := regexp.MustCompile(w.without), false
		for dir := range imports {
			if dir != w.of && (w.of == "." || !strings.HasPrefix(dir, w.of+"/")) {
				continue
			}
			found = true
			seen := map[string]bool{dir: true}
			for queue := []string{dir}; len(queue) > 0; queue = queue[1:] {
				for _, name := range imports[queue[0]] {
					if forbidden.MatchString(name) {
						t.Errorf("%s imports %s through %s: %s", dir, name, queue[0], w.why)
					}
					if ours, ok := strings.CutPrefix(name, "verbatim/"); ok && !seen[ours] {
						seen[ours], queue = true, append(queue, ours)
					}
				}
			}
		}
		if !found {
			t.Errorf("there is no package %s, which has a wall", w.of)
		}
	}
}

// importsOf returns the paths that a file imports.
func importsOf(f *ast.File) (list []string) {
	for _, imp := range f.Imports {
		name, _ := strconv.Unquote(imp.Path.Value)
		list = append(list, name)
	}
	return list
}

// TestPackageList: docs/architecture.md has a row for each package, made of its comment and its imports.
func TestPackageList(t *testing.T) {
	comments, imports := map[string]string{}, map[string]map[string]bool{}
	sources(t, func(dir, path string, f *ast.File, _ *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		if imports[dir] == nil {
			imports[dir] = map[string]bool{}
		}
		if f.Doc != nil {
			comments[dir] = new(doc.Package).Synopsis(f.Doc.Text())
		}
		for _, name := range importsOf(f) {
			if short, ours := strings.CutPrefix(name, "verbatim/"); ours {
				imports[dir][strings.TrimPrefix(short, "internal/")] = true
			}
		}
	})
	rows := "\n| package | comment | imports of the others |\n|---|---|---|\n"
	for _, dir := range slices.Sorted(maps.Keys(imports)) {
		if comments[dir] == "" {
			t.Errorf("%s has no package comment", dir)
		}
		comment := regexp.MustCompile(`^(Package|Command) \S+ `).ReplaceAllString(comments[dir], "")
		comment = strings.TrimRight(comment, ".:")
		list := strings.Join(slices.Sorted(maps.Keys(imports[dir])), ", ")
		rows += fmt.Sprintf("| `%s` | %s | %s |\n", dir, strings.ReplaceAll(comment, "|", `\|`), list)
	}
	const name, begin, end = "docs/architecture.md", "<!-- packages -->\n", "\n<!-- end of packages -->"
	page := read(t, name)
	head, rest, _ := strings.Cut(page, begin)
	_, tail, marked := strings.Cut(rest, end)
	if !marked {
		t.Fatalf("%s has no place for the list of packages", name)
	}
	switch want := head + begin + rows + end + tail; {
	case *update:
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	case want != page:
		t.Errorf("the list of packages in %s is outdated: go test . -run TestPackageList -update", name)
	}
}

// TestNoHiddenState finds init functions, and variables of packages that are assigned to outside
// their declaration.
func TestNoHiddenState(t *testing.T) {
	sources(t, func(_, path string, f *ast.File, fset *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: an init function", fset.Position(d.Pos()))
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			assign, ok := n.(*ast.AssignStmt)
			if !ok || assign.Tok == token.DEFINE {
				return true
			}
			for _, left := range assign.Lhs {
				if id, ok := left.(*ast.Ident); ok && id.Obj != nil && id.Obj.Kind == ast.Var && f.Scope.Lookup(id.Name) == id.Obj {
					t.Errorf("%s: the package-level variable %s is assigned to", fset.Position(id.Pos()), id.Name)
				}
			}
			return true
		})
	})
}

// TestDependenciesHaveReasons wants a comment next to every direct dependency.
func TestDependenciesHaveReasons(t *testing.T) {
	found := 0
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+ *(.*)$`).FindAllStringSubmatch(read(t, "go.mod"), -1) {
		if m[2] != "// indirect" {
			found++
		}
		if strings.TrimPrefix(m[2], "//") == "" {
			t.Errorf("go.mod: %s has no comment with a reason", m[1])
		}
	}
	if found < 5 {
		t.Errorf("go.mod: only %d direct dependencies were found", found)
	}
}

// A source is a parsed Go file.
type source struct {
	path string
	file *ast.File
}

// positions are the positions in the files of this module.
var positions = token.NewFileSet()

// module parses the Go files of this module once: all tests share the result.
var module = sync.OnceValues(func() (files []source, err error) {
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); path != "." && (err == nil || name == "testdata" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir // of another module, or no source
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		f, err := parser.ParseFile(positions, path, nil, parser.ParseComments)
		files = append(files, source{filepath.ToSlash(path), f})
		return err
	})
	return files, err
})

// sources visits every Go file of the module except those below testdata. The visitor must not
// change them.
func sources(t *testing.T, visit func(dir, path string, f *ast.File, fset *token.FileSet)) {
	t.Helper()
	files, err := module()
	if err != nil || len(files) < 100 {
		t.Fatalf("%d Go files were found: %v", len(files), err)
	}
	for _, s := range files {
		visit(path.Dir(s.path), s.path, s.file, positions)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
