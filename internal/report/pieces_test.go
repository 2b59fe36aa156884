package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
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
)

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
