package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/stats"
)

// An outage is never a wrong answer: every rate is over the answered items, and the
// share of everything planned is next to it.
func TestOutagesAreNotWrong(t *testing.T) {
	plan := verbatim.Plan{Trials: 1, Count: 10, Cells: []verbatim.Cell{{Family: "copy", Length: verbatim.Lengths{Min: 8, Max: 8}, N: 10}}}
	b := of(t, Input{Run: verbatim.Run{Plan: plan}, Records: recordtest.Each(
		recordtest.Record("copy", "8", verbatim.Pass, "pass"), recordtest.Record("copy", "8", verbatim.Pass, "pass"), recordtest.Record("copy", "8", verbatim.Wrapped, "quoted"),
		recordtest.Record("copy", "8", verbatim.Wrong, "case"), recordtest.Record("copy", "8", verbatim.Errored, ""), recordtest.Record("copy", "8", verbatim.CutOff, ""),
		recordtest.Record("copy", "8", verbatim.Skipped, ""), recordtest.Record("copy", "8", verbatim.Truncated, "cut_short"),
	)})
	l := b.Families[0].Lines[0]
	if *l.Planned != 10 || l.Recorded != 8 || l.Answered != 5 || l.Unanswered != 3 {
		t.Errorf("planned %d, recorded %d, answered %d, unanswered %d", *l.Planned, l.Recorded, l.Answered, l.Unanswered)
	}
	if *l.Exact.Share != 0.4 || *l.Exact.OfPlanned != 0.2 || *l.Extracted.Share != 0.6 {
		t.Errorf("exact %v of answered, %v of planned; extracted %v", *l.Exact.Share, *l.Exact.OfPlanned, *l.Extracted.Share)
	}
	low, high := stats.Wilson(2, 5, 0.95)
	if *l.Exact.Low != low || *l.Exact.High != high {
		t.Errorf("interval %v to %v, want that of 2 of 5", *l.Exact.Low, *l.Exact.High)
	}
	if got := fmt.Sprint(l.Failures); got != "[{case 1} {cut_short 1} {quoted 1}]" {
		t.Errorf("failures %s", got)
	}
	if got := fmt.Sprint(b.Outages); got != "[{cut 1} {unknown 1}]" {
		t.Errorf("outages %s", got)
	}
	if got := kinds(b.Warnings); got != "unanswered unfinished truncated" {
		t.Errorf("warnings %s", got)
	}
}

func TestContradictionsAreErrors(t *testing.T) {
	ungraded := recordtest.Record("copy", "8", verbatim.Pass, "pass")
	ungraded.Grade = nil
	strange := recordtest.Record("copy", "8", verbatim.Pass, "pass")
	strange.Outcome = "great"
	for name, in := range map[string]Input{
		"answer without grade": {Records: recordtest.Each(ungraded)},
		"unknown outcome":      {Records: recordtest.Each(strange)},
		"no item":              {Records: recordtest.Each(verbatim.Record{Outcome: verbatim.Errored})},
		"reading": {Records: func(yield func(verbatim.Record, error) bool) {
			yield(verbatim.Record{}, errors.New("the disk is gone"))
		}},
	} {
		if _, err := Of(Options{}, in); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The total of every family and run is what a plain count over the records gives.
func TestTotalsAddUp(t *testing.T) {
	outcomes := verbatim.Outcomes()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "n")
		var recs []verbatim.Record
		for range n {
			o := rapid.SampledFrom(outcomes).Draw(t, "outcome")
			r := recordtest.Record(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "family"), strconv.Itoa(rapid.IntRange(1, 90).Draw(t, "length")), o, "label"+string(o))
			if r.Reply != nil {
				r.Reply.Times.Total = time.Duration(rapid.IntRange(2000, 1e9).Draw(t, "time"))
				v := int64(rapid.IntRange(0, 100).Draw(t, "tokens"))
				r.Reply.Usage.Completion = &v
			}
			recs = append(recs, r)
		}
		rep, err := Of(Options{}, Input{Records: recordtest.Each(recs...)})
		if err != nil {
			t.Fatal(err)
		}
		b := &rep.Runs[0]
		check(t, &b.Total, recs)
		for _, f := range b.Families {
			check(t, &f.Total, slices.DeleteFunc(slices.Clone(recs), func(r verbatim.Record) bool { return r.Item.Facts[verbatim.FactFamily] != f.Name }))
			for _, l := range f.Lines {
				check(t, &l, slices.DeleteFunc(slices.Clone(recs), func(r verbatim.Record) bool {
					length, _ := strconv.Atoi(r.Item.Facts[verbatim.FactLength])
					return r.Item.Facts[verbatim.FactFamily] != f.Name || length < l.Lengths.Min || length > l.Lengths.Max
				}))
			}
		}
	})
}

func check(t *rapid.T, l *Line, recs []verbatim.Record) {
	var answered, exact, tokens int64
	var times []float64
	for _, r := range recs {
		if r.Outcome.Answered() {
			answered++
			exact += int64(one(r.Grade.Exact))
			tokens += *r.Reply.Usage.Completion
			times = append(times, r.Reply.Times.Total.Seconds())
		}
	}
	if l.Recorded != int64(len(recs)) || l.Answered != answered || l.Exact.N != exact || l.Score.N != answered {
		t.Fatalf("recorded %d, answered %d, exact %d, scored %d; want %d, %d, %d, %d", l.Recorded, l.Answered, l.Exact.N, l.Score.N, len(recs), answered, exact, answered)
	}
	if answered == 0 {
		if l.Exact.Share != nil || l.Score.Value != nil || l.Seconds.Median != nil || l.Tokens.Completion.Total != nil {
			t.Fatal("numbers made of nothing")
		}
		return
	}
	if *l.Tokens.Completion.Total != tokens || *l.Exact.Share != float64(exact)/float64(answered) {
		t.Fatalf("tokens %d, share %v", *l.Tokens.Completion.Total, *l.Exact.Share)
	}
	slices.Sort(times)
	want := times[(len(times)+1)/2-1]
	if got := *l.Seconds.Median; math.Abs(got/want-1) > 0.023 {
		t.Fatalf("median %v, want %v", got, want)
	}
}

func TestBandsOfThePlan(t *testing.T) {
	plan := verbatim.Plan{Trials: 2, Count: 8, Cells: []verbatim.Cell{{Family: "reverse", N: 4, Length: verbatim.Lengths{Min: 2, Max: 30}, Bands: []verbatim.Lengths{{Min: 2, Max: 8}, {Min: 9, Max: 16}, {Min: 17, Max: 30}}}}}
	some := []verbatim.Record{recordtest.Record("reverse", "3", verbatim.Pass, "pass"), recordtest.Record("reverse", "8", verbatim.Pass, "pass"), recordtest.Record("reverse", "30", verbatim.Wrong, "case")}
	b := of(t, Input{Run: verbatim.Run{Plan: plan}, Records: recordtest.Each(some...)})
	if got := labelsOf(b.Families[0].Lines); got != "2–8:2 9–16:0 17–30:1" {
		t.Errorf("lines %s", got)
	}
	if b.Families[0].Lines[0].Planned != nil || *b.Families[0].Total.Planned != 8 {
		t.Error("the number of planned items in a band must be unknown until all are drawn, and the number of all planned items known")
	}
	for range 5 {
		some = append(some, recordtest.Record("reverse", "9", verbatim.Pass, "pass"))
	}
	b = of(t, Input{Run: verbatim.Run{Plan: plan}, Records: recordtest.Each(some...)})
	if p := b.Families[0].Lines[1].Planned; p == nil || *p != 5 {
		t.Error("a complete run does not say how many were in a band")
	}
}

func labelsOf(lines []Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Length+":"+strconv.FormatInt(l.Recorded, 10))
	}
	return strings.Join(out, " ")
}

// A user's file may hold texts of a thousand lengths, or lengths that are words.
func TestManyLengths(t *testing.T) {
	var recs []verbatim.Record
	for n := range 1000 {
		recs = append(recs, recordtest.Record("items", strconv.Itoa(n), verbatim.Pass, "pass"))
	}
	recs = append(recs, recordtest.Record("items", "short", verbatim.Pass, "pass"), recordtest.Record("items", "", verbatim.Pass, "pass"))
	b := of(t, Input{Records: recordtest.Each(recs...)})
	want := "0:1 1:1 2:1 3–4:2 5–8:4 9–16:8 17–32:16 33–64:32 65–128:64 129–256:128 257–512:256 513–1024:487 :1 short:1"
	if got := labelsOf(b.Families[0].Lines); got != want {
		t.Errorf("lines %s\nwant  %s", got, want)
	}
}

// The bands of all lengths follow each other, up to the largest length of a file.
func TestDoublingBands(t *testing.T) {
	for n, want := range map[int]verbatim.Lengths{
		0: {Min: 0, Max: 0}, 2: {Min: 2, Max: 2}, 3: {Min: 3, Max: 4}, 4: {Min: 3, Max: 4}, 5: {Min: 5, Max: 8},
		1 << 62: {Min: 1<<61 + 1, Max: 1 << 62}, 1<<62 + 1: {Min: 1<<62 + 1, Max: math.MaxInt}, math.MaxInt: {Min: 1<<62 + 1, Max: math.MaxInt},
	} {
		if got := doubling(n); got != want {
			t.Errorf("%d is in %v, want %v", n, got, want)
		}
	}
}

func TestNamesAreBounded(t *testing.T) {
	var recs []verbatim.Record
	for n := range 5000 {
		r := recordtest.Record("family"+strconv.Itoa(n), "length"+strconv.Itoa(n), verbatim.Wrong, "label"+strconv.Itoa(n))
		r.Reply.ServedModel = "model" + strconv.Itoa(n)
		recs = append(recs, r)
	}
	b := of(t, Input{Records: recordtest.Each(recs...)})
	if n := len(b.Families); n != maxFamilies+1 {
		t.Errorf("%d families are counted separately", n)
	}
	if n := len(b.Head.Served); n != maxNames+1 {
		t.Errorf("%d served models are counted separately", n)
	}
	if n := len(b.Total.Failures); n > maxNames+1 {
		t.Errorf("%d labels are counted separately", n)
	}
	if b.Total.Recorded != 5000 {
		t.Errorf("%d records of 5000", b.Total.Recorded)
	}
}

// BenchmarkOf folds a million records as a store streams them: without texts.
func BenchmarkOf(b *testing.B) {
	s := recordtest.Quick()
	s.N = 10
	var recs []verbatim.Record
	for r := range s.Records() {
		recs = append(recs, r)
	}
	const n = 1_000_000
	b.ReportAllocs()
	for b.Loop() {
		r, err := Of(Options{}, Input{Run: verbatim.Run{Plan: s.Plan()}, Records: func(yield func(verbatim.Record, error) bool) {
			for i := range n {
				if !yield(recs[i%len(recs)], nil) {
					return
				}
			}
		}})
		if err != nil || r.Runs[0].Total.Recorded != n {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/record")
}
