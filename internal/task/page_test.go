package task

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/pylit"
)

// TestPage compares docs/tasks.md with the families' declarations; -update writes it.
func TestPage(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "tasks.md")
	want := tasksPage(t)
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the families declare (%v): run 'go test ./internal/task -run TestPage -update'", path, err)
	}
}

// tasksPage returns the page: a table of all families, and an example of each.
func tasksPage(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(`# Tasks

This page is written by ` + "`go test ./internal/task -run TestPage -update`" + ` from the declarations in ` + "`internal/task`" + `.
` + "`verbatim tasks NAME`" + ` shows a task with its editions and paraphrases.
[Another task](contributing-examples.md#a-task-family) is one file and one line; a task without code is [a file of items](format.md#items).

| task | what the model has to do | lengths | default lengths | in ` + "`quick`" + ` | grader | other names |
|---|---|---|---|---|---|---|
`)
	for _, f := range Families() {
		it := mustDraw(t, f, parameters(f.DefaultLengths[0], verbatim.Standard), 1, 0)
		grader := it.Grader
		if grader == "" && it.Want.IsList() {
			grader = "list"
		} else if grader == "" {
			grader = "text"
		}
		names := f.Aliases
		if f.Task != "" {
			names = append([]string{f.Task}, names...)
		}
		for i, name := range names {
			names[i] = "`" + name + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %d to %d %s | %s | %s | `%s` | %s |\n", f.Name, f.Doc, f.Min, f.Max, f.Unit,
			numbers(f.DefaultLengths), numbers(f.QuickLengths), grader, strings.Join(names, ", "))
	}
	b.WriteString("\n## Examples\n\nThe first item of each task at its shortest default length, seed 1.\n")
	for _, f := range Families() {
		it := mustDraw(t, f, parameters(f.DefaultLengths[0], verbatim.Standard), 1, 0)
		want := it.Want.Text
		if it.Want.IsList() {
			want = pylit.Format(it.Want.List)
		}
		fmt.Fprintf(&b, "\n### %s\n\n    %s\n    %s\n", f.Name, strings.ReplaceAll(asked(it), "\n", "\n    "), want)
	}
	return b.Bytes()
}

func numbers(list []int) string {
	if len(list) == 0 {
		return "no"
	}
	var text []string
	for _, n := range list {
		text = append(text, strconv.Itoa(n))
	}
	return strings.Join(text, ", ")
}
