package verbatim_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/plainwords"
)

// allowedWords are faults that stay, with the reasons.
var allowedWords = []struct{ path, found, reason string }{
	{"internal/plainwords/", "", "it is the list"},
	{"gowords_test.go", "", "it names faults"},
	{"internal/earlier/", "payload", "a word of earlier versions"},
	{"internal/grade/phrases/words.go", "", "words of replies, not of this program"},
	{"internal/grade/", "cast", "a conversion of types, in SortBench's words"},
	{"internal/task/sort.go", "beside", "a released wording of a prompt, which never changes"},
	{"internal/pylit/", "cast", "a conversion of types, in SortBench's words"},
	{"internal/exchange/simpefile/", "tries", "a field of simpE's files"},
	{"internal/terminal/", "seal", "a secret that marks the sequences of the program itself"},
	{"internal/cli/", "seal", "the same"},
	{"internal/output/", "seal", "the same"},
	{"internal/cli/fake.go", "try", "a part of an example"},
	{"internal/layout/", "tried", "a verb of the field: requests tried again"},
	{"internal/reasoning/", "", "words of reasoning, not of this program"},
	{"internal/recordtest/", "", "texts of replies, for tests"},
	{"internal/cli/special_linux_test.go", "kept", "a name of a file"},
	{"internal/store/", "payload", "a word of earlier versions"},
	{"internal/store/rows/", "try", "a column of saved databases"},
	{"internal/store/rows/schema.go", "kept", "the schema, whose text is pinned"},
	{"internal/store/rows/schema.go", "tries", "the same"},
	{"internal/store/", "else", "a word of SQL"},
	{"internal/fake/", "payload", "the words of a provider's messages"},
	{"internal/grade/extract/", "on", "a rule is on or off"},
	{"internal/pace/pause.go", "on", "a pause is on or off"},
	{"internal/run/lane.go", "on", "the same"},
	{"internal/cli/requests/until.go", "on", "the same"},
	{"internal/cmd/errorrates/coverage.go", "strict", "a rule of intervals"},
	{"internal/fake/config.go", "strict", "a mode of servers"},
	{"internal/task/exact/setops.go", "that of", "a released wording of a prompt, which never changes"},
	{"internal/task/exact/stablesort.go", "stand", "the same"},
	{"internal/task/hard/picture.go", "stand", "the same"},
	{"internal/task/hard/picture.go", "that of", "the same"},
}

// TestGoUsesPlainWords holds declared names, comments and messages of all packages to the
// project's vocabulary.
func TestGoUsesPlainWords(t *testing.T) {
	faults := map[string][]string{}
	visit := func(dir, path string, f *ast.File, fset *token.FileSet) {
		report := func(pos token.Pos, fault plainwords.Fault) {
			for _, a := range allowedWords {
				if strings.HasPrefix(path, a.path) && (a.found == "" || strings.EqualFold(a.found, fault.Found)) {
					return
				}
			}
			at := fset.Position(pos)
			faults[dir] = append(faults[dir], fmt.Sprintf("%s:%d: %q: say %s", path, at.Line, fault.Found, fault.Say))
		}
		if fault, ok := plainwords.Name(strings.TrimSuffix(filepath.Base(path), ".go")); ok {
			report(f.Package, fault)
		}
		for _, group := range f.Comments {
			for _, fault := range plainwords.Comment(commentText(group)) {
				report(group.Pos(), fault)
			}
		}
		test := strings.HasSuffix(path, "_test.go")
		ast.Inspect(f, func(n ast.Node) bool {
			for _, name := range declared(n) {
				if fault, ok := plainwords.Name(name.Name); ok {
					report(name.Pos(), fault)
				}
			}
			if text, ok := message(n); ok && !test {
				for _, fault := range plainwords.Message(text) {
					report(n.Pos(), fault)
				}
			}
			return !isWording(n)
		})
	}
	eachSource(t, visit)
	for _, dir := range slices.Sorted(maps.Keys(faults)) {
		for _, fault := range faults[dir] {
			t.Error(fault)
		}
	}
}

// quotedCode matches code, tags, commands and texts that a text quotes.
var quotedCode = regexp.MustCompile("`[^`]*`" + `|"[^"]*"|<[^>]*>|'[^']*'`)

// commentText returns the words of a comment without what it quotes.
func commentText(group *ast.CommentGroup) string {
	return quotedCode.ReplaceAllString(strings.Join(strings.Fields(group.Text()), " "), "CODE")
}

// message returns a string literal of several words.
func message(n ast.Node) (text string, ok bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	text = quotedCode.ReplaceAllString(text, "CODE")
	return flagName.ReplaceAllString(text, "CODE"), err == nil && strings.Contains(strings.TrimSpace(text), " ")
}

// isWording reports whether a node is a released wording of a prompt, which never changes.
func isWording(n ast.Node) bool {
	field, ok := n.(*ast.KeyValueExpr)
	if !ok {
		return false
	}
	key, ok := field.Key.(*ast.Ident)
	return ok && slices.Contains([]string{"System", "Before", "After"}, key.Name)
}

var flagName = regexp.MustCompile(`--[a-z][a-z-]*|\b[a-z-]+=\S*`)

// declared returns the names that a node declares.
func declared(n ast.Node) (names []*ast.Ident) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		names = append(names, n.Name)
	case *ast.TypeSpec:
		names = append(names, n.Name)
	case *ast.ValueSpec:
		names = n.Names
	case *ast.Field:
		names = n.Names
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			for _, e := range n.Lhs {
				if name, ok := e.(*ast.Ident); ok {
					names = append(names, name)
				}
			}
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if name, ok := e.(*ast.Ident); ok {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
