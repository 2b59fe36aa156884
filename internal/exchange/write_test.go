package exchange

import (
	"compress/gzip"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// asked returns a record of the list with that number; text is nil without an answer.
func asked(number, trial int, text *string, list ...any) verbatim.Record {
	source := verbatim.ListAnswer(list)
	name := "list_" + string(rune('0'+number))
	rec := verbatim.Record{Trial: trial, Item: &verbatim.Item{
		ID:     "sortbench:v1.0-0a1b2c3d/basic/Int-0:1000/2/" + name,
		Facts:  map[string]string{verbatim.FactFamily: "sort-int", verbatim.FactMode: "basic", verbatim.FactTask: "Int-0:1000", verbatim.FactLength: "2", verbatim.FactList: name},
		Source: &source,
	}}
	if text != nil {
		rec.Reply = &verbatim.Reply{Text: *text}
	}
	return rec
}

func run(model string, records ...verbatim.Record) Run {
	return Run{Run: verbatim.Run{Name: "run of " + model, Model: model}, Records: func(yield func(verbatim.Record, error) bool) {
		for _, rec := range records {
			if !yield(rec, nil) {
				return
			}
		}
	}}
}

// texts returns what a run holds: a line for each record.
func texts(t *testing.T, records iter.Seq2[verbatim.Record, error]) (lines []string) {
	t.Helper()
	for rec, err := range records {
		if err != nil {
			t.Fatal(err)
		}
		line := rec.Item.ID + " " + string(rune('0'+rec.Trial)) + " "
		if rec.Reply != nil {
			line += rec.Reply.Text + " " + rec.Reply.Reasoning
		} else {
			line += "no answer"
		}
		lines = append(lines, line)
	}
	return lines
}

// TestWrite wants the same answers back: of two models, in two trials, with a request that
// has none.
func TestWrite(t *testing.T) {
	right, odd := "[3, 40]", "Sure: ['é', \"\U0001F980\"]\n\x7f"
	dir := t.TempDir()
	files, left, err := WriteSortBench(Folder{Path: dir}, func(string) string { return "" },
		run("a/b", asked(2, 0, &odd, int64(5), int64(1)), asked(1, 0, &right, int64(40), int64(3)), asked(1, 1, &odd, int64(40), int64(3)), asked(2, 1, nil, int64(5), int64(1))),
		run("other", asked(1, 0, &right, int64(40), int64(3))))
	if err != nil {
		t.Fatal(err)
	}
	if left != 1 || len(files) != 2 {
		t.Errorf("%d requests are left out and the files are %q", left, files)
	}
	runs, err := ReadSortBench(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var models []string
	for _, r := range runs {
		models = append(models, r.Model)
	}
	if !slices.Equal(models, []string{"a/b", "other"}) {
		t.Fatalf("the models are %q", models)
	}
	want := []string{
		"sortbench:v1.0/basic/Int-0:1000/2/list_1 0 [3, 40] ", "sortbench:v1.0/basic/Int-0:1000/2/list_2 0 " + odd + " ",
		"sortbench:v1.0/basic/Int-0:1000/2/list_1 1 " + odd + " ", "sortbench:v1.0/basic/Int-0:1000/2/list_2 1 no answer",
	}
	if got := texts(t, runs[0].Records); !slices.Equal(got, want) {
		t.Errorf("the first run has\n%q, want\n%q", got, want)
	}
}

// TestWriteDrawn wants the items of this program under the names of SortBench, with a
// version that names their seed.
func TestWriteDrawn(t *testing.T) {
	rec := asked(1, 0, nil, "b", "a")
	rec.Item.ID = "hard-length@1/len=2/seed=7/4"
	rec.Item.Facts = map[string]string{verbatim.FactFamily: "hard-length", verbatim.FactMode: "hard", verbatim.FactLength: "2"}
	r := run("m", rec)
	r.Plan.Seed = 7
	dir := t.TempDir()
	if _, _, err := WriteSortBench(Folder{Path: dir}, func(string) string { return "Length" }, r); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "benchmark_data", "sortbench_hard_seed7_Length_002.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var lists map[string][]string
	if err := json.NewDecoder(z).Decode(&lists); err != nil || !slices.Equal(lists["list_5"], []string{"b", "a"}) {
		t.Errorf("the lists are %v, %v", lists, err)
	}
}

// TestWriteRefuses wants an error that names the item.
func TestWriteRefuses(t *testing.T) {
	text := asked(1, 0, nil)
	text.Item.Source = nil
	for name, c := range map[string]struct {
		runs []Run
		want string
	}{
		"no list":   {[]Run{run("m", text)}, "lists to be sorted"},
		"two lists": {[]Run{run("m", asked(1, 0, nil, int64(1), int64(2))), run("n", asked(1, 0, nil, int64(2), int64(1)))}, "another list_1"},
		"no model":  {[]Run{run("", asked(1, 0, nil, int64(1)))}, "has no model"},
	} {
		_, _, err := WriteSortBench(Folder{Path: t.TempDir()}, func(string) string { return "" }, c.runs...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q in it", name, err, c.want)
		}
	}
}

// TestHostileNames wants no file outside of the folder, whatever the facts of an item say.
func TestHostileNames(t *testing.T) {
	rec := asked(1, 0, nil, int64(2), int64(1))
	rec.Item.ID = "sortbench:../../x/"
	rec.Item.Facts[verbatim.FactMode], rec.Item.Facts[verbatim.FactTask] = "../../up", "../\x1b[31m/etc"
	dir := t.TempDir()
	files, _, err := WriteSortBench(Folder{Path: filepath.Join(dir, "out")}, func(string) string { return "" }, run("m", rec))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if rest, err := filepath.Rel(filepath.Join(dir, "out"), f); err != nil || strings.HasPrefix(rest, "..") || strings.Count(rest, "/") != 1 || strings.Contains(f, "\x1b") {
			t.Errorf("the file %q", f)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder above holds %v, %v", entries, err)
	}
}
