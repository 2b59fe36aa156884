package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/grade"
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

// difficulty is the part of the page that says how tasks become harder.
const difficulty = `
## Difficulty

A task becomes harder with its length. A small model, SmolLM2-135M-Instruct with weights of four bits, has some of these tasks right at short lengths. The table has its exact answers by length, without reasoning and at temperature 0.
There are few answers. 5 right of 10 have a 95 % interval of 24 to 76 %, and 16 of 40 one of 26 to 55 %. The fall is not even: ` + "`" + `copy-ids` + "`" + ` has more right answers at 4 than at 2. None is right at the longest of these lengths in ` + "`" + `copy-json` + "`" + `, ` + "`" + `stable-sort` + "`" + ` and two tasks of sorting.

    scripts/small-model 8094 &
    verbatim run --model http://127.0.0.1:8094/v1 --task copy-json --length 2,4,8 --items 10 --temperature 0 --reasoning-tokens 0
    verbatim report last --group-by task,length

| task | exact answers by length |
|---|---|
| ` + "`" + `copy-json` + "`" + ` | 2: 5 of 10, 4: 6 of 10, 8: 0 of 10 |
| ` + "`" + `copy-ids` + "`" + ` | 1: 27 of 40, 2: 6 of 40, 4: 16 of 40, 8: 1 of 40 |
| ` + "`" + `copy-long` + "`" + ` | 50: 13 of 40, 100: 12 of 40, 200: 3 of 40, 400: 5 of 40 |
| ` + "`" + `hard-direction` + "`" + ` | 2: 2 of 10, 4: 0 of 10, 8: 0 of 10 |
| ` + "`" + `hard-languages` + "`" + ` | 2: 7 of 40, 4: 1 of 40, 8: 0 of 40 |
| ` + "`" + `hard-names` + "`" + ` | 2: 2 of 20, 4: 0 of 20 |
| ` + "`" + `hard-scripts` + "`" + ` | 2: 1 of 20 |
| ` + "`" + `stable-sort` + "`" + ` | 3: 4 of 40, 4: 0 of 20 |
| ` + "`" + `copy-repeat` + "`" + ` | 1: 1 of 40, 2: 1 of 40, 8: 0 of 10 |

Some answers are right but not exact. Of the 40 items of ` + "`" + `emit-n` + "`" + ` that ask for one word or letter, 17 have the right answer with other text around it.

With the other tasks the model has nothing exact at the shortest length that was asked:

| items | tasks |
|---|---|
| 40 | ` + "`" + `emit-n` + "`" + ` of 1 and 2, ` + "`" + `copy-unicode` + "`" + ` of 4, ` + "`" + `char-ops` + "`" + ` of 4, ` + "`" + `set-ops` + "`" + ` of 2, ` + "`" + `root` + "`" + ` of 2 |
| 20 | ` + "`" + `hard-known` + "`" + `, ` + "`" + `hard-defined` + "`" + `, ` + "`" + `hard-columns` + "`" + `, ` + "`" + `hard-mixed` + "`" + `, ` + "`" + `hard-length` + "`" + `, ` + "`" + `hard-notations` + "`" + ` and ` + "`" + `hard-sentences` + "`" + ` of 2 |
| 10 | ` + "`" + `hard-distance` + "`" + ` and ` + "`" + `hard-ontology` + "`" + ` of 2, ` + "`" + `copy-code` + "`" + ` of 4, ` + "`" + `edit-apply` + "`" + ` of 2, ` + "`" + `pick-twin` + "`" + ` of 400 |

The figures show a simulated model, since a model of texts has no answers to the two tasks with pictures. It errs more often the longer
the answer is. Where a short answer is found in a long text, as in ` + "`pick-twin`" + ` and ` + "`char-ops`" + `, the length of that text counts. Its mistakes are those of the task, and some answers are wrapped or refused at any length. The bands are 95 % Wilson intervals.

    verbatim run --suite exact --model 'sim:sloppy?down=0' --items 180
    verbatim report last --figures figures

![Exact share over length, a panel for each exact task](difficulty-exact.svg)

    verbatim run --suite hard --model 'sim:sloppy?down=0' --items 200
    verbatim report last --figures figures

![Exact share over length, a panel for each hard task](difficulty-hard.svg)

Facts of an item make it harder too: ties, a longer common beginning, a larger tree. The first such fact of a task is its knob; its values go from the easiest to the hardest, as the task declares.
The simulated model errs more with them. All items of this figure have length 8.

    verbatim run --task 'hard-*,char-ops,root' --length 8 --items 300 --model 'sim:sloppy?down=0'
    verbatim report last --group-by task,knob --figures figures

![Exact share by the knob of each task, at one length](difficulty-knob.svg)

Of some short lengths there are few items: ` + "`root`" + ` has 180 of two digits. A plan asks none of them twice. It leaves out an item that asks what an earlier one asks, so that the indexes in the
names of items have gaps. A plan of more items than there are is refused, with their number. This holds for the hard and exact tasks.

The facts of an item say more about its difficulty: [the examples](#examples) name them, and ` + "`report --group-by fact:NAME`" + ` groups by them. [What it costs](what-it-costs.md#what-do-1000-items-cost) has
prices of 1,000 items.
`

// tasksPage returns the page: a table of all families, and an example of each.
func tasksPage(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(`# Tasks

This page is written by ` + "`go test ./internal/task -run TestPage -update`" + ` from the declarations in ` + "`internal/task`" + `.
` + "`verbatim tasks NAME`" + ` shows a task with its editions and paraphrases.
[Another task](contributing-examples.md#a-task-family) is one file, one line and one check; a task without code is [a file of items](format.md#items).

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
		names := slices.Clone(f.Aliases)
		if f.Task != "" {
			names = append([]string{f.Task}, names...)
		}
		for i, name := range names {
			names[i] = "`" + name + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %d to %d %s | %s | %s | `%s` | %s |\n", f.Name, f.Doc, f.Min, f.Max, f.Unit,
			numbers(f.DefaultLengths), numbers(quickLengths(f.Name)), grader, strings.Join(names, ", "))
	}
	b.WriteString(difficulty)
	b.WriteString("\n## Examples\n\nThe first item of each task at its shortest default length, seed 1, and its answer. Below the hard and exact tasks is a wrong answer of a real model, SmolLM2-135M-Instruct, with the label that it gets. It takes no images: below the two tasks with pictures is an answer of a simulated model.\n")
	failures := readFailures(t)
	for _, f := range Families() {
		if _, ok := failures[f.Name]; !ok && hasPackage(f) {
			t.Errorf("testdata/failures.jsonl has no wrong answer to %s: run it on a small model (scripts/small-model), and add a line with the item, its length and index, and the reply that 'verbatim show last --full' shows", f.Name)
		}
		it := mustDraw(t, f, parameters(f.DefaultLengths[0], verbatim.Standard), 1, 0)
		want := it.Want.Text
		if it.Want.IsList() {
			want = pylit.Format(it.Want.List)
		}
		fmt.Fprintf(&b, "\n### %s\n\n", f.Name)
		if f.About != "" {
			b.WriteString(f.About + "\n\n")
		}
		fmt.Fprintf(&b, "%s\n\nThe answer:\n\n%s\n", indented(asked(it), 12), indented(want, 12))
		if r, ok := failures[f.Name]; ok {
			writeFailure(t, &b, f, r)
		}
	}
	return b.Bytes()
}

// A failure is a wrong answer of a real model.
type failure struct {
	Item   string `json:"item"` // id
	Length int    `json:"length"`
	Index  int    `json:"index"`
	Reply  string `json:"reply"`
	Model  string `json:"model"` // of a simulated one; "" is the real one
}

// readFailures reads the wrong answers by family.
func readFailures(t *testing.T) map[string]failure {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "failures.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]failure{}
	for line := range bytes.Lines(data) {
		var f failure
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(f.Item, "@")
		all[name] = f
	}
	return all
}

// writeFailure writes a wrong answer with the label that graders give it.
func writeFailure(t *testing.T, b *bytes.Buffer, f verbatim.Family, wrong failure) {
	t.Helper()
	it := mustDraw(t, f, parameters(wrong.Length, verbatim.Standard), 1, wrong.Index)
	if it.ID != wrong.Item {
		t.Errorf("testdata/failures.jsonl has an answer to %s, which is now %s", wrong.Item, it.ID)
	}
	g := grade.Of(&it, wrong.Reply, verbatim.FinishStop)
	if g.Exact {
		t.Errorf("the wrong answer to %s is right", it.ID)
	}
	want := it.Want.Text
	if it.Want.IsList() {
		want = pylit.Format(it.Want.List)
	}
	detail := ""
	if g.Detail != "" {
		detail = ", with the detail `" + strings.ReplaceAll(g.Detail, "`", "'") + "`"
	}
	whose := "A real answer"
	if wrong.Model != "" {
		whose = "An answer of the simulated model `" + wrong.Model + "`"
	}
	fmt.Fprintf(b, "\n%s to `%s`, which is `%s`%s:\n\n%s\n\nIt should be:\n\n%s\n", whose, it.ID, g.Label, detail, indented(wrong.Reply, 8), indented(want, 8))
}

// indented is a text as a block of Markdown, its first lines.
func indented(text string, most int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > most {
		lines = append(lines[:most:most], "…")
	}
	for i, line := range lines {
		if len([]rune(line)) > 300 {
			line = string([]rune(line)[:300]) + " …"
		}
		lines[i] = strings.TrimRight("    "+line, " ")
	}
	return strings.Join(lines, "\n")
}

// quickLengths are the lengths of a family in the quick suite.
func quickLengths(name string) []int {
	for _, q := range quickTasks() {
		if q.family == name {
			return q.lengths[:]
		}
	}
	return nil
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
