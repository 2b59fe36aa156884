package report

import (
	"fmt"
	"iter"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
)

// TestDaysAreByItem wants the answers of each day to be counted by item, wherever the second day
// begins, whether records without a time come before it, and however the records are cut.
func TestDaysAreByItem(t *testing.T) {
	for _, c := range []struct{ second, timeless, cut int }{{30, 60, 20}, {1, 60, 30}, {59, 60, 59}, {30, 0, 45}, {30, 40, 30}, {60, 60, 30}, {60, 20, 10}, {0, 5, 3}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) { testDaysAreByItem(t, c.second, c.timeless, c.cut) })
	}
}

// testDaysAreByItem makes three trials of 20 items. The second day begins at one record, another
// has no time, and a second piece begins at a third.
func testDaysAreByItem(t *testing.T, second, timeless, cut int) {
	first := time.Date(2026, 11, 25, 23, 0, 0, 0, time.UTC)
	var records []verbatim.Record
	byDay := map[string][]verbatim.Record{}
	for i := range 60 {
		o := verbatim.Wrong
		if i%20 < 7 || i%9 == 0 {
			o = verbatim.Pass
		}
		r := recordtest.Record("copy", fmt.Sprint(8*(1+i%2)), o, "corrupted")
		r.Seq, r.Trial, r.Item.ID = int64(i), i/20, fmt.Sprint("item ", i%20)
		r.Reply = &verbatim.Reply{Times: verbatim.Times{Start: first}}
		if i >= second {
			r.Reply.Times.Start = first.Add(2 * time.Hour)
		}
		if i == timeless {
			r.Reply.Times.Start = time.Time{}
		} else {
			day := r.Reply.Times.Start.Format(time.DateOnly)
			byDay[day] = append(byDay[day], r)
		}
		records = append(records, r)
	}
	run := verbatim.Run{Name: "r", Model: "m", Plan: verbatim.Plan{Trials: 3, Count: 60}}
	report := func(list ...[]verbatim.Record) Block {
		var pieces []iter.Seq2[verbatim.Record, error]
		for _, records := range list {
			pieces = append(pieces, recordtest.Each(records...))
		}
		r, err := Of(Options{}, Input{Run: run, Pieces: pieces})
		if err != nil {
			t.Fatal(err)
		}
		return r.Runs[0]
	}
	days := report(records[:cut], records[cut:]).Days
	if len(byDay) < 2 {
		if len(days) != 0 {
			t.Errorf("a single day has the lines %+v", days)
		}
		return
	}
	if len(days) != 2 {
		t.Fatalf("%d days, want 2", len(days))
	}
	for _, d := range days {
		got, want := d.Line.Exact, report(byDay[d.Day]).Total.Exact
		if got.N != want.N || got.Of != want.Of || got.Items != want.Items || *got.Low != *want.Low || *got.High != *want.High {
			t.Errorf("%s: %d of %d answers to %d items, %v to %v, want %d of %d to %d, %v to %v",
				d.Day, got.N, got.Of, got.Items, *got.Low, *got.High, want.N, want.Of, want.Items, *want.Low, *want.High)
		}
	}
}
