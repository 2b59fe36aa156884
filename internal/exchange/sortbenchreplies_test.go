package exchange_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/exchange"

	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/task"
)

// repliesOf returns a record for the right reply to the item and for each way to spoil it, each
// with an item of a number of its own.
func repliesOf(t *testing.T, it verbatim.Item, first int) (records []verbatim.Record) {
	t.Helper()
	stem := it.ID[:strings.LastIndexByte(it.ID, '/')+1]
	add := func(reply string) {
		own := it
		own.ID, own.Facts = fmt.Sprint(stem, first+len(records)), maps.Clone(it.Facts)
		records = append(records, verbatim.Record{Item: &own, Reply: &verbatim.Reply{Text: reply, Finish: verbatim.FinishStop}})
	}
	right := damage.Right(&it)
	for _, reply := range []string{right, "`" + right + "`", "```\n" + right + "\n```", "Here it is:\n" + right, right + "\nSorted.", "**" + right + "**", right + ",", right[:len(right)-1]} {
		add(reply)
	}
	for _, s := range damage.Spoilers(damage.Grader(&it)) {
		if reply, ok := s.Spoil(rand.New(rand.NewPCG(1, 2)), &it); ok {
			add(reply)
		}
	}
	return records
}

// TestSortBenchReplies writes right, wrapped and wrong replies to items of all tasks that SortBench's
// files hold, as the suites grade them, and reads them again: no outcome changes. The labels of the
// hard tasks do not either, foreseen ones included.
func TestSortBenchReplies(t *testing.T) {
	read, foreseen := 0, map[string]int{}
	for _, f := range task.Families() {
		if f.Mode == "" {
			continue
		}
		for _, n := range []int{8, 2} {
			if n == 2 && !exhaustive.All() {
				continue // scripts/check has both lengths
			}
			p, err := task.Plan(task.Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{{Min: n, Max: n}}, Items: 1, Seed: 9})
			if err != nil {
				t.Fatal(err)
			}
			records := repliesOf(t, firstItem(t, p), 0)
			for i := range records {
				if f.Mode != "hard" {
					records[i].Item.Grader = "sortbench" // as the suite has it
				}
			}
			for i, got := range throughSortBench(t, p, records) {
				was, now := gradeRecord(&records[i]), gradeRecord(&got)
				if was.Outcome != now.Outcome {
					t.Errorf("%s: %s (%s), and %s (%s) when it is read again: %q", records[i].Item.ID, was.Outcome, was.Label, now.Outcome, now.Label, got.Reply.Text)
				}
				if f.Mode == "hard" && (was.Label != now.Label || was.Detail != now.Detail) {
					t.Errorf("%s: %s (%s), and %s (%s) when it is read again: %q", records[i].Item.ID, was.Label, was.Detail, now.Label, now.Detail, got.Reply.Text)
				}
				read++
				foreseen[was.Label]++
			}
		}
	}
	for _, label := range []string{"wrong_direction", "tie_broken", "explained", "fenced", "quoted", "pass"} {
		if foreseen[label] == 0 {
			t.Errorf("of %d replies none is %s", read, label)
		}
	}
}

func firstItem(t *testing.T, p verbatim.Plan) verbatim.Item {
	t.Helper()
	deck, err := task.Open(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	position, _ := deck.Next()
	it, err := deck.Item(position)
	if err != nil {
		t.Fatal(err)
	}
	return *it
}

// throughSortBench writes the records as a run of the plan and reads them.
func throughSortBench(t *testing.T, p verbatim.Plan, records []verbatim.Record) (out []verbatim.Record) {
	t.Helper()
	run := exchange.Run{Run: verbatim.Run{Name: "r", Model: "m", Plan: p}, Records: func(yield func(verbatim.Record, error) bool) {
		for _, rec := range records {
			if !yield(rec, nil) {
				return
			}
		}
	}}
	dir := t.TempDir()
	if _, _, err := exchange.WriteSortBench(exchange.Folder{Path: dir}, func(family string) string {
		f, _ := task.Find(family)
		return f.Task
	}, run); err != nil {
		t.Fatal(err)
	}
	runs, err := exchange.ReadSortBench(dir, nil)
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	for rec, err := range runs[0].Records {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rec)
	}
	if len(out) != len(records) {
		t.Fatalf("%d records of %d", len(out), len(records))
	}
	return out
}

func gradeRecord(rec *verbatim.Record) verbatim.Grade {
	return grade.Of(rec.Item, rec.Reply.Text, verbatim.FinishStop)
}
