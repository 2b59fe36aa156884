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
	"time"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/exchange"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/oracle"
	"verbatim/internal/pylit"
	"verbatim/internal/task"
)

const someResults = `{
  "string_reversal": {"test_type": "String Reversal", "tries": 4, "results": [
    {"string": "aB7", "duration_seconds": 1.25, "response": "7Ba\n", "model": "org/small", "status": "success"},
    {"string": "aB7", "duration_seconds": 0.5, "reasoning": "B\ud800", "response": " aB7", "model": "org/small", "status": "fail"},
    {"string": "xyz", "response": "", "model": "other"}
  ]},
  "add_two_ints": {"test_type": "Add two intigers", "tries": 2, "results": [
    {"int1": 7, "int2": 123456789012345678901234567890, "duration_seconds": 2, "response": "123456789012345678901234567897", "model": "org/small", "status": "success"},
    {"int1": 7, "int2": 5, "duration_seconds": 2, "response": "1 2", "model": "org/small", "status": "fail"}
  ]},
  "string_rehearsal": {"test_type": "String Rehearsal", "tries": 1, "results": [
    {"string": "Zz0", "response": "Zz0", "model": "org/small", "status": "success"}
  ]}
}`

func TestSimpE(t *testing.T) {
	dir := tree(t, map[string]string{
		"result_orgsmall_2026-01-02_03-04-05.json": someResults,
		"more.json": `{"string_rehearsal": {"tries": 1, "results": [{"string": "Zz0", "response": "zz0", "model": "org/small", "status": "fail"}]}}`,
	})
	names := map[string]string{"reversal": "reverse", "rehearsal": "copy"}
	runs, err := exchange.ReadSimpE(func(test string) string { return names[test] },
		filepath.Join(dir, "result_orgsmall_2026-01-02_03-04-05.json"), filepath.Join(dir, "more.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 2 || runs[0].Model != "org/small" || runs[1].Model != "other" {
		t.Fatalf("%d runs", len(runs))
	}
	small := runs[0]
	if p := small.Plan; p.Suite != "simpe" || p.Edition != verbatim.Reference || p.Trials != 2 || p.Count != 7 || p.Items.N != 5 || small.Origin != "simpe" {
		t.Errorf("plan %+v %+v", p, *p.Items)
	}
	if want := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC); !small.Started.Equal(want) {
		t.Errorf("started %v", small.Started)
	}
	var got []string
	for _, rec := range collect(t, small) {
		id, _, _ := strings.Cut(rec.Item.ID, "/")
		line := fmt.Sprintf("%d %s/%d %s %s len=%s", rec.Seq, id, rec.Trial, rec.Item.Facts["family"], rec.Item.Grader, rec.Item.Facts["length"])
		if rec.Reply != nil {
			line += fmt.Sprintf(" want=%q reply=%q %v %s strict=%v", rec.Item.Want.Text, rec.Reply.Text, rec.Reply.Times.Total, rec.Grade.Grader, rec.Grade.Exact)
		} else {
			line += fmt.Sprintf(" %s %s", rec.Outcome, rec.Failure.Class)
		}
		got = append(got, line)
	}
	want := []string{
		`0 simpe:reversal/0 reverse text len=3 want="7Ba" reply="7Ba\n" 1.25s simpe-status strict=true`,
		`1 simpe:reversal/1 reverse text len=3 want="7Ba" reply=" aB7" 500ms simpe-status strict=false`,
		`2 simpe:reversal/0 reverse text len= error transport`,
		`3 simpe:addition/0 addition integer-reference len=30 want="123456789012345678901234567897" reply="123456789012345678901234567897" 2s simpe-status strict=true`,
		`4 simpe:addition/0 addition integer-reference len=1 want="12" reply="1 2" 2s simpe-status strict=false`,
		`5 simpe:rehearsal/0 copy text len=3 want="Zz0" reply="Zz0" 0s simpe-status strict=true`,
		`6 simpe:rehearsal/1 copy text len=3 want="Zz0" reply="zz0" 0s simpe-status strict=false`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("records\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	recs := collect(t, small)
	if recs[1].Reply.Reasoning != "B\xed\xa0\x80" || recs[1].Reply.ReasoningField != "reasoning" || recs[0].Reply.ServedModel != "org/small" {
		t.Errorf("reply %+v", recs[1].Reply)
	}
	if p := recs[3].Item.Prompt[0].Content[0].Text; !strings.HasSuffix(p, `just the final number without any text.: "7" "123456789012345678901234567890"`) {
		t.Errorf("prompt %q", p)
	}
	if s := fmt.Sprint(recs[3].Item.Source.List); s != "[7 123456789012345678901234567890]" {
		t.Errorf("source %s", s)
	}
	if rec := collect(t, runs[1])[0]; rec.Grade != nil || rec.Reply.Text != "" {
		t.Errorf("a result without status: %+v", rec)
	}
	if recs[0].Item.ID != recs[1].Item.ID || len(recs[0].Item.ID) != len("simpe:reversal/")+12 {
		t.Errorf("ids %s and %s", recs[0].Item.ID, recs[1].Item.ID)
	}
}

func TestBrokenSimpE(t *testing.T) {
	in := func(result string) string {
		return `{"string_reversal": {"tries": 1, "results": [` + result + `]}}`
	}
	for name, c := range map[string]struct{ content, want string }{
		"other file":        {`{"results": []}`, "this is no result file of simpE"},
		"not JSON":          {`{"string_reversal": NaN}`, "line 1: invalid character 'N'"},
		"cut":               {someResults[:300], "unexpected end of JSON input"},
		"no response":       {in(`{"string": "a", "model": "m"}`), "string_reversal.results[0].response: want text, found nothing"},
		"null response":     {in(`{"string": "a", "model": "m", "response": null}`), "results[0].response: want text, found null"},
		"no string":         {in(`{"model": "m", "response": ""}`), "results[0].string: want text, found nothing"},
		"number":            {in(`{"string": 12, "model": "m", "response": ""}`), "results[0].string: want text, found a number"},
		"half a character":  {in(`{"string": "\ud800", "model": "m", "response": ""}`), "is not text"},
		"status":            {in(`{"string": "a", "model": "m", "response": "", "status": "maybe"}`), `status: want success or fail, found "maybe"`},
		"duration":          {in(`{"string": "a", "model": "m", "response": "", "duration_seconds": -1}`), "-1 seconds are no duration"},
		"duration is text":  {in(`{"string": "a", "model": "m", "response": "", "duration_seconds": "1"}`), "want a number, found a JSON string"},
		"no model":          {in(`{"string": "a", "response": ""}`), "no result of this file names a model"},
		"too few tries":     {`{"string_reversal": {"tries": 0, "results": [{"string": "a", "model": "m", "response": ""}]}}`, "string_reversal.tries: 0, but there are 1 results"},
		"too many tries":    {`{"string_reversal": {"tries": 10000000000, "results": [{"string": "a", "model": "m", "response": ""}]}}`, "tries: 10000000000"},
		"lost and nameless": {`{"string_reversal": {"tries": 3, "results": []}}`, "no result names a model"},
		"no number":         {`{"add_two_ints": {"results": [{"int1": 1.5, "int2": 1, "model": "m", "response": ""}]}}`, "add_two_ints.results[0].int1: want a whole number"},
		"number too long":   {`{"add_two_ints": {"results": [{"int1": 1, "int2": 1` + strings.Repeat("0", 2000) + `, "model": "m", "response": ""}]}}`, "int2: want a whole number of at most 1000 digits"},
		"negative":          {`{"add_two_ints": {"results": [{"int1": -1, "int2": 1, "model": "m", "response": ""}]}}`, "int1: want a whole number"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tree(t, map[string]string{"r.json": c.content}), "r.json")
			_, err := exchange.ReadSimpE(nil, path)
			wantError(t, err, path, c.want)
		})
	}
	_, err := exchange.ReadSimpE(nil, filepath.Join(t.TempDir(), "none.json"))
	wantError(t, err, "none.json")
}

// TestSimpENumbers: a sum of anything but whole numbers has no place in a result file.
func TestSimpENumbers(t *testing.T) {
	for _, list := range [][]any{{"1", "2"}, {1.5, 2.5}, {int64(1)}} {
		source := verbatim.ListAnswer(list)
		run := someRun([]verbatim.Record{{Item: &verbatim.Item{ID: "a", Source: &source, Facts: map[string]string{"family": "add"}},
			Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: "3"}, Grade: &verbatim.Grade{Outcome: verbatim.Pass, Exact: true, Grader: "integer/1"}}})
		_, err := exchange.WriteSimpE(exchange.Folder{Path: t.TempDir()}, func(string) string { return "addition" }, run)
		wantError(t, err, "does not hold the two numbers")
	}
}

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

// The log has the lines of simpE's log_message calls, in their order.
func TestSimpELog(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	record := func(family, want, reply string, exact bool) verbatim.Record {
		source := verbatim.TextAnswer("ab")
		if family == "add" {
			source = verbatim.ListAnswer([]any{int64(1), int64(2)})
		}
		return verbatim.Record{Item: &verbatim.Item{ID: family, Want: verbatim.TextAnswer(want), Source: &source, Facts: map[string]string{"family": family}},
			Reply: &verbatim.Reply{Text: reply, ServedModel: "org/m", Times: verbatim.Times{Start: start.Add(time.Minute), Total: 1500 * time.Millisecond}}, Grade: &verbatim.Grade{Exact: exact}}
	}
	reasoned, down := record("add", "3", " 3\n", true), record("reverse", "ba", "", false)
	reasoned.Reply.Reasoning = "One\nand \x1b[31mtwo"
	down.Reply, down.Grade, down.Outcome, down.Failure = nil, nil, verbatim.Errored, &verbatim.Failure{Class: verbatim.Overload, Status: 503}
	skipped := down
	skipped.Outcome = verbatim.Skipped
	unknown := record("copy", "ab", "a b", false)
	unknown.Reply.Times = verbatim.Times{}
	run := someRun([]verbatim.Record{reasoned, record("add", "3", "three", false), record("add", "3", "٤", false), skipped, record("reverse", "ba", " ba ", true), down, unknown})
	run.Started = start
	dir := t.TempDir()
	if _, err := exchange.WriteSimpE(exchange.Folder{Path: dir}, func(f string) string {
		return map[string]string{"reverse": "reversal", "copy": "rehearsal", "add": "addition"}[f]
	}, run, run); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "logs", "log_2026-01-02_03-04-05.txt"))
	want := `[2026-01-02_03-04-05] Starting new string reversal eval with 2 tries
[2026-01-02_03-05-05] Starting test 0
[2026-01-02_03-05-06] Success: 1
[2026-01-02_03-04-05] Starting test 1
[2026-01-02_03-04-05] An error occurred in the API call: ` + down.Failure.Error() + `
[2026-01-02_03-04-05] Starting new integer addition eval with 3 tries
[2026-01-02_03-05-05] Starting test 0
[2026-01-02_03-05-06] [Reasoning]: 
One
and ␛[31mtwo
[2026-01-02_03-05-06] Success: 1
[2026-01-02_03-05-05] Starting test 1
[2026-01-02_03-05-06] Test 2 failed. Output contained non-numeric characters
[2026-01-02_03-05-05] Starting test 2
[2026-01-02_03-05-06] Test 3 failed. Expected: 3, Got: ٤
[2026-01-02_03-04-05] Starting new string rehearsal eval with 1 tries
[2026-01-02_03-04-05] Starting test 0
[2026-01-02_03-04-05] Test 1 failed. Expected: ab, Got: a b
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "logs", "log_2026-01-02_03-04-06.txt")); err != nil {
		t.Error(err) // of the second run, which began in the same second
	}
	if runs, err := exchange.ReadSimpE(nil, dir); err != nil || len(runs) != 1 {
		t.Errorf("%d runs come back, %v", len(runs), err)
	}
}
