package exchange_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/exchange"
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
	runs, err := exchange.SimpE(func(test string) string { return names[test] },
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
			line += fmt.Sprintf(" want=%q reply=%q %v %s strict=%v", rec.Item.Want.Text, rec.Reply.Text, rec.Reply.Times.Total, rec.Grade.Grader, rec.Grade.Strict)
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
		"too few tries":     {`{"string_reversal": {"tries": 0, "results": [{"string": "a", "model": "m", "response": ""}]}}`, "string_reversal.tries is 0, but there are 1 results"},
		"too many tries":    {`{"string_reversal": {"tries": 10000000000, "results": [{"string": "a", "model": "m", "response": ""}]}}`, "tries is 10000000000"},
		"lost and nameless": {`{"string_reversal": {"tries": 3, "results": []}}`, "no result names a model"},
		"no number":         {`{"add_two_ints": {"results": [{"int1": 1.5, "int2": 1, "model": "m", "response": ""}]}}`, "add_two_ints.results[0].int1: want a whole number"},
		"number too long":   {`{"add_two_ints": {"results": [{"int1": 1, "int2": 1` + strings.Repeat("0", 2000) + `, "model": "m", "response": ""}]}}`, "int2: want a whole number of at most 1000 digits"},
		"negative":          {`{"add_two_ints": {"results": [{"int1": -1, "int2": 1, "model": "m", "response": ""}]}}`, "int1: want a whole number"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tree(t, map[string]string{"r.json": c.content}), "r.json")
			_, err := exchange.SimpE(nil, path)
			wantError(t, err, path, c.want)
		})
	}
	_, err := exchange.SimpE(nil, filepath.Join(t.TempDir(), "none.json"))
	wantError(t, err, "none.json")
}

func one(recs ...verbatim.Record) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for _, r := range recs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestWriteCSV(t *testing.T) {
	score, first, n := 0.5, 250*time.Millisecond, int64(12)
	answered := verbatim.Record{
		Item:    &verbatim.Item{ID: "reverse@1/len=16/seed=1/7", Facts: map[string]string{"family": "reverse", "length": "16"}},
		Trial:   2,
		Outcome: verbatim.Wrong,
		Grade:   &verbatim.Grade{Label: "case", Payload: true, Score: &score, Measures: map[string]float64{"missing": 2}},
		Reply: &verbatim.Reply{Finish: verbatim.FinishStop, ServedModel: "a,\"b\"\xff", Usage: verbatim.Usage{Completion: &n},
			Times: verbatim.Times{Total: 1500 * time.Millisecond, FirstContent: &first}},
	}
	lost := verbatim.Record{Item: answered.Item, Outcome: verbatim.Errored, Failure: &verbatim.Failure{}}
	imported := verbatim.Record{Item: answered.Item, Reply: &verbatim.Reply{Text: "x"}}
	run := exchange.Run{Run: verbatim.Run{Name: "m-1", Model: "m", Plan: verbatim.Plan{Seed: 7, Edition: verbatim.Paper}}, Records: one(answered, lost, imported)}
	var out bytes.Buffer
	if err := exchange.WriteCSV(&out, run, run); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 7 || !slices.Equal(rows[0], exchange.Columns()) || !slices.Equal(rows[1], rows[4]) {
		t.Fatalf("%d rows", len(rows))
	}
	said := func(row []string) string {
		var parts []string
		for i, cell := range row {
			if cell != "" {
				parts = append(parts, rows[0][i]+"="+cell)
			}
		}
		return strings.Join(parts, " ")
	}
	if got, want := said(rows[1]), "model=m task=reverse length=16 missing=2.0 run=m-1 item=reverse@1/len=16/seed=1/7 trial=2 outcome=wrong label=case strict=False payload=True score=0.5 seconds=1.5 first_token_seconds=0.25 completion_tokens=12 finish_reason=stop served_model=a,\"b\"\ufffd edition=paper seed=7"; got != want {
		t.Errorf("row  %s\nwant %s", got, want)
	}
	if got, want := said(rows[2]), "model=m task=reverse length=16 run=m-1 item=reverse@1/len=16/seed=1/7 trial=0 outcome=error edition=paper seed=7"; got != want {
		t.Errorf("row  %s\nwant %s", got, want)
	}
	if got, want := said(rows[3]), "model=m task=reverse length=16 run=m-1 item=reverse@1/len=16/seed=1/7 trial=0 edition=paper seed=7"; got != want {
		t.Errorf("row  %s\nwant %s", got, want)
	}
	broken := exchange.Run{Records: one(verbatim.Record{})}
	wantError(t, exchange.WriteCSV(&out, broken), "has no item")
}

// Whatever a file holds, reading it ends, and what is accepted can be ranged
// over twice with the same result.
func FuzzSimpE(f *testing.F) {
	f.Add([]byte(someResults))
	f.Add([]byte(`{"add_two_ints": {"tries": 3, "results": [{"int1": -0, "int2": 1, "model": "m", "response": "\ud83e\udd80\ud83e"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "r.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		runs, err := exchange.SimpE(nil, path)
		if err != nil {
			return
		}
		for _, r := range runs {
			if a, b := collect(t, r), collect(t, r); len(a) != len(b) || int64(len(a)) != r.Plan.Count {
				t.Fatalf("%d, then %d records of %d", len(a), len(b), r.Plan.Count)
			}
		}
	})
}

func FuzzSortBench(f *testing.F) {
	f.Add([]byte(someLists), []byte(someOutputs))
	f.Fuzz(func(t *testing.T, lists, outputs []byte) {
		dir := sources(t, map[string]string{
			"lists/sortbench_basic_v1.0_Int-0:1000_003.json":      string(lists) + " ",
			"outputs/sortbench_basic_v1.0_Int-0-1000_003.json.gz": string(outputs) + " ",
		})
		runs, err := exchange.SortBench(dir, nil)
		if err != nil {
			return
		}
		for _, r := range runs {
			if n := int64(len(collect(t, r))); n > r.Plan.Count {
				t.Fatalf("%d records of %d", n, r.Plan.Count)
			}
		}
	})
}

func FuzzScores(f *testing.F) {
	f.Add([]byte("mode,model,task,length,list,sortbench_published\nbasic,m,English,2,list_1,1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "s.csv")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		runs, err := exchange.Scores(path, "", nil)
		if err != nil {
			return
		}
		for _, r := range runs {
			if n := int64(len(collect(t, r))); n != r.Plan.Count || n == 0 {
				t.Fatalf("%d records of %d", n, r.Plan.Count)
			}
		}
	})
}
