package verbatim_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/exhaustive"
)

const guide = "docs/contributing-examples.md"

// addedCode matches a piece of code of the guide: a new file, or lines that follow a line with a text.
var addedCode = regexp.MustCompile("(?s)\n(?:New file|In) `([^`]+)`(?:, after `([^\n]+)`)?:\n\n```go\n(.*?)```\n")

// TestGuide: the places where the guide to additions puts code are there.
func TestGuide(t *testing.T) {
	found := addedCode.FindAllStringSubmatch(read(t, guide), -1)
	for _, m := range found {
		if m[2] != "" && !strings.Contains(read(t, m[1]), m[2]) {
			t.Errorf("%s: %s has no %s", guide, m[1], m[2])
		}
	}
	if len(found) < 6 {
		t.Errorf("%s: only %d pieces of code were found", guide, len(found))
	}
}

// TestAdditions makes the additions of the guide in a copy of the tree, as it says, and runs its
// commands there.
func TestAdditions(t *testing.T) {
	exhaustive.Only(t)
	tree := t.TempDir()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "node_modules"}, d.Name()) {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(tree, path), 0o755)
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(tree, path), data, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
	page := read(t, guide)
	for _, m := range addedCode.FindAllStringSubmatch(page, -1) {
		path, text := filepath.Join(tree, m[1]), m[3]
		if m[2] != "" {
			before, rest, _ := strings.Cut(read(t, path), m[2])
			line, after, _ := strings.Cut(rest, "\n")
			text = before + m[2] + line + "\n" + m[3] + after
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for _, block := range regexp.MustCompile("(?s)\n```sh\n(.*?)```\n").FindAllStringSubmatch(page, -1) {
		for command := range strings.Lines(block[1]) {
			ran++
			c := exec.Command("sh", "-c", command)
			c.Dir = tree
			c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "VERBATIM_") })
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
		}
	}
	if ran < 4 {
		t.Errorf("%s: only %d commands were found", guide, ran)
	}
}
