package exchange_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/oracle"
	guarded "verbatim/internal/table"
)

// What a server can send: any bytes, and all that breaks careless encoders.
func replies() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.SampledFrom([]string{"", "\x00", "\xed\xa0\x80", "\xff\xfe", "\u2028", "</script>", "\x1b[31mred", "\u202e", "attachment://x", "NaN", `"-Infinity"`, `\"NaN`, "null", "[1, 2]"}),
	)
}

func words() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", `"\`, "NaN", "x\n", "\u2028", "../../x", "attachment://x"}))
}

func moments() *rapid.Generator[time.Time] {
	return rapid.OneOf(rapid.Just(time.Time{}), rapid.Map(rapid.Int64Range(0, 4e18), func(ns int64) time.Time { return time.Unix(0, ns).UTC() }))
}

func expectedAnswers() *rapid.Generator[verbatim.Answer] {
	leaf := rapid.OneOf(
		rapid.Map(words(), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Float64Range(-1e300, 1e300), func(f float64) any { return f }),
		rapid.SampledFrom([]any{true, nil, new(big.Int).Lsh(big.NewInt(-3), 70)}),
	)
	return rapid.OneOf(rapid.Map(words(), verbatim.TextAnswer), rapid.Map(rapid.SliceOfN(leaf, 0, 4), verbatim.ListAnswer))
}

func promptsOf(least int) *rapid.Generator[verbatim.Prompt] {
	part := rapid.Custom(func(t *rapid.T) verbatim.Part {
		if rapid.IntRange(0, 5).Draw(t, "image") > 0 {
			return verbatim.Part{Text: words().Draw(t, "text")}
		}
		return verbatim.Part{Image: &verbatim.Image{Path: words().Draw(t, "path"), Media: "image/png", Bytes: rapid.SliceOfN(rapid.Byte(), 1, 8).Draw(t, "bytes")}}
	})
	message := rapid.Custom(func(t *rapid.T) verbatim.Message {
		return verbatim.Message{Role: rapid.SampledFrom([]string{"user", "system", "assistant"}).Draw(t, "role"), Content: rapid.SliceOfN(part, 1, 3).Draw(t, "content")}
	})
	return rapid.Map(rapid.SliceOfN(message, least, 3), func(m []verbatim.Message) verbatim.Prompt { return m })
}

func attempts() *rapid.Generator[[]verbatim.Attempt] {
	return rapid.Map(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) verbatim.Attempt {
		return verbatim.Attempt{N: rapid.IntRange(1, 9).Draw(t, "n"), Start: moments().Draw(t, "start"), Total: time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "total")),
			Status: 503, Class: verbatim.Overload, RequestID: words().Draw(t, "id"), Err: words().Draw(t, "err"), Partial: replies().Draw(t, "partial")}
	}), 0, 2), func(a []verbatim.Attempt) []verbatim.Attempt {
		if len(a) == 0 {
			return nil
		}
		return a
	})
}

// record draws a record of one of the four kinds: a reply, a score without one, a
// failure, and a position that was skipped.
func record(t *rapid.T, seq int64) verbatim.Record {
	it := &verbatim.Item{
		ID: fmt.Sprintf("%s/%d", words().Draw(t, "id"), seq), Prompt: promptsOf(1).Draw(t, "prompt"), Want: expectedAnswers().Draw(t, "want"),
		Facts: map[string]string{"family": rapid.SampledFrom([]string{"reverse", "a/b", ""}).Draw(t, "family"), words().Draw(t, "key"): words().Draw(t, "value")},
	}
	if rapid.Bool().Draw(t, "has source") {
		source := expectedAnswers().Draw(t, "source")
		it.Source = &source
	}
	rec := verbatim.Record{Seq: seq, Item: it, Trial: rapid.IntRange(0, 3).Draw(t, "trial"), MaxTokens: rapid.IntRange(0, 1<<30).Draw(t, "max tokens")}
	switch rapid.IntRange(0, 2).Draw(t, "sent") {
	case 0:
		rec.Prompt = it.Prompt
	case 1:
		rec.Prompt = promptsOf(1).Draw(t, "sent prompt")
	}
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	if kind < 2 {
		outcome := rapid.SampledFrom(verbatim.Outcomes()[:5]).Draw(t, "outcome")
		rec.Outcome = outcome
		rec.Grade = &verbatim.Grade{Outcome: outcome, Label: "case", Detail: words().Draw(t, "detail"), Exact: rapid.Bool().Draw(t, "strict"), Extracted: rapid.Bool().Draw(t, "extracted"),
			Score: rapid.Ptr(rapid.Float64Range(0, 1), true).Draw(t, "score"), Measures: map[string]float64{"d": 1.5}, Grader: "text/1"}
	}
	switch kind {
	case 0:
		count := rapid.Ptr(rapid.Int64Range(0, 1<<40), true)
		rec.Reply = &verbatim.Reply{
			Text: replies().Draw(t, "text"), Reasoning: replies().Draw(t, "reasoning"), ReasoningField: "thinking",
			Finish: rapid.SampledFrom([]verbatim.Finish{"", "stop", "length", "content_filter", "refusal", "other"}).Draw(t, "finish"), FinishRaw: words().Draw(t, "raw"),
			Usage:       verbatim.Usage{Prompt: count.Draw(t, "p"), Completion: count.Draw(t, "c"), Reasoning: count.Draw(t, "r"), Cached: count.Draw(t, "k")},
			Times:       verbatim.Times{Start: moments().Draw(t, "start"), Total: time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "total"))},
			ServedModel: words().Draw(t, "served"), RequestID: words().Draw(t, "request"), Sent: words().Draw(t, "sent body"), Attempts: attempts().Draw(t, "attempts"),
		}
	case 2:
		rec.Outcome = rapid.SampledFrom([]verbatim.Outcome{verbatim.CutOff, verbatim.Errored}).Draw(t, "outcome")
		rec.Failure = &verbatim.Failure{Class: verbatim.Rate, Status: 429, Who: words().Draw(t, "who"), Err: errors.New("e" + words().Draw(t, "err")), Attempts: attempts().Draw(t, "attempts")}
	case 3:
		rec.Outcome = verbatim.Skipped
	}
	return rec
}

func someRun(recs []verbatim.Record) exchange.Run {
	return exchange.Run{
		Run: verbatim.Run{Name: "m-1", Model: "org/m:8b", Plan: verbatim.Plan{Hash: "00ff", Suite: "quick", Seed: 7, Edition: verbatim.Standard, Trials: 4, Count: int64(len(recs))},
			Started: time.Unix(1e9, 5e3).UTC(), Ended: time.Unix(1e9+9, 0).UTC(), Tool: "v1"},
		Records: func(yield func(verbatim.Record, error) bool) {
			for _, rec := range recs {
				if !yield(rec, nil) {
					return
				}
			}
		},
	}
}

// same compares records as they are saved: errors by their messages.
func same(a, b any) string {
	return cmp.Diff(a, b,
		cmp.FilterPath(func(p cmp.Path) bool { return p.Last().Type().String() == "error" },
			cmp.Comparer(func(x, y error) bool { return fmt.Sprint(x) == fmt.Sprint(y) })),
		cmp.Comparer(func(x, y *big.Int) bool { return (x == nil) == (y == nil) && (x == nil || x.Cmp(y) == 0) }))
}

// What was exported to Inspect's format comes back as it was.
func TestInspectRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var recs []verbatim.Record
		for i := range rapid.IntRange(1, 4).Draw(t, "records") {
			recs = append(recs, record(t, int64(i)))
		}
		run := someRun(recs)
		for _, zipped := range []bool{false, true} {
			path := filepath.Join(dir, "run")
			write(t, path, func(f *os.File) error { return exchange.WriteInspect(f, &run, zipped) })
			got, err := exchange.ReadInspect(path)
			if err != nil {
				t.Fatal(err)
			}
			back := got[0].Run
			if back.Origin = ""; same(run.Run, back) != "" || got[0].Origin != "inspect" {
				t.Fatal(same(run.Run, back))
			}
			for range 2 {
				var all []verbatim.Record
				for rec, err := range got[0].Records {
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, rec)
				}
				if d := same(recs, all); d != "" {
					t.Fatalf("zipped %v:\n%s", zipped, d)
				}
			}
		}
	})
}

type fataler interface{ Fatal(args ...any) }

func write(t fataler, path string, do func(*os.File) error) {
	f, err := os.Create(path)
	if err == nil {
		err = errors.Join(do(f), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What was exported to lm-eval's format comes back as it was, but for what had no reply.
func TestLMEvalRoundTrip(t *testing.T) {
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		var recs, answered []verbatim.Record
		for i := range rapid.IntRange(1, 4).Draw(t, "records") {
			rec := record(t, int64(i))
			recs = append(recs, rec)
			if rec.Reply != nil {
				answered = append(answered, rec)
			}
		}
		run := someRun(recs)
		n++
		dir := filepath.Join(root, fmt.Sprint(n))
		files, left, err := exchange.WriteLMEval(exchange.Folder{Path: dir}, &run)
		if err != nil || int(left) != len(recs)-len(answered) {
			t.Fatal(left, err)
		}
		if len(answered) == 0 {
			return
		}
		got, err := exchange.ReadLMEval(dir)
		if err != nil {
			t.Fatal(files, err)
		}
		if len(got) != 1 || got[0].Model != run.Model || got[0].Plan.Hash != run.Plan.Hash {
			t.Fatalf("%+v", got)
		}
		back := map[int64]verbatim.Record{}
		for rec, err := range got[0].Records {
			if err != nil {
				t.Fatal(err)
			}
			back[rec.Seq] = rec
		}
		for _, rec := range answered {
			rec.Failure = nil
			if d := same(rec, back[rec.Seq]); d != "" {
				t.Fatal(d)
			}
		}
	})
}

// What was exported to simpE's format comes back: items, replies, times and outages.
func TestSimpERoundTrip(t *testing.T) {
	dir := tree(t, map[string]string{"result_orgsmall_2026-01-02_03-04-05.json": someResults})
	families := map[string]string{"reversal": "reverse", "rehearsal": "copy", "addition": "add"}
	tests := map[string]string{"reverse": "reversal", "copy": "rehearsal", "add": "addition"}
	family := func(test string) string { return families[test] }
	first, err := exchange.ReadSimpE(family, filepath.Join(dir, "result_orgsmall_2026-01-02_03-04-05.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		first[i].Started = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	}
	out := filepath.Join(t.TempDir(), "results")
	files, err := exchange.WriteSimpE(exchange.Folder{Path: out}, func(f string) string { return tests[f] }, append(first, first[0])...)
	if err != nil || len(files) != 3 || filepath.Base(files[0]) != "result_orgsmall_2026-01-02_03-04-05.json" || filepath.Base(files[2]) != "result_orgsmall_2026-01-02_03-04-06.json" {
		t.Fatal(files, err)
	}
	for i := range first {
		second, err := exchange.ReadSimpE(family, files[i])
		if err != nil {
			t.Fatal(err)
		}
		var a, b []verbatim.Record
		for _, rec := range collect(t, first[i]) {
			if rec.Reply != nil && rec.Grade == nil { // a result without status is a fail when it is written
				rec.Grade = &verbatim.Grade{Grader: exchange.StatusGrader, Outcome: verbatim.Wrong, Label: "fail", Score: new(float64)}
			}
			a = append(a, rec)
		}
		b = collect(t, second[0])
		if len(a) != len(b) {
			t.Fatalf("%d records came back of %d", len(b), len(a))
		}
		for j := range a {
			// A lost try is named by its file, and lists of tries may change places.
			if a[j].Failure != nil {
				a[j].Item = b[j].Item
			}
		}
		if d := same(a, b); d != "" {
			t.Errorf("%s:\n%s", files[i], d)
		}
		var layout map[string]struct {
			Type     string           `json:"test_type"`
			Attempts int              `json:"tries"`
			Results  []map[string]any `json:"results"`
		}
		data, err := os.ReadFile(files[i])
		if err != nil || json.Unmarshal(data, &layout) != nil {
			t.Fatal(err)
		}
		if i == 0 && (layout["add_two_ints"].Type != "Add two intigers" || layout["string_reversal"].Attempts != 3 || len(layout["string_reversal"].Results) != 2) {
			t.Errorf("%+v", layout)
		}
		if i == 0 && !strings.Contains(string(data), `"reasoning": "B\ud800"`) {
			t.Errorf("a lone surrogate is not as Python writes it:\n%s", data)
		}
	}
	// The model is the one that the server reports, and not an address.
	named := record2("copy")
	named.Outcome, named.Reply = verbatim.Pass, &verbatim.Reply{Text: "a", ServedModel: "org/small-2"}
	addressed := someRun([]verbatim.Record{named})
	addressed.Model = "http://127.0.0.1:8080/v1#m"
	if files, err = exchange.WriteSimpE(exchange.Folder{Path: out}, func(f string) string { return tests[f] }, addressed); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(data), `"model": "org/small-2"`) || !strings.HasPrefix(filepath.Base(files[0]), "result_orgsmall-2_") {
		t.Errorf("%s, %v:\n%s", files[0], err, data)
	}
	// What was skipped is no try, and what was lost is one.
	asked, lost := record2("copy"), record2("copy")
	asked.Outcome, asked.Reply, lost.Outcome = verbatim.Pass, &verbatim.Reply{Text: "a"}, verbatim.CutOff
	counted := someRun([]verbatim.Record{asked, record2("copy"), lost})
	if files, err = exchange.WriteSimpE(exchange.Folder{Path: out}, func(f string) string { return tests[f] }, counted); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(data), `"tries": 2,`) || strings.Contains(string(data), "duration_seconds") {
		t.Errorf("%v: written %s", err, data)
	}
	run := someRun([]verbatim.Record{record2("sort-int")})
	if _, err := exchange.WriteSimpE(exchange.Folder{Path: out}, func(f string) string { return tests[f] }, run); err == nil || !strings.Contains(err.Error(), `no test for the family "sort-int"`) {
		t.Errorf("error %v", err)
	}
}

func record2(family string) verbatim.Record {
	return verbatim.Record{Item: &verbatim.Item{ID: "x", Want: verbatim.TextAnswer("a"), Facts: map[string]string{"family": family}}, Outcome: verbatim.Skipped}
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
		runs, err := exchange.ReadSimpE(nil, path)
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
		runs, err := exchange.ReadSortBench(dir, nil)
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
		runs, err := exchange.ReadSortBenchScores([]string{path}, "", nil)
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
	score, thought, first, n, cost := 0.5, 100*time.Millisecond, 250*time.Millisecond, int64(12), verbatim.Money(75_000_000)
	answered := verbatim.Record{
		Item:    &verbatim.Item{ID: "reverse@1/len=16/seed=1/7", Facts: map[string]string{"family": "reverse", "length": "16"}},
		Trial:   2,
		Outcome: verbatim.Wrong,
		Grade:   &verbatim.Grade{Label: "case", Extracted: true, Score: &score, Measures: map[string]float64{"missing": 2}},
		Reply: &verbatim.Reply{Finish: verbatim.FinishStop, ServedModel: "a,\"b\"\xff", Usage: verbatim.Usage{Completion: &n}, Cost: &cost,
			Times: verbatim.Times{Total: 1500 * time.Millisecond, FirstReasoning: &thought, FirstContent: &first}},
	}
	lost := verbatim.Record{Item: answered.Item, Outcome: verbatim.Errored, Failure: &verbatim.Failure{}}
	imported := verbatim.Record{Item: &verbatim.Item{ID: "i", Want: verbatim.ListAnswer([]any{int64(1), "a"})}, Reply: &verbatim.Reply{Text: "=1+1;@SUM(A1)\n\tå, \"q\"\r"}}
	run := exchange.Run{Run: verbatim.Run{Name: "m-1", Model: "m", Plan: verbatim.Plan{Seed: 7, Edition: verbatim.Paper}}, Records: one(answered, lost, imported)}
	var out bytes.Buffer
	if err := exchange.WriteSortBenchCSV(&out, false, true, run, run); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 7 || !slices.Equal(rows[0], exchange.SortBenchColumns()) || !slices.Equal(rows[1], rows[4]) {
		t.Fatalf("%d rows", len(rows))
	}
	message := func(row []string) string {
		var parts []string
		for i, cell := range row {
			if cell != "" {
				parts = append(parts, rows[0][i]+"="+cell)
			}
		}
		return strings.Join(parts, " ")
	}
	if got, want := message(rows[1]), "model=m task=reverse length=16 missing=2.0 run=m-1 item=reverse@1/len=16/seed=1/7 trial=2 outcome=wrong label=case exact=False extracted=True score=0.5 seconds=1.5 first_token_seconds=0.1 first_content_seconds=0.25 completion_tokens=12 cost_usd=0.000075 finish_reason=stop served_model=a,\"b\"\ufffd edition=paper seed=7"; got != want {
		t.Errorf("row  %s\nwant %s", got, want)
	}
	if got, want := message(rows[2]), "model=m task=reverse length=16 run=m-1 item=reverse@1/len=16/seed=1/7 trial=0 outcome=error edition=paper seed=7"; got != want {
		t.Errorf("row  %s\nwant %s", got, want)
	}
	if got, want := message(rows[3]), "model=m run=m-1 item=i trial=0 edition=paper seed=7 want=[1, 'a'] reply='=1+1;'@SUM(A1)\n\tå, \"q\"\r"; got != want {
		t.Errorf("row  %q\nwant %q", got, want)
	}
	if got := guarded.Unguard(rows[3][len(rows[3])-1]); got != imported.Reply.Text {
		t.Errorf("the reply is read back as %q", got)
	}
	out.Reset()
	if err := exchange.WriteSortBenchCSV(&out, false, false, run); err != nil || strings.Contains(out.String(), "SUM") || strings.Contains(out.String(), ",reply") {
		t.Errorf("without texts, %v:\n%s", err, &out)
	}
	broken := exchange.Run{Records: one(verbatim.Record{})}
	wantError(t, exchange.WriteSortBenchCSV(&out, false, true, broken), "has no item")
}

// The published outputs, imported and graded by our graders, come out of WriteCSV
// as the rows of the reference file: texts and truth values alike, numbers to
// 1e-12.
func TestCSVOfTheReference(t *testing.T) {
	exhaustive.Only(t)
	root := oracle.Path(t, "sortbench-v1.0")
	runs, err := exchange.ReadSortBench(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if underRace {
		runs = runs[3:4]
	}
	for i, r := range runs {
		records := r.Records
		runs[i].Records = func(yield func(verbatim.Record, error) bool) {
			for rec, err := range records {
				g := grade.Of(rec.Item, rec.Reply.Text, rec.Reply.Finish)
				rec.Grade, rec.Outcome = &g, g.Outcome
				if !yield(rec, err) {
					return
				}
			}
		}
	}
	var out bytes.Buffer
	if err := exchange.WriteSortBenchCSV(&out, false, true, runs...); err != nil {
		t.Fatal(err)
	}
	got := table(t, out.Bytes())
	want := table(t, unpacked(t, filepath.Join(root, "reference_lists_1-5.csv.gz")))
	columns := len(want[0])
	if len(got) != 720*len(runs)+1 || len(want) != 5041 || !slices.Equal(got[0][:columns], want[0]) {
		t.Fatalf("%d and %d rows, columns %v", len(got), len(want), got[0])
	}
	rows := make(map[string][]string)
	for _, row := range want {
		rows[strings.Join(row[:5], "|")] = row
	}
	differ := 0
	for _, row := range got {
		reference := rows[strings.Join(row[:5], "|")]
		if reference == nil {
			t.Fatalf("no row of the reference for %v", row[:5])
		}
		for i, cell := range row[:columns] {
			if !sameCell(cell, reference[i]) {
				if differ++; differ < 10 {
					t.Errorf("%v: %s is %q, not %q", row[:5], got[0][i], cell, reference[i])
				}
			}
		}
	}
	if differ > 0 {
		t.Errorf("%d cells differ", differ)
	}
}

func sameCell(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && math.Abs(x-y) <= 1e-12
}

func table(t *testing.T, data []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
