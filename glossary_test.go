package verbatim_test

import (
	"go/ast"
	"go/token"
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

// A section is a part of docs/glossary.md with the terms that have an entry there.
type section struct {
	name  string
	text  string
	terms []string
}

// TestGlossaryTerms: docs/glossary.md has each term once, in alphabetical order within its
// section, and its first table lists them all. Links lead to a term or a section.
func TestGlossaryTerms(t *testing.T) {
	head, list := glossary(t)
	seen, anchors := map[string]bool{}, map[string]bool{}
	for _, s := range list {
		anchors[anchor(s.name)] = true
		var links []string
		for _, term := range s.terms {
			key := strings.ToLower(term)
			if seen[key] {
				t.Errorf("%s has two entries", term)
			}
			seen[key] = true
			anchors[anchor(term)] = true
			links = append(links, "["+term+"](#"+anchor(term)+")")
		}
		checkOrder(t, s.name, s.terms)
		row := "| [" + strings.ToLower(s.name) + "](#" + anchor(s.name) + ") | "
		switch s.name {
		case "Failure labels":
			row += links[0] + ", "
		case "Flags of answers":
			row += strings.Join(cells(s.text), ", ") + " |\n"
		default:
			row += strings.Join(links, ", ") + " |\n"
		}
		if !strings.Contains(head, row) {
			t.Errorf("the first table needs this row: %s", row)
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d terms were found", len(seen))
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		link := `glossary\.md#([\w-]+)\)`
		if filepath.Base(page) == "glossary.md" {
			link = `\]\(#([\w-]+)\)`
		}
		for _, m := range regexp.MustCompile(link).FindAllStringSubmatch(string(text), -1) {
			if !anchors[m[1]] {
				t.Errorf("%s links to #%s, which the glossary does not have", page, m[1])
			}
		}
	}
}

// TestGlossaryHasPrintedWords: docs/glossary.md has every outcome, failure class and flag
// that the program prints, and no other. TestGlossary of internal/grade holds the labels.
func TestGlossaryHasPrintedWords(t *testing.T) {
	_, list := glossary(t)
	var outcomes []string
	for _, o := range verbatim.Outcomes() {
		outcomes = append(outcomes, string(o))
	}
	if got := cells(entry(t, list, "outcome")); !slices.Equal(got, outcomes) {
		t.Errorf("the entry outcome lists %v, the program prints %v", got, outcomes)
	}
	classes, flags := printedWords(t)
	if got := cells(entry(t, list, "failure class")); !slices.Equal(got, classes) {
		t.Errorf("the entry failure class lists %v, the program prints %v", got, classes)
	}
	i := slices.IndexFunc(list, func(s section) bool { return s.name == "Flags of answers" })
	if got := cells(list[i].text); !slices.Equal(got, flags) {
		t.Errorf("the section of flags lists %v, the graders add %v", got, flags)
	}
	for _, flag := range flags {
		if recordview.FlagMeaning(flag) == "" {
			t.Errorf("the flag %s has no meaning for readers of a report", flag)
		}
	}
}

// glossary returns the text above the sections of docs/glossary.md, and the sections.
func glossary(t *testing.T) (head string, list []section) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("docs", "glossary.md"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "\n## ")
	for _, part := range parts[1:] {
		name, text, _ := strings.Cut(part, "\n")
		s := section{name: name, text: text}
		for _, m := range regexp.MustCompile(`(?m)^### (.+)$`).FindAllStringSubmatch(text, -1) {
			s.terms = append(s.terms, m[1])
		}
		list = append(list, s)
	}
	if len(list) < 6 {
		t.Fatalf("only %d sections were found", len(list))
	}
	return parts[0], list
}

// entry returns the text of a term.
func entry(t *testing.T, list []section, term string) string {
	t.Helper()
	for _, s := range list {
		if _, text, ok := strings.Cut(s.text, "### "+term+"\n"); ok {
			text, _, _ = strings.Cut(text, "\n### ")
			return text
		}
	}
	t.Fatalf("no entry %s", term)
	return ""
}

// cells returns the names in the first column of a table.
func cells(text string) (names []string) {
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// anchor returns the link to a heading, as GitHub makes it.
func anchor(heading string) string {
	plain := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(plain, " ", "-")
}

// checkOrder wants terms in alphabetical order.
func checkOrder(t *testing.T, name string, terms []string) {
	t.Helper()
	for i := 1; i < len(terms); i++ {
		if strings.ToLower(terms[i-1]) > strings.ToLower(terms[i]) {
			t.Errorf("%s: %s is after %s", name, terms[i], terms[i-1])
		}
	}
}

// printedWords returns the failure classes that this package declares and the flags that
// graders add to a grade, both sorted.
func printedWords(t *testing.T) (classes, flags []string) {
	t.Helper()
	constants := map[string]string{} // the texts of constants by their names
	var added []ast.Expr
	sources(t, func(dir, path string, f *ast.File, _ *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, v := range n.Values {
					text, ok := stringOf(v)
					if !ok {
						continue
					}
					constants[n.Names[i].Name] = text
					if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "Class" && dir == "." {
						classes = append(classes, text)
					}
				}
			case *ast.CallExpr:
				if strings.HasPrefix(dir, "internal/grade") && callee(n.Fun) == "addFlag" {
					added = append(added, n.Args[1])
				}
			}
			return true
		})
	})
	for _, e := range added {
		text, ok := stringOf(e)
		if !ok {
			text = constants[callee(e)]
		}
		flags = append(flags, text)
	}
	slices.Sort(classes)
	slices.Sort(flags)
	return classes, slices.Compact(flags)
}

// callee returns the name of a function or a constant, without its package.
func callee(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// stringOf returns the text of a string literal.
func stringOf(e ast.Expr) (text string, ok bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}
