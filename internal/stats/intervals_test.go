package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

func TestRankSpans(t *testing.T) {
	sure, open := stats.RankPair{Ahead: 0.99999, PValue: 0.00002}, stats.RankPair{Ahead: 0.6, PValue: 0.8}
	behind := stats.RankPair{Ahead: 0.00001, PValue: 0.00002}
	for _, c := range []struct {
		name      string
		lead      [][]stats.RankPair // of the second, the third … compared with those before them
		low, high []int
		tied      [][]int
	}{
		{"one run", [][]stats.RankPair{nil}, []int{1}, []int{1}, [][]int{nil}},
		{"two, nothing known", [][]stats.RankPair{nil, {open}}, []int{1, 1}, []int{2, 2}, [][]int{{1}, {0}}},
		{"two, the second ahead", [][]stats.RankPair{nil, {sure}}, []int{2, 1}, []int{2, 1}, [][]int{nil, nil}},
		{"three in a row", [][]stats.RankPair{nil, {behind}, {behind, behind}}, []int{1, 2, 3}, []int{1, 2, 3}, [][]int{nil, nil, nil}},
		{"the middle is open", [][]stats.RankPair{nil, {open}, {behind, open}}, []int{1, 1, 2}, []int{2, 3, 3}, [][]int{{1}, {0, 2}, {1}}},
	} {
		spans := stats.RankIntervals(c.lead, 0.95)
		for i, s := range spans {
			if s.Low != c.low[i] || s.High != c.high[i] || !slices.Equal(s.Indistinguishable, c.tied[i]) {
				t.Errorf("%s: run %d has %+v, want %d to %d, tied with %v", c.name, i, s, c.low[i], c.high[i], c.tied[i])
			}
		}
	}
	// Of 21 pairs one with a doubt of 0.003 is not certain, and of 3 it is.
	for runs, want := range map[int]bool{7: false, 3: true} {
		var lead [][]stats.RankPair
		for a := range runs {
			lead = append(lead, slices.Repeat([]stats.RankPair{{Ahead: 0.5, PValue: 1}}, a))
		}
		lead[1][0] = stats.RankPair{Ahead: 0.0015, PValue: 0.003}
		if different := stats.RankIntervals(lead, 0.95)[0].High < runs; different != want {
			t.Errorf("of %d runs: different is %v", runs, different)
		}
	}
}

// TestFewItemsThatDiffer: no verdict is given that the sign test does not allow.
func TestFewItemsThatDiffer(t *testing.T) {
	lead := func(one, other, ties int) stats.RankPair {
		v := stats.NewRankScores(2)
		for i := range one + other + ties {
			x := []float64{1, 1}
			if i < one {
				x[1] = 0
			} else if i < one+other {
				x[0] = 0
			}
			if err := v.Add(0, x); err != nil {
				t.Fatal(err)
			}
		}
		l, err := joint(t, v, false).Compare(0, 1)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for m := range 12 {
		if l, least := lead(m, 0, 100), min(1, math.Exp2(1-float64(m))); l.PValue < least || l.PValue > min(1, max(least, 2*(1-l.Ahead)))+1e-12 {
			t.Errorf("%d of %d items: doubt %v, ahead %v", m, m, l.PValue, l.Ahead)
		}
	}
	if l := lead(9, 1, 100); math.Abs(l.PValue-2*(1-l.Ahead)) > 1e-12 || l.PValue < math.Exp2(-9) {
		t.Errorf("nine against one: doubt %v, ahead %v", l.PValue, l.Ahead)
	}
	if l := lead(0, 0, 100); math.Abs(l.Ahead-0.5) > 1e-12 || l.PValue != 1 {
		t.Errorf("all ties: %+v", l)
	}
	if a, b := lead(8, 3, 5), lead(3, 8, 5); math.Abs(a.PValue-b.PValue) > 1e-12 || math.Abs(a.Ahead+b.Ahead-1) > 1e-12 {
		t.Errorf("%+v, and mirrored %+v", a, b)
	}
}

// TestIntervalsProperties: a run's mean always has a rank in its interval, indistinguishable is
// symmetric, and intervals of different runs do not overlap.
func TestIntervalsProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.IntRange(2, 6).Draw(rt, "runs")
		draw := exactly(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1)))
		lift := rapid.Float64Range(0, 0.3).Draw(rt, "lift")
		luck := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "luck"), 2))
		v := vectors(t, width, 1, rapid.IntRange(1, 60).Draw(rt, "items"), func(cell int, x []float64) {
			draw(cell, x)
			for i := range x {
				if luck.Float64() < lift*float64(i) {
					x[i] = 1
				}
			}
		})
		j := joint(t, v, false)
		var lead [][]stats.RankPair
		for a := range width {
			lead = append(lead, nil)
			for b := range a {
				l, err := j.Compare(a, b)
				if err != nil {
					rt.Fatal(err)
				}
				lead[a] = append(lead[a], l)
			}
		}
		means := j.Means()
		spans := stats.RankIntervals(lead, 0.95)
		for i, s := range spans {
			ahead, level := 0, 0
			for k, m := range means {
				if m > means[i] {
					ahead++
				} else if k != i && m == means[i] {
					level++
				}
			}
			if s.Low > ahead+1 || s.High < ahead+level+1 {
				rt.Fatalf("run %d of %v has ranks %d to %d", i, means, s.Low, s.High)
			}
			for _, o := range s.Indistinguishable {
				if !slices.Contains(spans[o].Indistinguishable, i) {
					rt.Fatalf("%d is tied with %d and not the other way", i, o)
				}
			}
			if s.High-s.Low != len(s.Indistinguishable) {
				rt.Fatalf("run %d has ranks %d to %d and is tied with %v", i, s.Low, s.High, s.Indistinguishable)
			}
		}
	})
}
