package task

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/pylit"
)

// oracle returns the folder of the published lists, beside the checkout.
func oracle(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "oracle", "sortbench-v1.0")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatal(err)
		}
		t.Skip("the published lists are not beside this checkout: ", err)
	}
	return dir
}

func TestPublishedLists(t *testing.T) {
	file, items, err := PublishedLists(oracle(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 1440 {
		t.Fatalf("%d lists, want 1440", len(items))
	}
	if file.SHA256 != publishedHash {
		t.Errorf("the published lists hash to %s", file.SHA256)
	}
	if items[0].ID != "sortbench:v1.0/advanced/ASCII-Cased/2/list_1" {
		t.Errorf("the first item is %s", items[0].ID)
	}
	p, err := Plan(Request{File: file})
	if err != nil {
		t.Fatal(err)
	}
	if p.Suite != "sortbench" || p.Edition != "reference" || p.Count != 1440 {
		t.Errorf("the plan is %+v", p)
	}
}

// TestPythonPrintsTheSame compares the text of every published list and of its
// sorted form with Python's.
func TestPythonPrintsTheSame(t *testing.T) {
	dir := oracle(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	_, items, err := PublishedLists(dir)
	if err != nil {
		t.Fatal(err)
	}
	python := exec.Command("python3", "-c", `
import json, sys
for line in sys.stdin:
    l = json.loads(line)
    print(json.dumps([str(l), str(sorted(l))]))`)
	var in strings.Builder
	for _, it := range items {
		data, err := json.Marshal(it.Source)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(data, '\n'))
	}
	python.Stdin = strings.NewReader(in.String())
	out, err := python.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		var want []string
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		it := items[n]
		if got := it.Prompt[1].Content[0].Text; got != "Sort the following list: "+want[0] {
			t.Errorf("%s: the prompt is %.80s, Python prints %.80s", it.ID, got, want[0])
		}
		if got := pylit.Format(it.Want.List); got != want[1] {
			t.Errorf("%s: the sorted list is %.80s, Python's is %.80s", it.ID, got, want[1])
		}
	}
	if n != len(items) {
		t.Errorf("Python answered %d of %d lists", n, len(items))
	}
}
