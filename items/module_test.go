package items_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherModule builds the program of docs/library.md in a module of its own. It uses only what
// is public.
func TestOtherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	gosum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	page, err := os.ReadFile(filepath.Join(root, "docs", "library.md"))
	if err != nil {
		t.Fatal(err)
	}
	program, output := block(t, string(page), "```go\n"), block(t, string(page), "It prints:\n\n```\n")
	files := map[string]string{
		"go.sum":  string(gosum),
		"go.mod":  strings.Replace(string(gomod), "module verbatim", "module example.com/user", 1) + "\nrequire verbatim v0.0.0\n\nreplace verbatim => " + root + "\n",
		"main.go": program,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-mod=readonly", ".") // go.mod has all that is needed
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != output {
		t.Errorf("%v\n%s\nThe page says:\n%s", err, out, output)
	}
}

// block returns what a page has between the words before a block of code and its end.
func block(t *testing.T, page, before string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, before)
	text, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatalf("the page has no block after %q", before)
	}
	return text
}
