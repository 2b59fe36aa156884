package page

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A world describes the runs of a report: their names and their items.
type world struct {
	models   []string
	families []string
	lengths  []string
	each     int // items of every family and length
	reply    string
	label    string
	apart    bool // nothing is compared
}

// items are in planned order.
func (w world) items() []*verbatim.Item {
	var list []*verbatim.Item
	for range w.each {
		for _, family := range w.families {
			for _, length := range w.lengths {
				n := strconv.Itoa(len(list))
				list = append(list, &verbatim.Item{
					ID: family + "/" + length + "/" + n, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "What is " + n + "?"}}}},
					Want: verbatim.TextAnswer("want " + n), Grader: "text",
					Facts: map[string]string{verbatim.FactFamily: family, verbatim.FactLength: length, verbatim.FactEdition: string(verbatim.Standard)},
				})
			}
		}
	}
	return list
}

// record is the answer of a model to an item: the first model is right of six items
// five times, the next one four times and so on; one answer in twenty is missing in
// the last one.
func (w world) record(model, seq int, item *verbatim.Item) verbatim.Record {
	prompt, completion := int64(20+seq%7), int64(5+model)
	first, cost := time.Duration(10*(model+1)+seq%5)*time.Millisecond, verbatim.Money(1_000_000_000*(model+1))
	rec := verbatim.Record{Seq: int64(seq), Item: item, Prompt: item.Prompt, Outcome: verbatim.Pass}
	if model > 0 && model == len(w.models)-1 && seq%20 == 3 {
		rec.Outcome = verbatim.Errored
		rec.Failure = &verbatim.Failure{Class: verbatim.Overload, Status: 503, Err: fmt.Errorf("busy")}
		return rec
	}
	g := &verbatim.Grade{Outcome: verbatim.Pass, Label: "pass", Exact: true, Extracted: true, Grader: "text/1"}
	one, reply := 1.0, item.Want.Text
	if (seq*7+model)%6 <= model%6 {
		one, reply = 0, w.reply
		*g = verbatim.Grade{Outcome: verbatim.Wrong, Label: w.label, Grader: "text/1"}
		if seq%3 == 0 {
			*g = verbatim.Grade{Outcome: verbatim.Wrapped, Label: "quoted", Extracted: true, Grader: "text/1"}
		}
	}
	g.Score = &one
	rec.Outcome, rec.Grade = g.Outcome, g
	rec.Reply = &verbatim.Reply{
		Text: reply, Finish: verbatim.FinishStop, Usage: verbatim.Usage{Prompt: &prompt, Completion: &completion}, ServedModel: w.models[model] + "-served", Cost: &cost,
		Times: verbatim.Times{Start: time.Date(2026, 3, 1, 12, 0, seq, 0, time.UTC), FirstContent: &first, Total: 3 * first},
	}
	return rec
}

// report computes the report, with comparisons and a leaderboard.
func (w world) report(t testing.TB) *report.Report {
	t.Helper()
	r, err := w.compute()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (w world) compute() (*report.Report, error) {
	items := w.items()
	plan := verbatim.Plan{Hash: "0123456789abcdef0123456789abcdef", Suite: "custom", Seed: 1, Edition: verbatim.Standard, Trials: 1, Count: int64(len(items))}
	for _, f := range w.families {
		for _, l := range w.lengths {
			if n, err := strconv.Atoi(l); err == nil {
				plan.Cells = append(plan.Cells, verbatim.Cell{Family: f, Version: 1, Length: verbatim.Lengths{Min: n, Max: n}, N: w.each})
			}
		}
	}
	var in []report.Input
	var sides []verdict.Side
	for i, model := range w.models {
		run := verbatim.Run{N: int64(i + 1), Name: model + "-1", Plan: plan, Model: model, Tool: "v1.2.3",
			Started: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Ended: time.Date(2026, 3, 1, 12, 5, 0, 0, time.UTC)}
		var records iter.Seq2[verbatim.Record, error] = func(yield func(verbatim.Record, error) bool) {
			for seq, item := range items {
				if !yield(w.record(i, seq, item), nil) {
					return
				}
			}
		}
		in = append(in, report.Input{Run: run, Records: records, Record: func(seq int64) (verbatim.Record, error) { return w.record(i, int(seq), items[seq]), nil }})
		sides = append(sides, verdict.Side{Run: run, Ref: strconv.Itoa(i + 1), Records: records})
	}
	r, err := report.Of(report.Options{Samples: 1}, in...)
	if err != nil {
		return nil, err
	}
	o := verdict.Defaults("", report.MetricScore.Score)
	for i := range sides[1:] {
		if w.apart {
			break
		}
		c, err := verdict.Compare(sides[0], sides[i+1], o)
		if err != nil {
			return nil, err
		}
		r.Comparisons = append(r.Comparisons, c)
	}
	r.Leaderboard = ranked(r)
	r.Tool, r.Command = "v1.2.3", "verbatim report 1 2 --format html -o report.html"
	return r, nil
}

// ranked is a made-up leaderboard in the order of the runs: no test here is about the
// computation of ranks.
func ranked(r *report.Report) *verdict.Leaderboard {
	if len(r.Comparisons) == 0 {
		return nil
	}
	b := &verdict.Leaderboard{Confidence: 0.95, Paired: true, Items: r.Comparisons[0].Items, LeftOut: 2, Notes: []verdict.Note{{Kind: "note", Text: "A note on the ranks."}}}
	arms := []*verdict.ComparedRun{&r.Comparisons[0].A}
	for _, c := range r.Comparisons {
		arms = append(arms, &c.B)
	}
	for i, a := range arms {
		p := verdict.RankPlace{RunInfo: a.RunInfo, Items: 1, Mean: a.Mean, Range: verdict.Range{Low: max(0, a.Mean-0.05), High: min(1, a.Mean+0.05)}, Rank: i + 1, RankLow: i + 1, RankHigh: min(i+2, len(arms))}
		p.RankProbabilities = make([]float64, len(arms))
		p.RankProbabilities[i] = 1
		if i > 0 {
			p.Indistinguishable = []int{i - 1}
		}
		b.Places = append(b.Places, p)
	}
	return b
}

// small is the report of the golden file. It is computed once, and not to be changed.
var small = sync.OnceValue(func() *report.Report {
	w := world{models: []string{"alpha", "beta"}, families: []string{"reverse", "copy"}, lengths: []string{"8", "32"}, each: 20, reply: "wnat", label: "transposed"}
	r, err := w.compute()
	if err != nil {
		panic(err)
	}
	return r
})

func rendered(t testing.TB, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Report(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
