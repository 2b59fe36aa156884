package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/stats/ranks"
)

// A rankPopulation is some runs with known true means, and how their scores are drawn.
type rankPopulation struct {
	name  string
	means []float64
	items int
	// draw calls add for each item, with its cell and the score of each run.
	draw func(r *rand.Rand, add func(cell int, x []float64))
}

// exactRuns are right and wrong answers. Half of the items are right for all runs. On the others, run i
// is right with the probability that gives its mean.
func exactRuns(name string, items int, means []float64) rankPopulation {
	return rankPopulation{name, means, items, func(r *rand.Rand, add func(cell int, x []float64)) {
		x := make([]float64, len(means))
		for range items {
			easy := r.IntN(2) == 0
			for i, m := range means {
				x[i] = indicator(easy || r.Float64() < 2*m-1)
			}
			add(0, x)
		}
	}}
}

// publishedRuns are runs that draw scores of model a, each with its own probability of
// drawing from model b instead. Up to 180 items are of random cells; more are ten of each
// cell.
func publishedRuns(s *scores, name string, items int, a, b string, chances []float64) rankPopulation {
	f := rankPopulation{name: name, items: items}
	lower, upper := mean(s.byModel[a]), mean(s.byModel[b])
	for _, p := range chances {
		f.means = append(f.means, lower+p*(upper-lower))
	}
	f.draw = func(r *rand.Rand, add func(cell int, x []float64)) {
		x := make([]float64, len(chances))
		for i := range items {
			from, cell := r.IntN(s.items()/lists), 0
			if items == s.items() {
				from, cell = i/lists, i/lists
			}
			for k, p := range chances {
				of := s.byModel[a]
				if r.Float64() < p {
					of = s.byModel[b]
				}
				x[k] = of[from*lists+r.IntN(lists)]
			}
			add(cell, x)
		}
	}
	return f
}

// evenlySpaced returns k numbers, starting with first.
func evenlySpaced(k int, first, step float64) []float64 {
	list := make([]float64, k)
	for i := range list {
		list[i] = first + step*float64(i)
	}
	return list
}

// rankPopulations lists the populations for a number of runs and items.
func rankPopulations(l *simulator, k, items int) []rankPopulation {
	// A quarter of the standard error of a difference leaves the order open.
	step := .1 / math.Sqrt(float64(items))
	all := []rankPopulation{
		exactRuns("exact answers, all equal", items, evenlySpaced(k, .85, 0)),
		exactRuns("exact answers, nearly equal", items, evenlySpaced(k, .85, step)),
		exactRuns("exact answers, two equal and the others apart", items, append(evenlySpaced(2, .9, 0), evenlySpaced(k-2, .55, .3/float64(k))...)),
		exactRuns("exact answers, 2 % wrong, all equal", items, evenlySpaced(k, .98, 0)),
	}
	if l.scores == nil {
		return all
	}
	return append(all,
		publishedRuns(l.scores, "Llama-3.1, all equal", items, "Llama-3.1", "o3-mini", evenlySpaced(k, 0, 0)),
		publishedRuns(l.scores, "Llama-3.1 towards o3-mini, nearly equal", items, "Llama-3.1", "o3-mini", evenlySpaced(k, 0, .5/math.Sqrt(float64(items)))),
		publishedRuns(l.scores, "GPT-4o towards o3-mini, two equal and the others apart", items, "GPT-4o", "o3-mini", append([]float64{0, 0}, evenlySpaced(k-2, .2, .1)...)),
		publishedRuns(l.scores, "o3-mini, all equal", items, "o3-mini", "GPT-4o", evenlySpaced(k, 0, 0)))
}

// trueRanks returns the best and the worst rank of each run: runs with equal means share
// theirs.
func (f *rankPopulation) trueRanks() (best, worst []int) {
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
func (f *rankPopulation) joint(r *rand.Rand) *ranks.Posterior {
	v := ranks.NewScores(len(f.means))
	f.draw(r, func(cell int, x []float64) { must(v.Add(cell, x)) })
	return mustValue(v.Posterior(len(v.Cells()) > 1, nil))
}

// rankCoverage simulates simultaneous rank intervals.
func rankCoverage(l *simulator) section {
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
		for _, items := range subset(l, 2, []int{20, 60, 180, 1440}) {
			for _, f := range subset(l, 3, rankPopulations(l, k, items)) {
				best, worst := f.trueRanks()
				e := l.repeat(fmt.Sprintf("ranks/%s/%d/%d", f.name, k, items), rankRuns(k, items), 3, func(r *rand.Rand, out []float64) {
					out[0] = 1
					for i, span := range ranks.Intervals(pairs(f.joint(r)), confidence) {
						addRankInterval(out, k, span.Low, span.High, best[i], worst[i])
					}
				})
				t.row(strconv.Itoa(k), strconv.Itoa(items), f.name, e[0].String(), e[1].percent(), fmt.Sprintf("%.1f", e[2].mean))
				s.atLeast(fmt.Sprintf("ranks of %d runs, %d items, %s: all held", k, items, f.name), e[0], .94)
			}
		}
	}
	s.tables = []table{t}
	if !l.short { // nothing is stated about it
		s.tables = append(s.tables, posteriorRanks(l))
	}
	return s
}

// addRankInterval adds the rank interval of one of k runs to the numbers of a simulated run: whether
// all intervals hold the true ranks, the share of those that do, and the mean number of ranks in one.
func addRankInterval(out []float64, k, low, high, best, worst int) {
	held := indicator(low <= best && worst <= high)
	out[0] = min(out[0], held)
	out[1] += held / float64(k)
	out[2] += float64(high-low+1) / float64(k)
}

// rankRuns returns the number of runs: fewer if a run takes longer.
func rankRuns(k, items int) int {
	switch {
	case items <= 60:
		return 1000
	case items <= 180 || k == 3:
		return 600
	}
	return 200
}

// pairs compares each run with those before it.
func pairs(j *ranks.Posterior) [][]ranks.Pair {
	p := make([][]ranks.Pair, len(j.Means()))
	for a := range p {
		for b := range a {
			p[a] = append(p[a], mustValue(j.Compare(a, b)))
		}
	}
	return p
}

// posteriorRanks simulates the ranks of a run in 95 % of draws.
func posteriorRanks(l *simulator) table {
	t := table{title: "Ranks in 95 % of draws from the posterior, which this program does not use", head: []string{"runs", "items", "scores", "all intervals hold", "one interval holds", "ranks in an interval"}}
	for _, k := range []int{3, 7} {
		for _, f := range rankPopulations(l, k, 60)[:3] {
			best, worst := f.trueRanks()
			e := l.repeat(fmt.Sprintf("ranks drawn/%s/%d", f.name, k), 200, 3, func(r *rand.Rand, out []float64) {
				out[0] = 1
				for i, p := range f.joint(r).RankProbabilities(1, 0) {
					low, high := centralRanks(p)
					addRankInterval(out, k, low, high, best[i], worst[i])
				}
			})
			t.row(strconv.Itoa(k), "60", f.name, e[0].String(), e[1].percent(), fmt.Sprintf("%.1f", e[2].mean))
		}
	}
	return t
}

// centralRanks returns the ranks without 2.5 % at either end.
func centralRanks(p []float64) (low, high int) {
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
