package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

// vectors makes a collection of drawn vectors, n in each of some cells.
func vectors(t testing.TB, width, cells, n int, draw func(cell int, x []float64)) *stats.RankScores {
	t.Helper()
	v, x := stats.NewRankScores(width), make([]float64, width)
	for range n {
		for c := range cells {
			draw(c, x)
			if err := v.Add(c, x); err != nil {
				t.Fatal(err)
			}
		}
	}
	return v
}

// rough draws scores of runs of rising skill that share the difficulty of an item: many
// are right, the others are hundredths.
func rough(r *rand.Rand) func(cell int, x []float64) {
	return func(cell int, x []float64) {
		hard := 0.1 + 0.1*float64(cell%5) + 0.2*r.Float64()
		for i := range x {
			if x[i] = 1; r.Float64() < hard-0.02*float64(i) {
				x[i] = math.Round(100*r.Float64()) / 100
			}
		}
	}
}

// exactly draws right and wrong answers.
func exactly(r *rand.Rand) func(cell int, x []float64) {
	return func(cell int, x []float64) {
		hard := r.Float64()
		for i := range x {
			x[i] = 0
			if r.Float64() > 0.5*hard-0.01*float64(i) {
				x[i] = 1
			}
		}
	}
}

func joint(t testing.TB, v *stats.RankScores, stratified bool) *stats.ScorePosterior {
	t.Helper()
	j, err := v.Posterior(stratified, nil)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func ahead(t testing.TB, j *stats.ScorePosterior, a, b int) float64 {
	t.Helper()
	p, err := j.Ahead(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestJointAgreesWithDifferences: of any two runs the joint posterior says what the
// posterior of their differences says, to the last digits.
func TestJointAgreesWithDifferences(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		width, cells, n := rapid.IntRange(2, 5).Draw(rt, "runs"), rapid.IntRange(1, 4).Draw(rt, "cells"), rapid.IntRange(2, 12).Draw(rt, "items")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		draw := rapid.SampledFrom([]func(*rand.Rand) func(int, []float64){rough, exactly}).Draw(rt, "scores")(r)
		v, d := stats.NewRankScores(width), make([]stats.Strata, width)
		x := make([]float64, width)
		for range n {
			for c := range cells {
				draw(c, x)
				if err := v.Add(c, x); err != nil {
					rt.Fatal(err)
				}
				for i := 1; i < width; i++ {
					if err := d[i].Add(c, x[i]-x[0]); err != nil {
						rt.Fatal(err)
					}
				}
			}
		}
		stratified := rapid.Bool().Draw(rt, "stratified")
		j := joint(t, v, stratified)
		for i := 1; i < width; i++ {
			p, err := d[i].Posterior()
			if stratified {
				p, err = d[i].StratifiedPosterior()
			}
			if err != nil {
				rt.Fatal(err)
			}
			got, back := ahead(t, j, i, 0), ahead(t, j, 0, i)
			if math.Abs(got-p.Above(0)) > 1e-9 || got+back != 1 {
				rt.Fatalf("P(run %d ahead of run 0) is %v and the other way %v, the differences say %v", i, got, back, p.Above(0))
			}
		}
	})
}

// TestRanksAgreeWithAhead: of two runs the first rank is being ahead, and of more the
// mean rank is one and the sum of those ahead.
func TestRanksAgreeWithAhead(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	for _, c := range []struct {
		name                string
		width, cells, items int
		draw                func(*rand.Rand) func(int, []float64)
	}{
		{"two, few", 2, 1, 12, exactly}, {"two", 2, 10, 10, rough}, {"three, few", 3, 2, 4, exactly}, {"seven", 7, 20, 10, rough}, {"many items", 3, 10, 1000, rough}, {"seventy", 70, 1, 4, exactly},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := vectors(t, c.width, c.cells, c.items, c.draw(rand.New(rand.NewPCG(3, 4))))
			j := joint(t, v, true)
			p := j.RankProbabilities(1, 0)
			for run := range p {
				sum, mean, want := 0.0, 0.0, 1.0
				for rank, x := range p[run] {
					sum += x
					mean += x * float64(rank+1)
				}
				for other := range p {
					if other != run {
						want += ahead(t, j, other, run)
					}
				}
				if math.Abs(sum-1) > 1e-9 || math.Abs(mean-want) > 0.01*float64(c.width) {
					t.Errorf("run %d: probabilities add up to %v, mean rank %v, want %v", run, sum, mean, want)
				}
			}
		})
	}
}

// TestNormalLimit: with many items the exact posterior and its normal limit say the
// same.
func TestNormalLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	const width = 4
	for _, d := range []struct{ cells, items int }{{12, 120}, {400, 2}} {
		v := vectors(t, width, d.cells, d.items, exactly(rand.New(rand.NewPCG(8, 9))))
		coarse := stats.MomentsOnly(vectors(t, width, d.cells, d.items, exactly(rand.New(rand.NewPCG(8, 9)))))
		for _, stratified := range []bool{true, false} {
			exact, normal := joint(t, v, stratified), joint(t, coarse, stratified)
			if !stats.Exact(exact) || stats.Exact(normal) {
				t.Fatal("want one exact posterior and one by the normal limit")
			}
			p, q := exact.RankProbabilities(1, 0), normal.RankProbabilities(2, 0)
			for a := range width {
				for b := range width {
					if x, y := ahead(t, exact, a, b), ahead(t, normal, a, b); math.Abs(x-y) > 0.003 {
						t.Errorf("%+v, stratified %v: P(%d ahead of %d) is %v exactly and %v by the normal limit", d, stratified, a, b, x, y)
					}
					if math.Abs(p[a][b]-q[a][b]) > 0.025 {
						t.Errorf("%+v, stratified %v: P(%d has rank %d) is %v exactly and %v by the normal limit", d, stratified, a, b+1, p[a][b], q[a][b])
					}
				}
			}
		}
	}
}

// TestVectorsOfAnySize: one vector too many leaves moments, and these say nearly the
// same of the runs.
func TestVectorsOfAnySize(t *testing.T) {
	for _, n := range []int{100, 400} { // in ten cells: 4,000 vectors of three runs are not too many
		v := vectors(t, 3, 10, n, func(cell int, x []float64) {
			for i := range x {
				x[i] = 0.5 + math.Sin(float64(7*n+13*cell+i))/3
			}
		})
		if !stats.Exact(joint(t, v, true)) {
			t.Errorf("%d equal vectors are too many", n)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	draw := func(_ int, x []float64) {
		for i := range x {
			x[i] = r.Float64() + 0.004*float64(i)
		}
	}
	v := vectors(t, 3, 10, 1000, draw)
	j := joint(t, v, true)
	if stats.Exact(j) {
		t.Fatal("10,000 different vectors are kept")
	}
	if v.N() != 10_000 || len(v.Cells()) != 10 || v.HasSingletons() {
		t.Errorf("%d items in cells %v", v.N(), v.Cells())
	}
	merged := v.Merge(func(cell int) int { return cell % 2 })
	if merged.N() != 10_000 || len(merged.Cells()) != 2 {
		t.Errorf("merged: %d items in cells %v", merged.N(), merged.Cells())
	}
	for i, m := range merged.Means() {
		if math.Abs(m-v.Means()[i]) > 1e-12 || math.Abs(m-j.Means()[i]) > 1e-12 {
			t.Errorf("mean %d is %v, merged %v", i, v.Means()[i], m)
		}
	}
	// Without cells the posterior is that of all vectors alike, whichever way.
	one := v.Merge(func(int) int { return 0 })
	for a := range 3 {
		for b := range a {
			if x, y := ahead(t, joint(t, v, false), a, b), ahead(t, joint(t, one, false), a, b); math.Abs(x-y) > 1e-9 {
				t.Errorf("P(%d ahead of %d) is %v over ten cells and %v over one", a, b, x, y)
			}
		}
	}
}

// TestJointOrders: neither the order of the items nor that of the runs changes what
// is said of them.
func TestJointOrders(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	const width = 5
	var items [][]float64
	draw := rough(rand.New(rand.NewPCG(21, 22)))
	for i := range 120 {
		x := make([]float64, width)
		draw(i%6, x)
		items = append(items, x)
	}
	made := func(places []int, runs []int) *stats.ScorePosterior {
		v := stats.NewRankScores(width)
		for _, i := range places {
			x := make([]float64, width)
			for at, run := range runs {
				x[at] = items[i][run]
			}
			if err := v.Add(i%6, x); err != nil {
				t.Fatal(err)
			}
		}
		order := make([]int, width)
		for at, run := range runs {
			order[run] = at
		}
		j, err := v.Posterior(true, order)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	r := rand.New(rand.NewPCG(2, 2))
	runs := []int{3, 0, 4, 1, 2}
	first := made(whole(120), []int{0, 1, 2, 3, 4})
	second := made(r.Perm(120), runs)
	p, q := first.RankProbabilities(7, 0), second.RankProbabilities(7, 0)
	for at, run := range runs {
		if !slices.Equal(p[run], q[at]) {
			t.Errorf("run %d: ranks %v, in another order %v", run, p[run], q[at])
		}
	}
	if other := first.RankProbabilities(8, 0); slices.Equal(other[0], p[0]) {
		t.Error("another seed draws the same")
	}
}

// whole lists all positions.
func whole(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func TestJointEdges(t *testing.T) {
	if _, err := stats.NewRankScores(3).Posterior(false, nil); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("no items: %v", err)
	}
	v := stats.NewRankScores(2)
	for _, bad := range [][]float64{{1}, {1, 2, 3}, {math.NaN(), 0}, {0, math.Inf(1)}} {
		if err := v.Add(0, bad); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
	if err := v.Add(0, []float64{1, 0}); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Posterior(true, nil); !errors.Is(err, stats.ErrSingleton) {
		t.Errorf("a cell of one item: %v", err)
	}
	// One item that only one run has right: 1.5 against 0.5.
	j := joint(t, v, false)
	if p := ahead(t, j, 0, 1); math.Abs(p-0.8183098861837907) > 1e-9 {
		t.Errorf("one item: %v", p)
	}
	// Of its normal limit the mean is 1/3 and the variance (2/3 - 1/9)/4.
	if p, want := ahead(t, joint(t, stats.MomentsOnly(v), false), 0, 1), 0.5*math.Erfc(-1/3./math.Sqrt(2*(2/3.-1/9.)/4)); math.Abs(p-want) > 1e-12 {
		t.Errorf("the normal limit of one item: %v, want %v", p, want)
	}
	if p := ahead(t, j, 0, 0); p != 0.5 {
		t.Errorf("ahead of itself: %v", p)
	}
	// All runs always right: no run is ahead, and all ranks are equally likely.
	same := vectors(t, 4, 3, 20, func(_ int, x []float64) {
		for i := range x {
			x[i] = 1
		}
	})
	j = joint(t, same, true)
	for a, p := range j.RankProbabilities(1, 0) {
		for rank, x := range p {
			if math.Abs(x-0.25) > 0.02 {
				t.Errorf("run %d has rank %d with %v", a, rank+1, x)
			}
		}
		if a > 0 && math.Abs(ahead(t, j, a, 0)-0.5) > 1e-9 {
			t.Errorf("run %d is ahead with %v", a, ahead(t, j, a, 0))
		}
	}
}

// TestIndependentRanks: of two runs with items of their own, right and wrong, the
// posterior is that of two shares.
func TestIndependentRanks(t *testing.T) {
	share := func(right, of int) *stats.ScorePosterior {
		v := stats.NewRankScores(1)
		for i := range of {
			if err := v.Add(0, []float64{score(i < right)}); err != nil {
				t.Fatal(err)
			}
		}
		return joint(t, v, false)
	}
	for _, c := range []struct {
		a, b *stats.ScorePosterior
		want float64 // P(Beta > Beta) with Jeffreys' prior
		few  bool    // too few for the normal limit
	}{
		{share(10, 20), share(10, 20), 0.5, false},
		{share(20, 20), share(10, 20), 1, false},
		{share(50, 100), share(40, 100), 0.9224, false},
		{share(3, 3), share(2, 3), 0.8455, true},
	} {
		p := stats.IndependentRankProbabilities([]*stats.ScorePosterior{c.a, c.b}, 1, 0)
		if math.Abs(p[0][0]-c.want) > 0.012 || math.Abs(p[0][0]-p[1][1]) > 1e-9 {
			t.Errorf("%v: want %v", p, c.want)
		}
		if q := stats.CompareIndependent(c.a, c.b).Ahead; math.Abs(q-c.want) > 0.01 && !c.few {
			t.Errorf("ahead with %v, want %v", q, c.want)
		}
	}
}

func score(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

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
		if l, least := lead(m, 0, 100), min(1, math.Exp2(1-float64(m))); l.PValue < least-1e-12 || l.PValue > min(1, max(least, 2*(1-l.Ahead)))+1e-12 {
			t.Errorf("%d of %d items: doubt %v, ahead %v", m, m, l.PValue, l.Ahead)
		}
	}
	if l := lead(9, 1, 100); math.Abs(l.PValue-stats.SignTest(9, 1)) > 1e-12 || l.PValue < 2*(1-l.Ahead) {
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

// Three runs answered the same 40 items. The second has five more right than the first,
// and the third only half of them.
func ExampleRankScores_Posterior() {
	v := stats.NewRankScores(3)
	for i := range 40 {
		x := []float64{score(i < 30), score(i < 35), score(i%2 == 0)}
		if err := v.Add(0, x); err != nil {
			fmt.Println(err)
			return
		}
	}
	j, err := v.Posterior(false, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var leads [][]stats.RankPair
	for a := range 3 {
		leads = append(leads, nil)
		for b := range a {
			l, err := j.Compare(a, b)
			if err != nil {
				fmt.Println(err)
				return
			}
			leads[a] = append(leads[a], l)
			fmt.Printf("run %d is ahead of run %d with probability %.3f; p-value %.3f\n", a, b, l.Ahead, l.PValue)
		}
	}
	for run, s := range stats.RankIntervals(leads, 0.95) {
		fmt.Printf("run %d has a rank from %d to %d\n", run, s.Low, s.High)
	}
	// Output:
	// run 1 is ahead of run 0 with probability 0.993; p-value 0.062
	// run 2 is ahead of run 0 with probability 0.011; p-value 0.041
	// run 2 is ahead of run 1 with probability 0.000; p-value 0.001
	// run 0 has a rank from 1 to 3
	// run 1 has a rank from 1 to 2
	// run 2 has a rank from 2 to 3
}
