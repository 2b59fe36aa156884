package verbatim_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// openToAll is a package that all others may import, in addition to the vocabulary: it replaces one of
// the standard library.
const openToAll = "lazyregexp"

// mayImport lists the packages of this module that a package may import, in addition to the
// vocabulary and openToAll. It binds files that are not tests.
var mayImport = map[string][]string{
	".":                               {},
	"cmd/verbatim":                    {"cli", "cli/console"},
	"items":                           {"grade", "task", "task/itemfile"},
	"grade":                           {"grade"},
	"internal/question":               {},
	"internal/task/exact":             {"draw", "pylit", "question", "listsort"},
	"internal/task/hard":              {"draw", "pylit", "question", "task/picture", "listsort"},
	"internal/task/itemfile":          {"input", "pylit"},
	"internal/task/picture":           {},
	"internal/task":                   {"draw", "input", "pylit", "question", "task/exact", "task/hard", "task/itemfile", "rawjson", "jsonschema", "listsort"},
	"internal/draw":                   {},
	"internal/earlier":                {},
	"internal/grade":                  {"grade/asked", "grade/echo", "grade/extract", "grade/list", "grade/numeral", "grade/phrases", "grade/program", "grade/runes", "grade/traits", "pylit", "reasoning", "grade/jsonvalue"},
	"internal/grade/list":             {"grade/asked", "grade/echo", "grade/extract", "grade/phrases", "grade/program", "grade/runes", "grade/traits", "pylit", "reasoning"},
	"internal/grade/extract":          {"grade/asked", "grade/given", "grade/likeness", "grade/linemark", "grade/numeral", "grade/object", "grade/phrases", "grade/program", "grade/runes", "grade/traits", "pylit"},
	"internal/grade/asked":            {"grade/given", "grade/linemark", "grade/phrases", "grade/program", "grade/runes", "pylit"},
	"internal/grade/echo":             {"grade/asked", "grade/phrases", "grade/runes", "pylit"},
	"internal/grade/given":            {"pylit"},
	"internal/grade/likeness":         {"grade/runes"},
	"internal/grade/linemark":         {"grade/numeral"},
	"internal/grade/numeral":          {},
	"internal/grade/object":           {},
	"internal/grade/phrases":          {"grade/runes"},
	"internal/grade/program":          {"grade/phrases"},
	"internal/grade/traits":           {"grade/runes", "reasoning"},
	"internal/grade/runes":            {},
	"internal/grade/jsonvalue":        {"grade/program", "grade/extract", "grade/phrases", "grade/runes", "grade/traits", "pylit", "rawjson", "reasoning"},
	"internal/grade/jsonl":            {"grade", "finish", "rawjson", "task/itemfile"},
	"internal/pylit":                  {},
	"internal/wire":                   {"finish", "rawjson", "memory", "reasoning", "wire/eventstream", "wire/apikey", "wire/logprob", "wire/sizelimit", "wire/clean", "wire/structure", "wire/retry", "wire/body", "wire/quantity", "upstream"},
	"internal/exchange/sortbenchfile": {"csvfile", "exchange", "pylit", "rawjson", "listsort"},
	"internal/exchange/simpefile":     {"exchange", "rawjson", "listsort"},
	"internal/exchange/evallog":       {"earlier", "exchange", "finish", "pylit", "rawjson", "scratch"},
	"internal/batch":                  {"wire", "rawjson", "wire/clean", "wire/quantity"},
	"internal/memory":                 {},
	"internal/lazyregexp":             {},
	"internal/httpconn":               {},
	"internal/rawjson":                {},
	"internal/model":                  {"command", "config", "httpconn", "input", "memory", "nano", "price", "provider", "reasoning", "redact", "shell", "sim", "wire", "batch", "wire/apikey", "obedient", "rawjson", "wire/clean"},
	"internal/provider":               {"input", "wire", "wire/clean"},
	"internal/config":                 {"httpconn", "input", "price", "provider", "reasoning", "redact", "wire", "wire/clean", "listsort"},
	"internal/command":                {"input", "rawjson", "wire", "wire/clean"},
	"internal/sim":                    {"damage", "earlier", "input", "task"},
	"internal/price":                  {"input"},
	"internal/redact":                 {"wire/clean"},
	"internal/reasoning":              {},
	"internal/nano":                   {"listsort"},
	"internal/pace":                   {},
	"internal/run":                    {"bitset", "store", "store/sqlite"},
	"internal/store":                  {"bitset", "store/jsonlines", "store/lease", "store/rows", "store/sqlite", "shell", "listsort"},
	"internal/store/jsonlines":        {"bitset", "earlier", "scratch", "store/lease", "store/rows", "store/sqlite", "listsort"},
	"internal/store/lease":            {"store/sqlite"},
	"internal/store/rows":             {"earlier", "rawjson", "store/sqlite", "reasoning", "reasoning/marks"},
	"internal/store/sqlite":           {},
	"internal/store/storetest":        {"reasoning/marks"},
	"internal/bitset":                 {},
	"internal/csvfile":                {},
	"internal/scratch":                {},
	"internal/exchange":               {"scratch", "rawjson"},
	"internal/stats":                  {"stats/distribution"},
	"internal/stats/change":           {},
	"internal/stats/distribution":     {},
	"internal/stats/horizon":          {"stats"},
	"internal/stats/ranks":            {"stats", "stats/distribution"},
	"internal/stats/sequential":       {"stats"},
	"internal/stats/signedrank":       {"stats", "stats/distribution", "listsort"},
	"internal/verdict":                {"errkind", "stats", "stats/horizon", "shell", "listsort"},
	"internal/verdict/autorank":       {"stats", "stats/signedrank", "verdict", "listsort"},
	"internal/verdict/earlystop":      {"stats", "stats/sequential", "verdict"},
	"internal/verdict/horizonsearch":  {"stats/horizon"},
	"internal/verdict/leaderboard":    {"stats", "stats/ranks", "verdict"},
	"internal/verdict/poweranalysis":  {"stats", "stats/sequential", "verdict", "verdict/retest"},
	"internal/verdict/verification":   {"stats", "stats/change", "stats/distribution", "draw", "jsonschema"},
	"internal/verdict/retest":         {"stats", "stats/sequential", "verdict"},
	"internal/verdict/verdicttest":    {"oracle", "verdict"},
	"internal/number":                 {},
	"internal/recordtest":             {},
	"internal/reasoning/marks":        {},
	"internal/recordview":             {"grade", "number", "pylit", "terminal"},
	"internal/terminal":               {"rawjson"},
	"internal/terminal/terminaltest":  {},
	"internal/layout":                 {"number", "recordview", "report", "terminal", "verdict", "verdict/autorank", "verdict/horizonsearch", "verdict/leaderboard", "shell", "table", "layout/drawing", "report/result", "report/headline", "listsort", "report/parameter"},
	"internal/table":                  {"csvfile", "number", "terminal"},
	"internal/report":                 {"task", "errkind", "store", "stats", "verdict", "verdict/leaderboard", "grade", "finish", "number", "recordview", "terminal", "earlier", "stats/stream", "grade/traits", "reasoning", "reasoning/marks", "upstream", "listsort", "report/parameter"},
	"internal/damage":                 {"pylit"},
	"internal/plainwords":             {},
	"internal/testmain":               {"exhaustive"},
	"internal/modeltest":              {"wire", "httpconn", "wire/apikey", "exhaustive"},
	"internal/exhaustive":             {},
	"internal/oracle":                 {},
	"internal/trust":                  {},
	"internal/tokenlimit":             {"errkind", "lazyregexp", "reasoning", "run"},
	"internal/app":                    {"config", "errkind", "grade", "input", "library", "model", "number", "pace", "pylit", "redact", "report", "run", "shell", "store", "store/sqlite", "task", "task/itemfile", "terminal", "tokenlimit", "trust", "verdict", "verdict/earlystop", "verdict/horizonsearch", "verdict/poweranalysis", "report/result", "report/parameter"},
	"internal/imported":               {"exchange", "grade", "reasoning", "store"},
	"internal/library":                {"errkind", "input", "report", "scratch", "store", "store/sqlite", "verdict", "verdict/leaderboard", "verdict/retest", "report/result", "report/headline", "obedient"},
	"internal/errkind":                {},
	"internal/input":                  {"errkind"},
	"internal/cli":                    {"app", "cli/console", "cli/exit", "cli/failure", "cli/flagcheck", "cli/flags", "cli/help", "cli/requests", "cli/results", "draw", "errkind", "exchange", "exchange/evallog", "exchange/simpefile", "exchange/sortbenchfile", "exported", "fake", "fake/count", "fake/disobey", "fake/host", "fault", "grade", "grade/jsonl", "imported", "input", "memory", "model", "modellist", "output", "provider", "redact", "selfcheck", "shell", "store", "study/simpe", "table", "task", "task/itemfile", "tasklist", "terminal", "wire"},
	"internal/cli/console":            {"app", "cli/exit", "cli/interrupt", "errkind", "input", "layout", "model", "output", "scratch", "shell", "store", "table", "terminal"},
	"internal/cli/exit":               {"errkind"},
	"internal/cli/requests":           {"app", "cli/console", "cli/exit", "cli/flagcheck", "cli/flags", "earlier", "errkind", "input", "layout", "layout/forecast", "layout/verdicts", "library", "model", "output", "progress", "report", "report/result", "run", "table", "task", "terminal", "verdict", "verdict/earlystop", "verdict/preflight", "verdict/sentinel", "verdict/smoke", "verdict/verification", "verifying", "watching"},
	"internal/cli/results":            {"app", "cli/console", "cli/flagcheck", "cli/flags", "earlier", "errkind", "exchange", "layout", "library", "output", "page", "page/browser", "paper", "paper/folder", "recordview", "report", "report/result", "runlist", "shell", "store", "study", "study/saved", "study/simpe", "study/sortbench", "table", "terminal", "verdict", "verdict/autorank"},
	"internal/fake":                   {"damage", "fault", "finish", "rawjson", "fake/logprob", "fake/disobey", "fake/content", "fake/toolcall", "fake/clock", "fake/count", "fake/limit"},
	"internal/fault":                  {},
	"internal/figure":                 {"chart", "figure/liberation", "listsort"},
	"internal/figure/liberation":      {},
	"internal/paper":                  {"scratch", "verdict", "verdict/leaderboard", "report", "figure", "chart", "number", "terminal", "table", "report/headline"},
	"internal/page":                   {"report", "verdict", "verdict/leaderboard", "paper", "chart", "number", "recordview", "terminal", "layout", "shell", "report/headline", "listsort", "report/parameter"},
	"internal/finish":                 {},
	"internal/stats/stream":           {},
	"internal/wire/eventstream":       {},
	"internal/wire/logprob":           {"rawjson"},
	"internal/wire/sizelimit":         {"reasoning"},
	"internal/wire/apikey":            {},
	"internal/cli/help":               {"terminal"},
	"internal/verifying":              {"app", "draw", "errkind", "library", "model", "report", "report/result", "store", "task", "tokenlimit", "verdict/verification", "upstream", "report/parameter"},
	"internal/verdict/sentinel":       {"draw", "stats/change", "verdict/preflight", "upstream"},
	"internal/watching":               {"app", "draw", "errkind", "report/result", "store", "store/sqlite", "verdict/sentinel", "webhook", "library", "model", "report", "verdict/preflight"},
	"internal/webhook":                {},
	"internal/cli/flagcheck":          {"errkind"},
	"internal/fake/clock":             {},
	"internal/fake/disobey":           {},
	"internal/obedient":               {},
	"internal/verdict/preflight":      {"draw", "upstream"},
	"internal/verdict/smoke":          {"draw", "jsonschema", "stats/change"},
	"internal/fake/logprob":           {"rawjson"},
	"internal/layout/drawing":         {"report", "terminal"},
	"internal/layout/verdicts":        {"chart", "figure", "layout", "layout/drawing", "number", "report", "report/result", "table", "terminal", "verdict", "verdict/earlystop", "verdict/horizonsearch", "verdict/retest", "verdict/verification", "verdict/preflight", "verdict/smoke", "verdict/sentinel"},
	"internal/report/headline":        {"number", "report", "stats/horizon", "table", "terminal", "verdict/leaderboard", "listsort"},
	"internal/report/parameter":       {"terminal"},
	"internal/report/result":          {"number", "report", "verdict", "verdict/autorank", "verdict/earlystop", "verdict/horizonsearch", "verdict/retest", "verdict/verification", "verdict/preflight", "verdict/smoke", "verdict/sentinel", "upstream"},
	"internal/table/tabletest":        {"table", "terminal"},
	"internal/listsort":               {},
	"internal/shell":                  {},
	"internal/chart":                  {"report", "stats", "verdict", "verdict/leaderboard", "number", "terminal", "listsort"},
	"internal/study":                  {"verdict", "exchange", "paper", "terminal", "listsort"},
	"internal/study/sortbench":        {"study", "stats", "stats/signedrank", "verdict", "verdict/autorank", "exchange", "chart", "figure", "paper", "number", "terminal", "exchange/sortbenchfile", "listsort"},
	"internal/study/simpe":            {"study", "stats", "verdict", "exchange", "chart", "figure", "paper", "number", "terminal", "exchange/simpefile"},
	"internal/layout/forecast":        {"app", "number", "table", "terminal", "verdict/poweranalysis"},
	"internal/modellist":              {"config", "model", "number", "price", "provider", "sim", "table", "terminal", "wire", "obedient"},
	"internal/paper/folder":           {"errkind", "figure", "page", "paper", "scratch", "terminal"},
	"internal/runlist":                {"app", "errkind", "report", "store", "table", "terminal"},
	"internal/tasklist":               {"pylit", "table", "task", "terminal"},
	"internal/progress":               {"pace", "run", "terminal", "number"},
	"internal/selfcheck":              {"damage", "grade", "task"},
	"internal/study/saved":            {"errkind", "exchange", "library", "store", "study", "terminal", "verdict"},
	"internal/jsonschema":             {"rawjson"},
	"internal/wire/body":              {"rawjson"},
	"internal/wire/clean":             {},
	"internal/wire/quantity":          {},
	"internal/wire/structure":         {"rawjson"},
	"internal/upstream":               {"number", "listsort"},
	"internal/wire/retry":             {},
	"internal/fake/content":           {},
	"internal/fake/count":             {},
	"internal/fake/limit":             {},
	"internal/fake/toolcall":          {"rawjson"},
	"internal/output":                 {"errkind", "rawjson", "report", "report/headline", "report/result", "scratch", "terminal"},
	"internal/page/browser":           {"errkind", "page", "recordview"},
	"internal/cli/failure":            {"errkind", "rawjson", "redact", "terminal"},
	"internal/cli/flags":              {"app", "cli/flagcheck", "errkind", "input", "memory", "model", "obedient", "price", "provider", "reasoning", "redact", "report", "shell", "sim", "table", "task", "terminal", "verdict/earlystop"},
	"internal/cli/interrupt":          {"errkind"},
	"internal/fake/host":              {"errkind", "fake", "fake/count", "table"},
	"internal/exported":               {"errkind", "exchange", "exchange/evallog", "exchange/simpefile", "exchange/sortbenchfile", "library", "output", "store", "study/simpe", "task"},
}

// modules are the folders of the modules next to this one.
var modules = []string{"bench", "conformance", "dev"}

// A source is a parsed Go file.
type source struct {
	path string
	file *ast.File
}

// module parses the Go files of this module once: all tests share the result.
var module = sync.OnceValues(func() ([]source, error) { return parse(positions, ".", modules) })

// positions are the positions in the files of this module.
var positions = token.NewFileSet()

// sources visits every Go file of the module except those below testdata. The visitor
// must not change them.
func sources(t *testing.T, visit func(dir, path string, f *ast.File, fset *token.FileSet)) {
	t.Helper()
	files, err := module()
	visitAll(t, ".", files, err, positions, visit)
}

// sourcesIn visits every Go file below a folder.
func sourcesIn(t *testing.T, root string, visit func(dir, path string, f *ast.File, fset *token.FileSet)) {
	t.Helper()
	fset := token.NewFileSet()
	files, err := parse(fset, root, nil)
	visitAll(t, root, files, err, fset, visit)
}

func visitAll(t *testing.T, root string, files []source, err error, fset *token.FileSet, visit func(dir, path string, f *ast.File, fset *token.FileSet)) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 5 {
		t.Fatalf("only %d Go files were found below %s", len(files), root)
	}
	for _, s := range files {
		visit(filepath.ToSlash(filepath.Dir(s.path)), s.path, s.file, fset)
	}
}

// parse parses every Go file below a folder, without the folders of these names.
func parse(fset *token.FileSet, root string, without []string) (files []source, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || slices.Contains(without, name)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err == nil {
			files = append(files, source{filepath.ToSlash(path), f})
		}
		return err
	})
	return files, err
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	sources(t, func(dir, path string, f *ast.File, fset *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		seen[dir] = true
		allowed, known := mayImport[dir]
		if !known {
			t.Errorf("%s: package %s is not in the import table: add it to mayImport and to docs/architecture.md", path, dir)
			return
		}
		for _, imp := range f.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			if dir == "." && strings.Contains(strings.Split(name, "/")[0], ".") {
				t.Errorf("%s imports %s: the vocabulary imports the standard library only", path, name)
			}
			short, ours := strings.CutPrefix(name, "verbatim/internal/")
			if ours && short != openToAll && !slices.Contains(allowed, short) {
				t.Errorf("%s imports %s: package %s may import %v", path, name, dir, allowed)
			}
		}
	})
	for dir := range mayImport {
		if !seen[dir] {
			t.Errorf("mayImport names %s, which has no Go files", dir)
		}
	}
}

// TestNoHiddenState finds init functions, and variables of packages that are
// assigned to outside their declaration.
func TestNoHiddenState(t *testing.T) {
	sources(t, func(dir, path string, f *ast.File, fset *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		globals := map[string]bool{}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					t.Errorf("%s: an init function", fset.Position(d.Pos()))
				}
			case *ast.GenDecl:
				if d.Tok != token.VAR {
					continue
				}
				for _, s := range d.Specs {
					for _, n := range s.(*ast.ValueSpec).Names {
						globals[n.Name] = true
					}
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			assign, ok := n.(*ast.AssignStmt)
			if !ok || assign.Tok == token.DEFINE {
				return true
			}
			for _, left := range assign.Lhs {
				if id, ok := left.(*ast.Ident); ok && globals[id.Name] && id.Obj != nil && id.Obj.Decl != nil {
					if _, isGlobal := id.Obj.Decl.(*ast.ValueSpec); isGlobal && f.Scope.Lookup(id.Name) == id.Obj {
						t.Errorf("%s: the package-level variable %s is assigned to", fset.Position(id.Pos()), id.Name)
					}
				}
			}
			return true
		})
	})
}

// TestPackagesAreDocumented wants a package comment in every package.
func TestPackagesAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	sources(t, func(dir, path string, f *ast.File, fset *token.FileSet) {
		if !strings.HasSuffix(path, "_test.go") {
			documented[dir] = documented[dir] || f.Doc != nil
		}
	})
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

// TestDependenciesHaveReasons wants a comment next to every direct dependency.
func TestDependenciesHaveReasons(t *testing.T) {
	data, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	direct := regexp.MustCompile(`(?m)^\t(\S+) v\S+(.*)$`)
	found := 0
	for _, m := range direct.FindAllStringSubmatch(string(data), -1) {
		reason := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(m[2]), "//"))
		if reason == "indirect" {
			continue
		}
		found++
		if reason == "" {
			t.Errorf("go.mod: %s has no comment with a reason", m[1])
		}
	}
	if found < 5 {
		t.Errorf("go.mod: only %d direct dependencies were found", found)
	}
}

// TestFileNames refuses names that some file system cannot hold.
func TestFileNames(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if strings.ContainsAny(d.Name(), `:*?"<>|\`) {
			t.Errorf("%s cannot be checked out everywhere", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestArchitectureTable holds the table of packages in docs/architecture.md to the imports.
func TestArchitectureTable(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for dir, imports := range mayImport {
		if dir == "." { // the page describes its imports in words
			continue
		}
		want := strings.Join(imports, ", ")
		switch {
		case want == "":
			want = "–"
		case len(imports) > 25:
			want = "many"
		}
		row := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(dir) + "` \\|[^|]+\\| (.*) \\|$").FindSubmatch(page)
		switch {
		case row == nil:
			t.Errorf("docs/architecture.md has no row for %s, which imports %s", dir, want)
		case string(row[1]) != want:
			t.Errorf("docs/architecture.md: %s imports %s, not %s", dir, want, row[1])
		}
	}
}

// TestPackageSizes bounds packages: a newcomer reads one in a sitting.
func TestPackageSizes(t *testing.T) {
	const mostFiles, mostLines = 30, 4500
	files, lines := map[string]int{}, map[string]int{}
	sources(t, func(dir, path string, f *ast.File, fset *token.FileSet) {
		if !strings.HasSuffix(path, "_test.go") {
			files[dir]++
			lines[dir] += fset.Position(f.FileEnd).Line
		}
	})
	for dir := range mayImport {
		const help = "move a part that others can use or that has its own noun into a package"
		if files[dir] > mostFiles {
			t.Errorf("%s has %d files, more than %d: %s", dir, files[dir], mostFiles, help)
		}
		if lines[dir] > mostLines {
			t.Errorf("%s has %d lines, more than %d: %s", dir, lines[dir], mostLines, help)
		}
	}
}

// TestFunctionLength bounds functions: a reader sees one on a screen. The declaration of a command,
// which is mostly its help, may be longer.
func TestFunctionLength(t *testing.T) {
	const most, mostOfCommand = 60, 90
	sources(t, func(_, path string, f *ast.File, fset *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			bound := most
			if declaresCommand(fn) {
				bound = mostOfCommand
			}
			if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; n > bound {
				t.Errorf("%s: %s has %d lines, more than %d: give a part of it a name", path, fn.Name.Name, n, bound)
			}
		}
	})
}

// declaresCommand reports whether a function returns a *cobra.Command.
func declaresCommand(fn *ast.FuncDecl) bool {
	if fn.Type.Results == nil {
		return false
	}
	star, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	command, ok := star.X.(*ast.SelectorExpr)
	return ok && command.Sel.Name == "Command"
}
