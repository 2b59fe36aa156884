package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/model"
)

// TestReadmeTable wants the table that the README begins with to be the report of the
// saved run of a real model, and the command above it to be the command of that run.
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
		if !indented && strings.TrimSpace(line) != "" {
			break
		}
		table = append(table, line)
	}
	if len(table) < 10 {
		t.Fatalf("the README shows %d lines of a table", len(table))
	}
	db := filepath.Join(t.TempDir(), "x.db")
	invoke(t, db, "import", filepath.Join("..", "..", "cmd", "verbatim", "testdata", "smollm2.jsonl"))
	got := invoke(t, db, "report", "last")
	if want := strings.TrimSpace(strings.Join(table, "")); got.code != exitDone || !strings.Contains(got.out, want) {
		t.Errorf("report prints with exit code %d\n%s%s\nand the README shows\n%s", got.code, got.out, got.err, want)
	}
	if r := invoke(t, db, append(strings.Fields(command), "--model", "sim:perfect", "--quiet")...); r.code != exitDone {
		t.Fatalf("%s: exit code %d\n%s", command, r.code, r.err)
	}
	var saved struct{ Runs []struct{ Plan string } }
	if err := json.Unmarshal([]byte(invoke(t, db, "runs", "--json").out), &saved); err != nil || len(saved.Runs) != 2 {
		t.Fatalf("%d runs, %v", len(saved.Runs), err)
	}
	if runs := saved.Runs; runs[0].Plan != runs[1].Plan {
		t.Errorf("the command in the README has the plan %s, and the table above it %s", runs[1].Plan, runs[0].Plan)
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
	for _, p := range model.Providers() {
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
