package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/stats/ranks"
)

// A field is some runs whose true means are known, and what they give for items.
type field struct {
	name  string
	means []float64
	items int
	// draw fills in the items' cells and scores; -1 for a cell is that of an item that
	// stands alone.
	draw func(r *rand.Rand, add func(cell int, x []float64))
}

// exactField is right and wrong answers. Half of the items everybody has right; to
// the others run i is right as often as its mean asks for.
func exactField(name string, items int, means []float64) field {
	return field{name, means, items, func(r *rand.Rand, add func(cell int, x []float64)) {
		x := make([]float64, len(means))
		for range items {
			easy := r.IntN(2) == 0
			for i, m := range means {
				x[i] = one(easy || r.Float64() < 2*m-1)
			}
			add(0, x)
		}
	}}
}

// publishedField is runs that all give scores of model a of the cell of an item, each
// with its own chance of giving one of model b instead. Up to 180 items are of any cell,
// and more are ten of each.
func publishedField(s *scores, name string, items int, a, b string, chances []float64) field {
	f := field{name: name, items: items}
	lower, upper := mean(s.of[a]), mean(s.of[b])
	for _, p := range chances {
		f.means = append(f.means, lower+p*(upper-lower))
	}
	f.draw = func(r *rand.Rand, add func(cell int, x []float64)) {
		x := make([]float64, len(chances))
		for i := range items {
			cell := r.IntN(s.items() / lists)
			if items == s.items() {
				cell = i / lists
			}
			for k, p := range chances {
				of := s.of[a]
				if r.Float64() < p {
					of = s.of[b]
				}
				x[k] = of[cell*lists+r.IntN(lists)]
			}
			if items == s.items() {
				add(cell, x)
			} else {
				add(0, x)
			}
		}
	}
	return f
}

// spaced returns k means or chances, the first the least.
func spaced(k int, first, step float64) []float64 {
	list := make([]float64, k)
	for i := range list {
		list[i] = first + step*float64(i)
	}
	return list
}

// fields lists what is tried with so many runs of so many items.
func fields(l *lab, k, items int) []field {
	// A quarter of the standard error of a difference leaves the order open.
	step := .1 / math.Sqrt(float64(items))
	all := []field{
		exactField("exact answers, all equal", items, spaced(k, .85, 0)),
		exactField("exact answers, nearly equal", items, spaced(k, .85, step)),
		exactField("exact answers, two equal and the others apart", items, append(spaced(2, .9, 0), spaced(k-2, .55, .3/float64(k))...)),
		exactField("exact answers, 2 % wrong, all equal", items, spaced(k, .98, 0)),
	}
	if l.scores == nil {
		return all
	}
	return append(all,
		publishedField(l.scores, "Llama-3.1, all equal", items, "Llama-3.1", "o3-mini", spaced(k, 0, 0)),
		publishedField(l.scores, "Llama-3.1 towards o3-mini, nearly equal", items, "Llama-3.1", "o3-mini", spaced(k, 0, .5/math.Sqrt(float64(items)))),
		publishedField(l.scores, "GPT-4o towards o3-mini, two equal and the others apart", items, "GPT-4o", "o3-mini", append([]float64{0, 0}, spaced(k-2, .2, .1)...)),
		publishedField(l.scores, "o3-mini, all equal", items, "o3-mini", "GPT-4o", spaced(k, 0, 0)))
}

// trueRanks returns the best and the worst rank that each run has: runs with equal
// means share theirs.
func (f *field) trueRanks() (best, worst []int) {
	for _, m := range f.means {
		ahead, equal := 0, 0
		for _, other := range f.means {
			if other > m+1e-12 {
				ahead++
			} else if other >= m-1e-12 {
				equal++
			}
		}
		best, worst = append(best, ahead+1), append(worst, ahead+equal)
	}
	return best, worst
}

// joint draws the items and returns the posterior of the means.
func (f *field) joint(r *rand.Rand) *ranks.Posterior {
	v := ranks.NewScores(len(f.means))
	f.draw(r, func(cell int, x []float64) { must(v.Add(cell, x)) })
	return sure(v.Posterior(len(v.Cells()) > 1, nil))
}

// rankCoverage tries the intervals of ranks.
func rankCoverage(l *lab) section {
	s := section{title: "Ranks", text: `
A leaderboard gives every run a simultaneous rank interval, and says which runs are indistinguishable. Everything that one leaderboard says is meant to hold together in 95 % of cases. No run is then placed ahead of one that
it is equal to or behind. This is the same as: each interval holds the true rank of its run, and every rank that equal runs share.

- The hardest case is that all runs are equal.
- Runs that are nearly equal differ by about a quarter of the standard error of a difference from one to the next.
- Every pair of runs has a p-value from the posterior of its difference. If the two differ on m items, it is at least 2^(1−m), the smallest p-value of a two-sided sign test. Holm's correction covers all pairs.

The usual method takes the ranks that a run has in 95 % of draws from the posterior. This program does not use it. It does hold the rank of a run if the others are well apart. If runs are equal or nearly equal, a lucky one is seldom
last in these draws, although last may be its true rank.`}
	t := table{head: []string{"runs", "items", "scores", "all intervals hold", "one interval holds", "ranks in an interval"}}
	for _, k := range []int{3, 7} {
		for _, items := range some(l, 2, []int{20, 60, 180, 1440}) {
			for _, f := range some(l, 3, fields(l, k, items)) {
				best, worst := f.trueRanks()
				e := l.repeat(fmt.Sprintf("ranks/%s/%d/%d", f.name, k, items), rankRuns(k, items), 3, func(r *rand.Rand, out []float64) {
					out[0] = 1
					for i, span := range ranks.Intervals(leads(f.joint(r)), confidence) {
						held := one(span.Low <= best[i] && worst[i] <= span.High)
						out[0] = min(out[0], held)
						out[1] += held / float64(k)
						out[2] += float64(span.High-span.Low+1) / float64(k)
					}
				})
				t.row(strconv.Itoa(k), strconv.Itoa(items), f.name, e[0].String(), e[1].percent(), fmt.Sprintf("%.1f", e[2].mean))
				s.claims = append(s.claims, claim{fmt.Sprintf("ranks of %d runs, %d items, %s: all held", k, items, f.name), e[0], .94, true})
			}
		}
	}
	s.tables = []table{t}
	if !l.short { // nothing is claimed of it
		s.tables = append(s.tables, drawnRanks(l))
	}
	return s
}

// rankRuns is fewer where a run costs more.
func rankRuns(k, items int) int {
	switch {
	case items <= 60:
		return 1000
	case items <= 180 || k == 3:
		return 600
	}
	return 200
}

// leads compares every run with those before it.
func leads(j *ranks.Posterior) [][]ranks.Pair {
	p := make([][]ranks.Pair, len(j.Means()))
	for a := range p {
		for b := range a {
			p[a] = append(p[a], sure(j.Compare(a, b)))
		}
	}
	return p
}

// drawnRanks tries the ranks that a run has in 95 % of draws.
func drawnRanks(l *lab) table {
	t := table{title: "Ranks in 95 % of draws from the posterior, which this program does not use", head: []string{"runs", "items", "scores", "all intervals hold", "one interval holds", "ranks in an interval"}}
	for _, k := range []int{3, 7} {
		for _, f := range fields(l, k, 60)[:3] {
			best, worst := f.trueRanks()
			e := l.repeat(fmt.Sprintf("ranks drawn/%s/%d", f.name, k), 200, 3, func(r *rand.Rand, out []float64) {
				out[0] = 1
				for i, p := range f.joint(r).RankProbabilities(1, 0) {
					low, high := central(p)
					held := one(low <= best[i] && worst[i] <= high)
					out[0] = min(out[0], held)
					out[1] += held / float64(k)
					out[2] += float64(high-low+1) / float64(k)
				}
			})
			t.row(strconv.Itoa(k), "60", f.name, e[0].String(), e[1].percent(), fmt.Sprintf("%.1f", e[2].mean))
		}
	}
	return t
}

// central returns the ranks that are left when 2.5 % are taken off at either end.
func central(p []float64) (low, high int) {
	const tail = (1 - confidence) / 2
	low, high = 1, len(p)
	for sum := p[0]; sum < tail; sum += p[low-1] {
		low++
	}
	for sum := p[len(p)-1]; sum < tail; sum += p[high-1] {
		high--
	}
	return low, high
}
