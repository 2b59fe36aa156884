package nano_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"
)

// TestNothingIsFused wants every product of floats inside an explicit conversion.
// Without one a compiler may fuse it with a sum that it goes into, even in another
// statement or function, and round once instead of twice: it does on arm64, and on
// amd64 with GOAMD64=v3. The answers would depend on the machine.
func TestNothingIsFused(t *testing.T) {
	fset := token.NewFileSet()
	bare, all := products(fset, parseSources(t, fset)...)
	for _, p := range bare {
		t.Errorf("%s: a product without an explicit conversion: write float32(x * y)", p)
	}
	if all < 40 {
		t.Errorf("only %d products were found", all)
	}
}

// TestBareProductsAreFound tests the rule with products that it must find.
func TestBareProductsAreFound(t *testing.T) {
	for _, c := range []struct {
		body string
		want int // how many products are not converted
	}{
		{"z += x * y", 1},
		{"z += (x * y)", 1},
		{"z = z - x*y", 1},
		{"z = x * y * z", 1},
		{"z = x * y; z += x", 1},
		{"z *= x", 1},
		{"x *= 2; i *= 2", 1},
		{"z = float32(x*y + z)", 1},
		{"z = float32(i) * x", 1},
		{"z = math.Sqrt(2) * math.Pi", 1},
		{"z += float32(x * y)", 0},
		{"z += float32((x * y))", 0},
		{"z += float32(x * y * z)", 0},
		{"i = i*i + i", 0},
		{"z = 2 * math.Pi; z = 2 * 3.5", 1}, // of math nothing is known here
		{"p := &z; *p = x / y", 0},
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "x.go", "package nano\nimport \"math\"\nfunc f(x, y, z float32, i int) {"+c.body+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		bare, _ := products(fset, f)
		if len(bare) != c.want {
			t.Errorf("%s: %d products are found, want %d", c.body, len(bare), c.want)
		}
	}
}

// parseSources parses the files of the package that are not tests.
func parseSources(t *testing.T, fset *token.FileSet) []*ast.File {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			f, err := parser.ParseFile(fset, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	return files
}

// products returns the positions of the products that are in no conversion, and counts
// all. Those of integers and constants are left out; what is of no known type, because
// imports are not followed, counts as a float.
func products(fset *token.FileSet, files ...*ast.File) (bare []token.Position, all int) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Error: func(error) {}}
	conf.Check("nano", fset, files, info)
	safe := map[ast.Expr]bool{}
	see := func(x ast.Expr, converted bool) {
		if isFloat(info.Types[x]) {
			if all++; !converted {
				bare = append(bare, fset.Position(x.Pos()))
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if name, ok := n.Fun.(*ast.Ident); ok && (name.Name == "float32" || name.Name == "float64") {
					markFactors(safe, n.Args[0])
				}
			case *ast.BinaryExpr:
				if n.Op == token.MUL {
					see(n, safe[n])
					markFactors(safe, n.X)
					markFactors(safe, n.Y)
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN {
					see(n.Lhs[0], false)
				}
			}
			return true
		})
	}
	return bare, all
}

// markFactors marks a product as one that is rounded: in a conversion, or as a
// factor of another product, which is then looked at in its turn.
func markFactors(safe map[ast.Expr]bool, x ast.Expr) {
	for {
		p, ok := x.(*ast.ParenExpr)
		if !ok {
			break
		}
		x = p.X
	}
	safe[x] = true
}

func isFloat(t types.TypeAndValue) bool {
	if t.Value != nil {
		return false
	}
	basic, ok := t.Type.(*types.Basic)
	if t.Type != nil && !ok {
		basic, ok = t.Type.Underlying().(*types.Basic)
	}
	return !ok || basic.Info()&types.IsInteger == 0
}
