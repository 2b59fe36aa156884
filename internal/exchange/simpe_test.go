package exchange_test

import (
	"fmt"
	"path/filepath"
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
