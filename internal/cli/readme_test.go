package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/provider"
)

// TestReadmeTable runs the command that the README begins with and wants the table
// that stands below it.
func TestReadmeTable(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, ok := strings.Cut(string(readme), "    $ verbatim ")
	if !ok {
		t.Fatal("the README shows no command with its output")
	}
	command, rest, _ := strings.Cut(example, "\n")
	var table []string
	for line := range strings.Lines(strings.TrimLeft(rest, "\n")) {
		line, indented := strings.CutPrefix(line, "    ")
		if !indented {
			break
		}
		table = append(table, line)
	}
	if len(table) < 10 {
		t.Fatalf("the README shows %d lines of a table", len(table))
	}
	got := invoke(t, filepath.Join(t.TempDir(), "x.db"), strings.Fields(command)...)
	if got.code != exitDone || !strings.Contains(got.out, strings.Join(table, "")) {
		t.Errorf("%s prints with exit code %d\n%s%s\nand the README shows\n%s", command, got.code, got.out, got.err, strings.Join(table, ""))
	}
}

// TestLocalServersAreNamed wants every text that says which servers are looked for to
// name all of them.
func TestLocalServersAreNamed(t *testing.T) {
	page := func(path ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	places := map[string]string{
		"README.md":          page("README.md"),
		"docs/real-model.md": page("docs", "real-model.md"),
		"run --help":         invoke(t, "", "run", "--help").out,
		"models":             invoke(t, "", "models").out,
	}
	local := 0
	for _, p := range provider.All() {
		if !p.Local {
			continue
		}
		local++
		for place, text := range places {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), p.Title) {
				t.Errorf("%s does not name %s", place, p.Title)
			}
		}
	}
	if local == 0 {
		t.Error("no server is looked for")
	}
}
