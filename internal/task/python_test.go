package task

import (
	"bytes"
	"os/exec"
	"strconv"
	"testing"

	"verbatim"
	"verbatim/internal/oracle"
)

// referee is a Python program that solves items: it reads the list in the prompt,
// sorts, reverses or adds, and names the items whose answer differs.
const referee = `
import ast, json, re, sys
n = 0
for line in sys.stdin:
    n += 1
    item = json.loads(line)
    asked, want = item["messages"][-1]["content"], item["want"]
    if asked.startswith("Sort the following list: "):
        text = asked[len("Sort the following list: "):]
        given = ast.literal_eval(text)
        right = sorted(given)
        paper = item["facts"]["edition"] == "paper" and isinstance(given[0], float)
        if given != item["source"] or (str(given) != text and not paper):
            print(item["id"], "is not written as Python writes it")
        if [type(x) for x in right] != [type(x) for x in want]:
            print(item["id"], "has answers of another type")
    elif asked.startswith("Provide the sum"):
        a, b = re.findall('"([0-9]+)"', asked)
        right = str(int(a) + int(b))
    else:
        text = re.findall('"([A-Za-z0-9]+)"$', asked)[0]
        right = text[::-1] if asked.startswith("Provide the following text in reverse") else text
    if want != right:
        print(item["id"], "wants another answer")
print(n)
`

// TestPython lets Python judge items of the published benchmarks' families, at every
// edition and length, and all published lists if these are there.
func TestPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	var items []verbatim.Item
	everyLength(func(f verbatim.Family, k verbatim.Parameters) {
		if !ofStudy(f) {
			return
		}
		for index := range 3 {
			items = append(items, mustDraw(t, f, k, 11, index))
		}
	})
	t.Run("drawn", func(t *testing.T) { judge(t, items) })
	t.Run("published", func(t *testing.T) {
		_, items, err := PublishedLists(oracle.Path(t, "sortbench-v1.0"))
		if err != nil {
			t.Fatal(err)
		}
		judge(t, items)
	})
}

func judge(t *testing.T, items []verbatim.Item) {
	t.Helper()
	var in bytes.Buffer
	for i := range items {
		if err := WriteItem(&in, &items[i]); err != nil {
			t.Fatal(err)
		}
	}
	python := exec.Command("python3", "-c", referee)
	python.Stdin = &in
	var faults bytes.Buffer
	python.Stderr = &faults
	out, err := python.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, faults.Bytes())
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	for _, fault := range lines[:len(lines)-1] {
		t.Errorf("%s", fault)
	}
	if n := string(lines[len(lines)-1]); n != strconv.Itoa(len(items)) || len(items) == 0 {
		t.Errorf("Python judged %s of %d items", n, len(items))
	}
}
