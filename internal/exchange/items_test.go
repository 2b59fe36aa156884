package exchange_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/exchange"

	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/oracle"
	"verbatim/internal/pylit"
	"verbatim/internal/task"
)

// The published lists are the items that this program has in edition reference: the
// same id must never name two things.
func TestListsAreThoseOfTheTasks(t *testing.T) {
	root := oracle.Path(t, "sortbench-v1.0")
	_, ours, err := task.PublishedLists(root)
	if err != nil {
		t.Fatal(err)
	}
	family := func(_, name string) string {
		f, err := task.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return f.Name
	}
	lists, err := exchange.ReadSortBenchLists(root, family)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for it, err := range lists {
		if err != nil {
			t.Fatal(err)
		}
		a, errA := json.Marshal(it)
		b, errB := json.Marshal(ours[n])
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Fatalf("%s\nis not\n%s", a, b)
		}
		n++
	}
	if n != len(ours) || n != 1440 {
		t.Errorf("%d lists, of %d", n, len(ours))
	}
}

// An import of all published lists names the same items, by the same hash, as a run of
// the folder of the lists.
func TestImportedItemsAreThoseThatAreAsked(t *testing.T) {
	exhaustive.Only(t)
	root := oracle.Path(t, "sortbench-v1.0")
	lists, _, err := task.PublishedLists(root)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := exchange.ReadSortBenchScores([]string{filepath.Join(root, "published_scores.csv.gz")}, root, func(_, name string) string {
		f, err := task.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return f.Name
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := *runs[0].Plan.Items; got != *lists {
		t.Errorf("imported %+v, run %+v", got, *lists)
	}
}

// A result of simpE becomes the item that this program's own families draw from
// the same string or numbers.
func TestSimpEItemsAreThoseOfTheTasks(t *testing.T) {
	families := map[string]string{"reversal": "reverse", "rehearsal": "copy", "addition": "add"}
	for test, key := range map[string]string{"reversal": "string_reversal", "rehearsal": "string_rehearsal", "addition": "add_two_ints"} {
		f, err := task.Find(families[test])
		if err != nil {
			t.Fatal(err)
		}
		parameters := verbatim.Parameters{Length: verbatim.Lengths{Min: 25, Max: 25}, Edition: verbatim.Reference}
		ours, err := f.Item(draw.Rand(f.Name, f.Version, "", 1, 0), parameters)
		if err != nil {
			t.Fatal(err)
		}
		result := fmt.Sprintf(`"string": %q`, ours.Want.Text)
		switch {
		case test == "addition":
			result = fmt.Sprintf(`"int1": %v, "int2": %v`, ours.Source.List[0], ours.Source.List[1])
		case ours.Source != nil:
			result = fmt.Sprintf(`"string": %q`, ours.Source.Text)
		}
		path := filepath.Join(tree(t, map[string]string{"r.json": fmt.Sprintf(`{%q: {"results": [{%s, "model": "m", "response": ""}]}}`, key, result)}), "r.json")
		runs, err := exchange.ReadSimpE(func(test string) string { return families[test] }, path)
		if err != nil {
			t.Fatal(err)
		}
		theirs := collect(t, runs[0])[0].Item
		for _, c := range []struct {
			what string
			a, b any
		}{{"messages", theirs.Prompt, ours.Prompt}, {"want", theirs.Want, ours.Want}, {"source", theirs.Source, ours.Source}, {"grader", graderOf(theirs), graderOf(&ours)}, {"family", theirs.Facts["family"], f.Name}} {
			x, errX := json.Marshal(c.a)
			y, errY := json.Marshal(c.b)
			if errX != nil || errY != nil || !bytes.Equal(x, y) {
				t.Errorf("%s: %s is %s, of the task %s", test, c.what, x, y)
			}
		}
	}
}

// graderOf returns the grader that judges an item.
func graderOf(it *verbatim.Item) string {
	if it.Grader == "" {
		return "text"
	}
	return it.Grader
}

// TestHardListsComeBack: items of the suite hard that are written as SortBench's files have the
// same question, answer and reply when they are read again. Python's sorted would not sort
// most of them so.
func TestHardListsComeBack(t *testing.T) {
	plan, err := task.Plan(task.Request{Suite: "hard", Items: 1, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]verbatim.Record{}
	var records []verbatim.Record
	deck, err := task.Open(plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	for position, ok := deck.Next(); ok; position, ok = deck.Next() {
		it, err := deck.Item(position)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := it.Want.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		rec := verbatim.Record{Seq: int64(len(records)), Item: it, Reply: &verbatim.Reply{Text: string(reply)}}
		records = append(records, rec)
		written[it.Facts[verbatim.FactFamily]+" "+it.Facts[verbatim.FactLength]] = rec
	}
	run := exchange.Run{Run: verbatim.Run{Name: "m-1", Model: "m", Plan: plan}, Records: func(yield func(verbatim.Record, error) bool) {
		for _, rec := range records {
			if !yield(rec, nil) {
				return
			}
		}
	}}
	dir := t.TempDir()
	named := func(family string) string {
		f, err := task.Find(family)
		if err != nil {
			t.Fatal(err)
		}
		return f.Task
	}
	if _, _, err := exchange.WriteSortBench(exchange.Folder{Path: dir}, named, run); err != nil {
		t.Fatal(err)
	}
	runs, err := exchange.ReadSortBench(dir, func(_, name string) string {
		f, err := task.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return f.Name
	})
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	n := 0
	for rec, err := range runs[0].Records {
		if err != nil {
			t.Fatal(err)
		}
		n++
		before := written[rec.Item.Facts[verbatim.FactFamily]+" "+rec.Item.Facts[verbatim.FactLength]]
		if before.Item == nil || !reflect.DeepEqual(rec.Item.Want, before.Item.Want) || !reflect.DeepEqual(rec.Item.Source, before.Item.Source) || !reflect.DeepEqual(rec.Item.Prompt, before.Item.Prompt) || rec.Reply.Text != before.Reply.Text {
			t.Errorf("%s came back as %+v, was %+v", rec.Item.ID, rec.Item, before.Item)
		}
		if g := grade.Of(rec.Item, pylit.Format(rec.Item.Want.List), verbatim.FinishStop); !g.Exact {
			t.Errorf("%s: the right list is %s", rec.Item.ID, g.Label)
		}
	}
	if n != len(records) || n < 30 {
		t.Errorf("%d records, of %d", n, len(records))
	}
	rules, err := filepath.Glob(filepath.Join(dir, "benchmark_data", "*_rules.json.gz"))
	if err != nil || len(rules) == 0 {
		t.Fatalf("%d files of rules, %v", len(rules), err)
	}
	if err := os.Remove(rules[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := exchange.ReadSortBench(dir, nil); err == nil || !strings.Contains(err.Error(), "_rules.json.gz with the rules for sorting is missing") {
		t.Errorf("without its rules a hard list is read: %v", err)
	}
}
