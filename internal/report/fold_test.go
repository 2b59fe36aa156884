package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/recordtest"
	"verbatim/internal/stats"
	"verbatim/internal/testmain"
	"verbatim/internal/verdict/verification"
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

func TestMain(m *testing.M) { testmain.Main(m) }

func of(t *testing.T, in Input) *Block {
	t.Helper()
	return &must(Of(Options{}, in))(t).Runs[0]
}

func kinds(list []Warning) string {
	var out []string
	for _, w := range list {
		out = append(out, w.Kind)
	}
	return strings.Join(out, " ")
}

func must(r *Report, err error) func(*testing.T) *Report {
	return func(t *testing.T) *Report {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// anyRecord draws a record as strange files may hold them: few families and lengths or
// very many, words for lengths, scores of all sizes, several days and servers.
func anyRecord(t *rapid.T, seq int64, many int) verbatim.Record {
	name := func(kind string) string {
		return kind + strconv.Itoa(rapid.IntRange(0, many).Draw(t, kind))
	}
	length := name("")
	if rapid.IntRange(0, 3).Draw(t, "word") == 0 {
		length = name("w")
	}
	o := rapid.SampledFrom(verbatim.Outcomes()).Draw(t, "outcome")
	r := recordtest.Record(name("family"), length, o, name("label"))
	r.Item.ID = fmt.Sprintf("%s@%d/len=%s/seed=1/%d", r.Item.Facts[verbatim.FactFamily], rapid.IntRange(1, 2).Draw(t, "version"), length, seq)
	r.Seq, r.Trial = seq, rapid.IntRange(0, 2).Draw(t, "trial")
	r.Item.Facts[verbatim.FactEdition] = rapid.SampledFrom([]string{"standard", "paper"}).Draw(t, "edition")
	start := time.Unix(int64(rapid.IntRange(-2, many).Draw(t, "day"))*86400+int64(rapid.IntRange(0, 86399).Draw(t, "second")), 0)
	attempt := verbatim.Attempt{N: rapid.IntRange(1, 3).Draw(t, "try"), Start: start}
	if !o.Answered() {
		r.Failure = &verbatim.Failure{Class: verbatim.Class(name("class")), Attempts: []verbatim.Attempt{attempt}}
		return r
	}
	score := rapid.SampledFrom([]float64{0, 1, 0.1, 1.0 / 3, 1e-17, -1.319, 1e16, math.Nextafter(1, 2)}).Draw(t, "score")
	r.Grade.Score, r.Grade.Grader = &score, name("grader/")
	r.Grade.Flags = []string{name("flag")}
	n := int64(rapid.IntRange(0, 9000).Draw(t, "tokens"))
	r.Reply.Usage = verbatim.Usage{Prompt: &n, Completion: &n, Reasoning: &n}
	if rapid.Bool().Draw(t, "marked") {
		r.Reply.Marks = &verbatim.ReasoningMarks{Characters: n, SecondThoughts: n / 100, RepeatedLines: n % 7, LanguageSwitches: n % 2}
	}
	r.Reply.Times = verbatim.Times{Start: start, Total: time.Duration(rapid.IntRange(0, 1e9).Draw(t, "total")), FirstContent: new(time.Duration)}
	r.Reply.ServedModel, r.Reply.Attempts = name("served"), []verbatim.Attempt{attempt}
	return r
}

// TestCutsDoNotMatter: however the records of a run are cut into pieces, in whichever
// order, the report is the same to the last digit.
func TestCutsDoNotMatter(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	by := []string{"model", "trial", "day"}
	plan := verbatim.Plan{Trials: 1, Count: 100, Cells: []verbatim.Cell{
		{Family: "family1", N: 9, Length: verbatim.Lengths{Min: 3, Max: 3}},
		{Family: "family0", N: 9, Length: verbatim.Lengths{Min: 2, Max: 30}, Bands: []verbatim.Lengths{{Min: 2, Max: 8}, {Min: 9, Max: 30}}}}}
	rapid.Check(t, func(t *rapid.T) {
		many := rapid.SampledFrom([]int{2, 60, 700}).Draw(t, "many")
		var recs []verbatim.Record
		for i := range rapid.IntRange(0, 200).Draw(t, "n") {
			recs = append(recs, anyRecord(t, int64(i), many))
		}
		run := verbatim.Run{Name: "r", Model: "m", Plan: plan}
		whole, err := Of(Options{GroupBy: by}, Input{Run: run, Records: recordtest.Each(recs...)})
		if err != nil {
			t.Fatal(err)
		}
		in := Input{Run: run, Records: recordtest.Each()}
		rest := recs
		if rapid.Bool().Draw(t, "shuffled") {
			rest = rapid.Permutation(recs).Draw(t, "order")
		}
		for len(rest) > 0 {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			in.Pieces, rest = append(in.Pieces, reused(rest[:n])), rest[n:]
		}
		cutUp, err := Of(Options{GroupBy: by}, in)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(text(t, whole), text(t, cutUp)); d != "" {
			t.Fatalf("%d pieces of %d records: %s", len(in.Pieces), len(recs), d)
		}
	})
}

// reused streams records the way a store does: each is spoiled once the next is taken.
func reused(recs []verbatim.Record) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for _, r := range recs {
			item := *r.Item
			r.Item = &item
			if r.Grade != nil {
				g, reply := *r.Grade, *r.Reply
				r.Grade, r.Reply = &g, &reply
			}
			if r.Failure != nil {
				f := *r.Failure
				f.Attempts = slices.Clone(f.Attempts)
				r.Failure = &f
			}
			if !yield(r, nil) {
				return
			}
			item = verbatim.Item{ID: "spoiled"}
			if r.Grade != nil {
				*r.Grade, *r.Reply = verbatim.Grade{}, verbatim.Reply{}
			}
			if r.Failure != nil {
				clear(r.Failure.Attempts)
				*r.Failure = verbatim.Failure{}
			}
		}
	}
}

func text(t *rapid.T, r *Report) []string {
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(b), "\n")
}

// TestFoldsOfManyNames does the same by plain folds, for so many names that every
// bound is reached.
func TestFoldsOfManyNames(t *testing.T) {
	exhaustive.Only(t)
	var recs []verbatim.Record
	for i := range 3000 {
		n := (i * 7919) % 3000 // every name once, in no order
		r := recordtest.Record(fmt.Sprintf("family%04d", n%700), fmt.Sprintf("w%04d", n), verbatim.Wrong, fmt.Sprintf("label%04d", n))
		if i%3 == 0 {
			r.Item.Facts[verbatim.FactFamily], r.Item.Facts[verbatim.FactLength] = "alone", strconv.Itoa(n)
		}
		r.Reply.ServedModel = fmt.Sprintf("served%04d", n)
		r.Reply.Times.Start = time.Unix(int64(n)*86400, 0)
		r.Seq = int64(i)
		recs = append(recs, r)
	}
	in := &Input{Run: verbatim.Run{Model: "m"}}
	of := func(cuts ...int) Block {
		all := newFold(Options{Metric: MetricScore}, in, nil, false)
		from := 0
		for _, to := range append(cuts, len(recs)) {
			part := newFold(Options{Metric: MetricScore}, in, nil, false)
			if err := part.addAll(recordtest.Each(recs[from:to]...)); err != nil {
				t.Fatal(err)
			}
			all.merge(part)
			from = to
		}
		return all.finish()
	}
	want := of()
	if len(want.Families) != maxFamilies+1 || len(want.Days) != maxDays+1 || want.Total.Recorded != 3000 {
		t.Fatalf("%d families, %d days, %d records", len(want.Families), len(want.Days), want.Total.Recorded)
	}
	plain := newFold(Options{Metric: MetricScore}, in, nil, false)
	if err := plain.addAll(recordtest.Each(recs...)); err != nil {
		t.Fatal(err)
	}
	back := newFold(Options{Metric: MetricScore}, in, nil, false)
	backwards := slices.Clone(recs)
	slices.Reverse(backwards)
	if err := back.addAll(recordtest.Each(backwards...)); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]Block{"not merged": plain.finish(), "backwards": back.finish(), "halves": of(1500), "uneven": of(1, 2, 40, 700, 701, 2990)} {
		if d := cmp.Diff(want, got, cmp.AllowUnexported(Block{}, Head{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestErrorsOfPieces: of several pieces that fail it is the first one's error, whatever
// is read first.
func TestErrorsOfPieces(t *testing.T) {
	failing := func(text string, after int) iter.Seq2[verbatim.Record, error] {
		return func(yield func(verbatim.Record, error) bool) {
			for range after {
				if !yield(recordtest.Record("copy", "8", verbatim.Pass, "pass"), nil) {
					return
				}
			}
			yield(verbatim.Record{}, errors.New(text))
		}
	}
	good := recordtest.Each(recordtest.Record("copy", "8", verbatim.Pass, "pass"))
	for range 20 {
		_, err := Of(Options{}, Input{Run: verbatim.Run{Name: "r"}, Pieces: []iter.Seq2[verbatim.Record, error]{
			good, failing("the first", 5000), failing("the second", 0), good, failing("the third", 0)}})
		if err == nil || err.Error() != "run r: the first" {
			t.Fatalf("error %v", err)
		}
	}
}

// TestExactSum compares with the sum of fractions of whole numbers.
func TestExactSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			v := float64(rapid.Int64().Draw(t, "mantissa")) * math.Pow(2, float64(rapid.IntRange(-200, 100).Draw(t, "exponent")))
			return rapid.SampledFrom([]float64{0, 1, v, -v, 0.1}).Draw(t, "value")
		}), 0, 40).Draw(t, "values")
		cut := rapid.IntRange(0, len(values)).Draw(t, "cut")
		var a, b stats.ExactSum
		want := new(big.Float).SetPrec(2000)
		for i, v := range values {
			if i < cut {
				a.Add(v)
			} else {
				b.Add(v)
			}
			want.Add(want, new(big.Float).SetFloat64(v))
		}
		b.Merge(&a)
		if rounded, _ := want.Float64(); b.Value() != rounded {
			t.Fatalf("%v, want %v", b.Value(), rounded)
		}
	})
}

// TestLengthsSeenAgain: lengths that come again after they share a line with others are
// counted there.
func TestLengthsSeenAgain(t *testing.T) {
	var numbers, words []verbatim.Record
	for range 2 {
		for n := range 3 * maxLengths {
			numbers = append(numbers, recordtest.Record("copy", strconv.Itoa(n), verbatim.Pass, "pass"))
			words = append(words, recordtest.Record("copy", fmt.Sprintf("w%03d", 999-n), verbatim.Pass, "pass"))
		}
	}
	recs := slices.Concat(numbers, words)
	b := of(t, Input{Records: recordtest.Each(recs...)})
	if b.Total.Recorded != int64(len(recs)) {
		t.Errorf("%d of %d records", b.Total.Recorded, len(recs))
	}
	lines := map[string]int64{}
	for _, l := range b.Families[0].Lines {
		lines[l.Length] = l.Recorded
	}
	if lines["65–128"] != 128 || lines["w999"] != 0 || lines["w856"] != 2 || lines[Others] != 2*2*maxLengths {
		t.Errorf("lines %v", lines)
	}
}

// However many finish reasons a server makes up, and in whatever order and parts they
// come, the same few are counted separately and none is lost.
func TestFinishWordsAreBounded(t *testing.T) {
	var whole, parts finishWords
	for range 3 {
		for i := range 1000 {
			whole.add(&verbatim.Reply{Finish: verbatim.FinishOther, FinishRaw: fmt.Sprintf("w%03d", i)}, i%2 == 0)
		}
	}
	for range 3 {
		var part finishWords
		for _, i := range rand.Perm(1000) {
			part.add(&verbatim.Reply{Finish: verbatim.FinishOther, FinishRaw: fmt.Sprintf("w%03d", i)}, i%2 == 0)
		}
		parts.merge(&part)
	}
	a, b := whole.finish(), parts.finish()
	if !reflect.DeepEqual(a, b) || len(a) != maxFinishWords+1 || a[maxFinishWords].N != 3*(1000-maxFinishWords) {
		t.Errorf("%d words, %+v", len(a), a[len(a)-1])
	}
	if w := finishWarnings(a); len(w) != shownFinishWords+1 {
		t.Errorf("%d warnings", len(w))
	}
}

// Labels of imported files may be anything, and as many as there are records.
func TestListingIsBounded(t *testing.T) {
	l := &Listing{}
	for i := range 10 * maxNames {
		rec := recordtest.TextRecord("a", "b", strings.Repeat("x", i+1), "")
		l.Add(&rec)
	}
	kinds := l.Kinds()
	var n int64
	for _, k := range kinds {
		n += k.N
		if len(k.First) > examples {
			t.Errorf("%d examples of %q", len(k.First), k.Label)
		}
	}
	if len(kinds) > maxNames+len(verbatim.Outcomes()) || n != l.Records || kinds[0].Label != Others {
		t.Errorf("%d kinds of %d records, %d of them counted, the commonest %q", len(kinds), l.Records, n, kinds[0].Label)
	}
}

func TestWarnings(t *testing.T) {
	mixed := func(change func(*verbatim.Record)) Input {
		a, b := recordtest.Record("copy", "8", verbatim.Pass, "pass"), recordtest.Record("copy", "8", verbatim.Pass, "pass")
		change(&b)
		a.Reply.ServedModel, a.Item.Facts[verbatim.FactEdition] = "m1", "standard"
		return Input{Run: verbatim.Run{Plan: verbatim.Plan{Count: 2}}, Records: recordtest.Each(a, b)}
	}
	for want, in := range map[string]Input{
		"":                  mixed(func(*verbatim.Record) {}),
		"served_models":     mixed(func(r *verbatim.Record) { r.Reply.ServedModel = "m2" }),
		"editions":          mixed(func(r *verbatim.Record) { r.Item.Facts[verbatim.FactEdition] = "paper" }),
		"graders":           mixed(func(r *verbatim.Record) { r.Grade.Grader = "text/3" }),
		"published":         mixed(func(r *verbatim.Record) { r.Grade.Grader = "published" }),
		"score":             mixed(func(r *verbatim.Record) { r.Grade.Score = nil }),
		"truncated":         mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Truncated, "cut_short") }),
		"no_content":        mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Truncated, "empty") }),
		"reasoning_in_text": mixed(func(r *verbatim.Record) { r.Reply.Reasoning, r.Reply.ReasoningField = "so", "text:<think>" }),
		"refused":           mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Refused, "refusal") }),
		"unanswered":        mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Errored, "") }),
		"load":              loaded(3, 2),
	} {
		if got := kinds(of(t, in).Warnings); got != want {
			t.Errorf("warnings %q, want %q", got, want)
		}
	}
	one, other := verbatim.Run{Plan: verbatim.Plan{Hash: "a"}}, verbatim.Run{Plan: verbatim.Plan{Hash: "b"}, Params: verbatim.Params{Effort: "low"}}
	r := must(Of(Options{}, Input{Run: one, Records: recordtest.Each()}, Input{Run: other, Records: recordtest.Each(recordtest.Record("copy", "8", verbatim.Pass, "pass"))}))(t)
	if got := kinds(r.Warnings); got != "plans parameters graders" {
		t.Errorf("warnings between runs %q", got)
	}
}

// TestNoContent: answers without content at the token limit have their number and their
// cost, and the warning says both.
func TestNoContent(t *testing.T) {
	cost := 25 * verbatim.Dollar / 100
	hollow := func() verbatim.Record {
		r := recordtest.Record("copy", "8", verbatim.Truncated, "empty")
		r.Reply.Cost = &cost
		return r
	}
	partial := recordtest.Record("copy", "8", verbatim.Truncated, "cut_short")
	partial.Reply.Cost = &cost
	b := of(t, Input{Records: recordtest.Each(hollow(), partial, hollow(), recordtest.Record("copy", "8", verbatim.Pass, "pass"))})
	e := b.NoContent
	if e == nil || e.N != 2 || e.Of != 4 || e.Cost == nil || e.Cost.Known != 2 || *e.Cost.Dollars != 2*cost {
		t.Fatalf("%+v", e)
	}
	i := slices.IndexFunc(b.Warnings, func(w Warning) bool { return w.Kind == "no_content" })
	if i < 0 || !strings.HasPrefix(b.Warnings[i].Text, "2 of 4 answers were still without content at the token limit, and cost $0.50.") {
		t.Errorf("%+v", b.Warnings)
	}
}

// loaded is a run of one answer with a load.
func loaded(peak, slots int) Input {
	r := recordtest.Record("copy", "8", verbatim.Pass, "pass")
	return Input{Run: verbatim.Run{Plan: verbatim.Plan{Count: 1}, Load: &verbatim.Load{Peak: peak, Slots: slots}}, Records: recordtest.Each(r)}
}

// A load gives a warning only above what the server runs, where that is known.
func TestLoadWithinSlots(t *testing.T) {
	for _, in := range []Input{loaded(2, 2), loaded(1, 2), loaded(64, 0)} {
		if w := of(t, in).Warnings; len(w) > 0 {
			t.Errorf("%+v: %v", in.Run.Load, w)
		}
	}
}

// The two sides of a test may be one model: what holds for the model is noted once, and what holds
// for the replies of a side for each.
func TestNotesOfOneModelTwice(t *testing.T) {
	v := &Verification{Result: &verification.Result{Unanswered: [2]int{1, 2}}, Mixed: true}
	for i := range v.Sides {
		v.Sides[i] = VerifiedSide{CheckedRun: CheckedRun{Model: "m", Note: "simulated"}, Served: []string{"a", "b", "c", "d", "e"}}
	}
	v.Complete()
	want := []Warning{
		{Kind: "built-in", Text: "m is simulated."},
		{Kind: "upstream", Text: "m was served by several upstreams or models: a, b, c, d and e. Their replies were compared together (--mix-upstreams)."},
		{Kind: "unanswered", Text: "1 request to m has no answer. The prompts are left out."},
		{Kind: "upstream", Text: "m was served by several upstreams or models: a, b, c, d and e. Their replies were compared together (--mix-upstreams)."},
		{Kind: "unanswered", Text: "2 requests to m have no answer. The prompts are left out."},
	}
	if !slices.Equal(v.Notes, want) {
		t.Errorf("%q", v.Notes)
	}
}
