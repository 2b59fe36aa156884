package exchange_test

import (
	"bytes"
	"encoding/csv"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/exchange"

	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/oracle"
)

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
	score, first, n, cost := 0.5, 250*time.Millisecond, int64(12), verbatim.Money(75_000_000)
	answered := verbatim.Record{
		Item:    &verbatim.Item{ID: "reverse@1/len=16/seed=1/7", Facts: map[string]string{"family": "reverse", "length": "16"}},
		Trial:   2,
		Outcome: verbatim.Wrong,
		Grade:   &verbatim.Grade{Label: "case", Extracted: true, Score: &score, Measures: map[string]float64{"missing": 2}},
		Reply: &verbatim.Reply{Finish: verbatim.FinishStop, ServedModel: "a,\"b\"\xff", Usage: verbatim.Usage{Completion: &n}, Cost: &cost,
			Times: verbatim.Times{Total: 1500 * time.Millisecond, FirstContent: &first}},
	}
	lost := verbatim.Record{Item: answered.Item, Outcome: verbatim.Errored, Failure: &verbatim.Failure{}}
	imported := verbatim.Record{Item: answered.Item, Reply: &verbatim.Reply{Text: "x"}}
	run := exchange.Run{Run: verbatim.Run{Name: "m-1", Model: "m", Plan: verbatim.Plan{Seed: 7, Edition: verbatim.Paper}}, Records: one(answered, lost, imported)}
	var out bytes.Buffer
	if err := exchange.WriteSortBenchCSV(&out, false, run, run); err != nil {
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
	if got, want := message(rows[1]), "model=m task=reverse length=16 missing=2.0 run=m-1 item=reverse@1/len=16/seed=1/7 trial=2 outcome=wrong label=case exact=False extracted=True score=0.5 seconds=1.5 first_token_seconds=0.25 completion_tokens=12 cost_usd=0.000075 finish_reason=stop served_model=a,\"b\"\ufffd edition=paper seed=7"; got != want {
		t.Errorf("row  %s\nwant %s", got, want)
	}
	if got, want := message(rows[2]), "model=m task=reverse length=16 run=m-1 item=reverse@1/len=16/seed=1/7 trial=0 outcome=error edition=paper seed=7"; got != want {
		t.Errorf("row  %s\nwant %s", got, want)
	}
	if got, want := message(rows[3]), "model=m task=reverse length=16 run=m-1 item=reverse@1/len=16/seed=1/7 trial=0 edition=paper seed=7"; got != want {
		t.Errorf("row  %s\nwant %s", got, want)
	}
	broken := exchange.Run{Records: one(verbatim.Record{})}
	wantError(t, exchange.WriteSortBenchCSV(&out, false, broken), "has no item")
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
	if err := exchange.WriteSortBenchCSV(&out, false, runs...); err != nil {
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
