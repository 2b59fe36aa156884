package verbatim_test

import (
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// embedLine matches the files that a source file embeds.
var embedLine = regexp.MustCompile(`(?m)^//go:embed (.+)$`)

// TestEmbeddedFilesHaveLicences: NOTICE names every file that the program embeds.
func TestEmbeddedFilesHaveLicences(t *testing.T) {
	named := strings.Fields(read(t, "NOTICE"))
	found := 0
	sources(t, func(dir, file string, _ *ast.File, _ *token.FileSet) {
		for _, m := range embedLine.FindAllStringSubmatch(read(t, file), -1) {
			for pattern := range strings.FieldsSeq(m[1]) {
				found++
				embedded := path.Join(dir, pattern)
				if !slices.ContainsFunc(named, func(word string) bool { return covers(word, embedded) }) {
					t.Errorf("%s embeds %s: name it in NOTICE with its origin and its licence", file, embedded)
				}
			}
		}
	})
	if found < 10 {
		t.Errorf("only %d embedded files were found", found)
	}
	for _, word := range named {
		if licence, ok := strings.CutPrefix(word, "licenses/"); ok {
			if _, err := os.Stat(filepath.Join("licenses", strings.TrimRight(licence, ".,:)"))); err != nil {
				t.Errorf("NOTICE names a licence that is missing: %v", err)
			}
		}
	}
}

// covers reports whether a word of NOTICE names an embedded file or pattern.
func covers(word, embedded string) bool {
	if word == embedded {
		return true
	}
	match, err := path.Match(word, embedded)
	return err == nil && match
}

// TestModulesHaveLicences: licenses/modules has the licence of every module that is
// linked into the program, and of no other.
func TestModulesHaveLicences(t *testing.T) {
	linked := map[string]bool{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./cmd/verbatim")
		list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			t.Fatalf("go list for %s: %v", system, err)
		}
		for module := range strings.FieldsSeq(string(out)) {
			linked[module] = true
		}
	}
	if len(linked) < 10 {
		t.Fatalf("only %d modules were found", len(linked))
	}
	for module := range linked {
		texts, err := filepath.Glob(filepath.Join("licenses", "modules", filepath.FromSlash(module), "*"))
		if err != nil || len(texts) == 0 {
			t.Errorf("module %s has no licence in licenses/modules: run scripts/licenses", module)
		}
	}
	filepath.WalkDir(filepath.Join("licenses", "modules"), func(file string, d os.DirEntry, err error) error {
		if err != nil {
			t.Fatal(err)
		}
		module, _ := filepath.Rel(filepath.Join("licenses", "modules"), filepath.Dir(file))
		if !d.IsDir() && !linked[filepath.ToSlash(module)] {
			t.Errorf("%s is the licence of a module that is not linked: run scripts/licenses", file)
		}
		return nil
	})
}
