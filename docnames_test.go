package verbatim_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// properNames are words of comments that look like declared names and are not.
var properNames = []string{
	"ChaCha8", "DasGupta", "DeepInfra", "EasyInputMessage", "GitHub", "InputMessage", "JavaScript", "ListenAndServe", "McLeish", "SignedRankTest", "SplitMix64",
}

// compound matches words of several parts, as declared names have them.
var compound = regexp.MustCompile(`\b(?:[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,})\b`)

// A comment of a file has words that may name something.
type namedComment struct {
	path  string
	line  int
	words []string
}

// TestCommentsNameWhatThereIs finds names in comments that no declaration has any more: a
// reader would search for them in vain.
func TestCommentsNameWhatThereIs(t *testing.T) {
	known := map[string]bool{}
	for _, name := range properNames {
		known[name] = true
	}
	var comments []namedComment
	eachSource(t, func(_, path string, f *ast.File, fset *token.FileSet) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				known[n.Name] = true
			case *ast.BasicLit:
				for _, word := range compound.FindAllString(n.Value, -1) {
					known[word] = true
				}
			}
			return true
		})
		for _, group := range f.Comments {
			comments = append(comments, namedComment{path, fset.Position(group.Pos()).Line, compound.FindAllString(commentText(group), -1)})
		}
	})
	for _, c := range comments {
		for _, word := range c.words {
			if !known[word] {
				t.Errorf("%s:%d: the comment names %s, which is not declared", c.path, c.line, word)
			}
		}
	}
}

// TestCommentsBeginWithTheName holds the comments of functions and types to the names that
// they describe. The comment of a test may begin with what is tested. One that begins with an
// English word names nothing.
func TestCommentsBeginWithTheName(t *testing.T) {
	eachSource(t, func(_, path string, f *ast.File, fset *token.FileSet) {
		check := func(name string, doc *ast.CommentGroup) {
			first := firstName(doc)
			if strings.HasPrefix(name, "Test") && !strings.HasPrefix(first, "Test") {
				return // what is tested
			}
			if first != "" && first != name {
				t.Errorf("%s:%d: the comment of %s begins with %s", path, fset.Position(doc.Pos()).Line, name, first)
			}
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				check(d.Name.Name, d.Doc)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Doc == nil && !d.Lparen.IsValid() {
						check(s.Name.Name, d.Doc)
					} else if ok {
						check(s.Name.Name, s.Doc)
					}
				}
			}
		}
	})
}

// firstName returns the name that a comment begins with, without an article; "" if its first
// word is one of a sentence.
func firstName(doc *ast.CommentGroup) string {
	words := strings.Fields(doc.Text())
	if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
		if first := strings.Trim(words[1], ",.:;"); compound.FindString(first) == first && !slices.Contains(properNames, first) {
			return first
		}
		return ""
	}
	if len(words) == 0 {
		return ""
	}
	first := strings.Trim(words[0], ",.:;")
	lower := token.IsIdentifier(first) && !ast.IsExported(first)
	if lower || compound.FindString(first) == first && !slices.Contains(properNames, first) {
		return first
	}
	return ""
}

// fileName matches the names of Go files in the introduction of a package.
var fileName = regexp.MustCompile(`\b[a-z0-9_]+\.go\b`)

// TestIntroductionsNameFiles finds files that the introduction of a package names and that are
// not there.
func TestIntroductionsNameFiles(t *testing.T) {
	eachSource(t, func(dir, path string, f *ast.File, _ *token.FileSet) {
		if f.Doc == nil {
			return
		}
		for _, name := range fileName.FindAllString(f.Doc.Text(), -1) {
			if found, err := filepath.Glob(filepath.Join(dir, name)); err != nil || len(found) == 0 {
				t.Errorf("%s: there is no file %s in the folder", path, name)
			}
		}
	})
}

// eachSource parses every Go file of this module and of the other modules.
func eachSource(t *testing.T, visit func(dir, path string, f *ast.File, fset *token.FileSet)) {
	t.Helper()
	sources(t, visit)
	for _, module := range modules {
		sourcesIn(t, module, visit)
	}
}
