package autorank_test

import (
	"errors"
	"math"
	"strconv"
	"testing"

	"verbatim"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/autorank"
	"verbatim/internal/verdict/verdicttest"
)

func rankOptions() autorank.Options {
	return autorank.Options{Metric: "score", Score: verdicttest.StoredScore, Measures: []autorank.Measure{{Name: "score", Value: verdicttest.StoredScore}}}
}

// TestRank ranks on what all runs answered, leaves undefined scores out of means,
// and weighs by length.
func TestRank(t *testing.T) {
	mode := func(s verdict.Side, change func(i int, r *verbatim.Record)) verdict.Side {
		var records []verbatim.Record
		for r := range s.Records {
			r.Item.Facts[verbatim.FactMode] = "basic"
			change(len(records), &r)
			records = append(records, r)
		}
		s.Records = verdicttest.EachRecord(records)
		return s
	}
	a, b := verdicttest.BinarySides(20, 5, 10)
	b = mode(b, func(i int, r *verbatim.Record) {
		if i == 0 {
			*r = verdicttest.LostRecord(0, r.Item, 0)
		}
		if i == 1 {
			r.Grade.Score = nil
		}
	})
	a = mode(a, func(int, *verbatim.Record) {})
	r, err := autorank.Rank([]verdict.Side{b, a}, rankOptions())
	if err != nil {
		t.Fatal(err)
	}
	if r.Items != 39 || r.LeftOut != 1 || len(r.Tables) != 3 || r.Tables[0].Length != "2" || r.Tables[2].Length != "" {
		t.Fatalf("%d items, %d left out, %d tables", r.Items, r.LeftOut, len(r.Tables))
	}
	short := r.Tables[0]
	if best, other := short.Rows[0], short.Rows[1]; r.Runs[best.Run].Name != "a" || best.Mean != 1 || other.N != 18 || math.Abs(other.Mean-15./18) > 1e-12 {
		t.Errorf("rows %+v", short.Rows)
	}
	if p := short.Pairs[0]; p.Upper != 1 || p.Lower != 2 || math.Abs(p.Smaller+p.Equal+p.Larger-1) > 1e-9 {
		t.Errorf("pair %+v", p)
	}
	w := r.Weighted
	if len(w) != 2 || w[0].Mode != "basic" || w[1].Mode != "all" || *w[0].Rows[0].Means[0] != 1 {
		t.Fatalf("weighted %+v", w)
	}
	if got, want := *w[0].Rows[1].Means[0], (2*15./18+4*0.5)/6; math.Abs(got-want) > 1e-12 {
		t.Errorf("weighted mean %v, want %v", got, want)
	}
}

// TestRankRefuses repeats, runs that have nothing in common, and other editions.
func TestRankRefuses(t *testing.T) {
	one, two := verdicttest.SideOfScores("a", 1, 0), verdicttest.SideOfScores("bb", 1, 0)
	repeated := verdicttest.MakeSide("ccc", verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 8, 0), 0, 1), verdicttest.MakeRecord(1, verdicttest.MakeItem("copy", 8, 0), 1, 1))
	other := verdicttest.MakeSide("dddd", verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 9, 0), 0, 1), verdicttest.MakeRecord(1, verdicttest.MakeItem("copy", 9, 1), 0, 1))
	paper := verdicttest.SideOfScores("eeeee", 1, 0)
	paper.Run.Plan.Edition = verbatim.Paper
	for field, s := range map[string]verdict.Side{"trials": repeated, "items": other, "edition": paper, "run": one} {
		_, err := autorank.Rank([]verdict.Side{one, s}, rankOptions())
		var r *verdict.Refusal
		if !errors.As(err, &r) || r.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := autorank.Rank([]verdict.Side{one, two}, rankOptions()); err != nil {
		t.Error(err)
	}
}

// TestManyLengths wants no table of lengths that have only an item or two, and a
// bounded number of cells whatever facts items have.
func TestManyLengths(t *testing.T) {
	var records []verbatim.Record
	for i := range 10_000 {
		it := verdicttest.MakeItem("copy", 0, i)
		it.Facts[verbatim.FactLength] = strconv.Itoa(i + 1)
		records = append(records, verdicttest.MakeRecord(i, it, 0, float64(i%2)))
	}
	c := verdicttest.Compare(t, verdicttest.MakeSide("a", records[:60]...), verdicttest.MakeSide("bb", records[:60]...), verdicttest.SmallOptions())
	if len(c.Lengths) != 0 || len(c.Cells) != 60 || !verdicttest.HasNote(c.Notes, "lengths") || c.Difference.Stratified != "none" {
		t.Errorf("%d rows of lengths, %d cells, by %s, notes %v", len(c.Lengths), len(c.Cells), c.Difference.Stratified, c.Notes)
	}
	c = verdicttest.Compare(t, verdicttest.MakeSide("a", records...), verdicttest.MakeSide("bb", records...), verdicttest.SmallOptions())
	if len(c.Cells) > 5000 || c.Items != 10_000 {
		t.Errorf("%d cells of %d items", len(c.Cells), c.Items)
	}
}

// TestOptionsWithoutMeaning are refused.
func TestOptionsWithoutMeaning(t *testing.T) {
	for name, change := range map[string]func(*verdict.Options){
		"rope":       func(o *verdict.Options) { o.Rope = -0.1 },
		"rope 1.1":   func(o *verdict.Options) { o.Rope = 1.1 },
		"NaN":        func(o *verdict.Options) { o.Rope = math.NaN() },
		"threshold":  func(o *verdict.Options) { o.Threshold = 0.4 },
		"confidence": func(o *verdict.Options) { o.Confidence = 1 },
		"unanswered": func(o *verdict.Options) { o.MaxUnanswered = 2 },
		"gap":        func(o *verdict.Options) { o.MaxTruncatedGap = -1 },
		"score":      func(o *verdict.Options) { o.Score = nil },
	} {
		o := verdicttest.SmallOptions()
		change(&o)
		if _, err := verdict.Compare(verdicttest.SideOfScores("a", 1), verdicttest.SideOfScores("bb", 1), o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
