package exchange

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"iter"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/oracle"
	"verbatim/internal/pylit"
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

func TestSortedAsPython(t *testing.T) {
	huge, _ := new(big.Int).SetString("9007199254740993000000", 10)
	for _, c := range []struct {
		list []any
		want string
	}{
		{nil, "[]"},
		{[]any{"b", "B", "a", "_", "é", "z", "🦀", "\uffee"}, "['B', '_', 'a', 'b', 'z', 'é', '\uffee', '🦀']"},
		{[]any{int64(10), int64(9), int64(-1)}, "[-1, 9, 10]"},
		{[]any{1.0, int64(1), 0.5, int64(1), 1.0}, "[0.5, 1.0, 1, 1, 1.0]"}, // equal ones keep their order
		{[]any{int64(9007199254740993), 9007199254740992.0}, "[9007199254740992.0, 9007199254740993]"},
		{[]any{huge, 9.007199254740993e21, int64(1)}, "[1, 9007199254740993000000, 9.007199254740993e+21]"},
	} {
		got, err := sortedAsPython(c.list)
		if err != nil {
			t.Errorf("%v: %v", c.list, err)
			continue
		}
		if s := pylit.Format(append([]any{}, got...)); s != c.want {
			t.Errorf("%v: %s, want %s", c.list, s, c.want)
		}
	}
	for _, list := range [][]any{{true}, {nil}, {"a", int64(1)}, {1.5, "a"}, {[]any{}}} {
		if _, err := sortedAsPython(list); err == nil {
			t.Errorf("%v has an order", list)
		}
	}
}

// Lists are in the order of their numbers, and those without one after them.
func TestCompareLists(t *testing.T) {
	want := []string{"list_1", "list_2", "list_10", "first", "second"}
	for i, a := range want {
		for j, b := range want {
			if got := compareLists(a, b); got != cmp.Compare(i, j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
}

// checkout writes a folder with two published lists, a model's answer to one, and the files
// of answers from a chat.
func checkout(t *testing.T, chat map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	right := "[3, 40]"
	if _, _, err := WriteSortBench(Folder{Path: dir}, nil, run("m", asked(1, 0, &right, int64(40), int64(3)), asked(2, 0, &right, int64(5), int64(1)))); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "benchmark_results_o3-mini-Web")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range chat {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const chatStem = "sortbench_basic_v1.0_Int-0:1000_002_"

// TestChat wants a run of the answers that were copied from a chat, to the published
// list that they name.
func TestChat(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string // the one record, or a part of the error
	}{
		"whole":        {map[string]string{chatStem + "expected.txt": "[5, 1]\n", chatStem + "result.txt": "[1, 5]\n", chatStem + "thinking.txt": "Wait."}, "sortbench:v1.0/basic/Int-0:1000/2/list_2 0 [1, 5] Wait."},
		"no reasoning": {map[string]string{chatStem + "expected.txt": "[40,3]", chatStem + "result.txt": "[3, 40]"}, "sortbench:v1.0/basic/Int-0:1000/2/list_1 0 [3, 40] "},
		"no result":    {map[string]string{chatStem + "expected.txt": "[5, 1]", chatStem + "thinking.txt": "Wait."}, "sortbench:v1.0/basic/Int-0:1000/2/list_2 0 no answer"},
		"another list": {map[string]string{chatStem + "expected.txt": "[5, 2]"}, "error: the list is not one of the 2 in"},
		"no list":      {map[string]string{chatStem + "expected.txt": "sorted(x)"}, "error: want a list"},
		"other length": {map[string]string{"sortbench_basic_v1.0_Int-0:1000_004_expected.txt": "[5, 1]"}, "error: there are no published lists"},
	} {
		runs, err := ReadSortBench(checkout(t, c.files), nil)
		part, fails := strings.CutPrefix(c.want, "error: ")
		if fails {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error is %v, want %q in it", name, err, part)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(runs) != 2 || runs[1].Model != "o3-mini-Web" || runs[1].Plan.Count != 1 {
			t.Errorf("%s: the runs are %+v", name, runs)
			continue
		}
		if got := texts(t, runs[1].Records); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: the records are %q, want %q", name, got, c.want)
		}
	}
}

// TestChatOfEveryTask reads 54 files, as the published folder has them: the second list of 256
// items of each of the 18 tasks, its output and the reasoning. There are no other results.
func TestChatOfEveryTask(t *testing.T) {
	lists := oracle.Path(t, "sortbench-v1.0", "lists")
	files, err := listFiles(lists)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "benchmark_data"), os.DirFS(lists)); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "benchmark_results_o3-mini-Web")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	written := 0
	for _, f := range files {
		if f.length != 256 {
			continue
		}
		all, err := f.read()
		if err != nil {
			t.Fatal(err)
		}
		asked := pylit.Format(all[1].list)
		stem, _, _ := strings.Cut(filepath.Base(f.path), ".json")
		for name, text := range map[string]string{"expected": asked, "result": asked, "thinking": "Wait, " + stem} {
			if err := os.WriteFile(filepath.Join(folder, stem+"_"+name+".txt"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			written++
		}
	}
	if written != 54 {
		t.Fatalf("%d files were written, want 54", written)
	}
	runs, err := ReadSortBench(dir, nil)
	if err != nil || len(runs) != 1 || runs[0].Model != "o3-mini-Web" || runs[0].Plan.Count != 18 {
		t.Fatalf("the runs are %+v, %v; want one with 18 answers", runs, err)
	}
	for rec, err := range runs[0].Records {
		if err != nil || rec.Reply == nil || rec.Reply.Reasoning == "" || rec.Reply.Text != pylit.Format(rec.Item.Source.List) || !strings.HasSuffix(rec.Item.ID, "/256/list_2") {
			t.Errorf("the record of %s: %v", rec.Item.ID, err)
		}
	}
}
