package report

import (
	"fmt"
	"slices"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/stats"
)

// TestWordings: a run whose items are spread over wordings lists them, and the interval of
// its total includes the variance between them, however its records are cut into pieces.
func TestWordings(t *testing.T) {
	var records []verbatim.Record
	for i := range 80 {
		id := fmt.Sprintf("copy@1/len=8/seed=1/%d", i)
		right := verbatim.WordingOf(id, 4) != 2 && i%8 != 0
		outcome := verbatim.Wrong
		if right {
			outcome = verbatim.Pass
		}
		records = append(records, verbatim.Record{
			Seq: int64(i), Outcome: outcome, Grade: &verbatim.Grade{Outcome: outcome, Exact: right, Extracted: right, Label: string(outcome)},
			Item: &verbatim.Item{ID: id, Facts: map[string]string{verbatim.FactFamily: "copy", verbatim.FactLength: "8"}},
		})
	}
	run := verbatim.Run{Plan: verbatim.Plan{Trials: 1, Count: 80, Variant: &verbatim.Variant{Paraphrase: verbatim.SpreadOver(4)},
		Cells: []verbatim.Cell{{Family: "copy", Version: 1, Length: verbatim.Lengths{Min: 8, Max: 8}, N: 80}}}}
	whole, err := Of(Options{}, Input{Run: run, Records: recordtest.Each(records...)})
	if err != nil {
		t.Fatal(err)
	}
	b := whole.Runs[0]
	if len(b.Wordings) != 4 || b.Wordings[2].Exact.N != 0 || b.Wordings[1].Exact.Of != 20 {
		t.Fatalf("%+v", b.Wordings)
	}
	low, _ := stats.Wilson(int(b.Total.Exact.N), 80, confidence)
	if *b.Total.Exact.Low >= low-0.1 || *b.Families[0].Total.Exact.Low != *b.Total.Exact.Low || *b.Total.Extracted.Low != *b.Total.Exact.Low {
		t.Errorf("%v to %v, Wilson's begins at %v", *b.Total.Exact.Low, *b.Total.Exact.High, low)
	}
	pieces := Input{Run: run}
	for part := range slices.Chunk(records, 7) {
		pieces.Pieces = append(pieces.Pieces, recordtest.Each(part...))
	}
	cut, err := Of(Options{}, pieces)
	if err != nil || *cut.Runs[0].Total.Exact.Low != *b.Total.Exact.Low || *cut.Runs[0].Total.Exact.High != *b.Total.Exact.High {
		t.Errorf("in pieces: %v, %v", cut, err)
	}
	run.Plan.Variant = nil
	one, err := Of(Options{}, Input{Run: run, Records: recordtest.Each(records...)})
	if err != nil || one.Runs[0].Wordings != nil || *one.Runs[0].Total.Exact.Low != low {
		t.Errorf("one wording: %v, %v", one, err)
	}
}
