package ranks

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"

	"verbatim/internal/stats"
)

// RankProbabilities draws means from the posterior and returns how often each run had each
// rank: p[run][rank-1], each row and each column adding up to 1.
//
// There are 4,000 draws at least and 20,000 at most, fewer where each costs more:
// a probability is off by 0.008 (standard error) at the worst, by 0.002 near 0 and
// 1. Fewer are made where most, if it is above 0, is below that. Seed 0 is 1. The draws
// depend on the seed and on the runs' order that Posterior was given, not on the number of
// cores.
func (j *Posterior) RankProbabilities(seed uint64, most int) [][]float64 {
	return rankDraws(limited(j.draws(), most), j.width, seed, func() func(r *rand.Rand, means []float64) { return j.drawer() }, j.order)
}

// IndependentRankProbabilities does the same for runs that answered items of their own, each
// with the posterior of its one mean.
func IndependentRankProbabilities(runs []*Posterior, seed uint64, most int) [][]float64 {
	draws, order := mostRankDraws, make([]int, len(runs))
	for i, r := range runs {
		draws, order[i] = min(draws, max(leastRankDraws, r.draws()/len(runs))), i
	}
	return rankDraws(limited(draws, most), len(runs), seed, func() func(r *rand.Rand, means []float64) {
		each := make([]func(r *rand.Rand, means []float64), len(runs))
		for i, run := range runs {
			each[i] = run.drawer()
		}
		return func(r *rand.Rand, means []float64) {
			for i := range each {
				each[i](r, means[i:i+1])
			}
		}
	}, order)
}

const (
	leastRankDraws = 4000
	mostRankDraws  = 20_000
	rankWork       = 80_000_000 // steps that the draws may take where they need not be the least of them
	rankBatch      = 250        // draws that share a stream of random numbers
)

// draws is how many are made.
func (j *Posterior) draws() int {
	each := (len(j.atoms) + 1) * (j.width + 8)
	return min(mostRankDraws, max(leastRankDraws, rankWork/each))
}

// limited is a number of draws in whole batches, one at least.
func limited(draws, most int) int {
	if most > 0 {
		draws = min(draws, most)
	}
	return max(1, draws/rankBatch) * rankBatch
}

// rankDraws counts ranks in draws of means. A drawer is made for every worker.
func rankDraws(draws, width int, seed uint64, newDrawer func() func(r *rand.Rand, means []float64), order []int) [][]float64 {
	if seed == 0 {
		seed = 1
	}
	workers := min(runtime.GOMAXPROCS(0), draws/rankBatch)
	counts := make([][]int64, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			count, draw := make([]int64, width*width), newDrawer()
			means, best := make([]float64, width), make([]int, width)
			for i := range best {
				best[i] = i
			}
			for batch := w; batch < draws/rankBatch; batch += workers {
				r := rand.New(rand.NewPCG(seed, uint64(batch)))
				for range rankBatch {
					draw(r, means)
					byMean(best, means)
					for rank, i := range best {
						count[i*width+rank]++
					}
				}
			}
			counts[w] = count
		})
	}
	group.Wait()
	p := make([][]float64, width)
	for i, run := range order {
		p[run] = make([]float64, width)
		for rank := range width {
			n := int64(0)
			for _, c := range counts {
				n += c[i*width+rank]
			}
			p[run][rank] = float64(n) / float64(draws)
		}
	}
	return p
}

// byMean sorts indexes by the greatest mean first; they are nearly sorted from the
// draw before.
func byMean(list []int, means []float64) {
	for i := 1; i < len(list); i++ {
		x := list[i]
		k := i
		for ; k > 0 && means[list[k-1]] < means[x]; k-- {
			list[k] = list[k-1]
		}
		list[k] = x
	}
}

// drawer returns a function that draws means, in the order of the Posterior's runs. It
// is for one goroutine.
func (j *Posterior) drawer() func(r *rand.Rand, means []float64) {
	if j.atoms == nil {
		return j.normalDrawer()
	}
	flat, weights := make([]float64, 0, len(j.atoms)*j.width), make([]float64, 0, len(j.atoms))
	for _, a := range j.atoms {
		flat, weights = append(flat, a.x...), append(weights, a.weight)
	}
	return func(r *rand.Rand, means []float64) {
		clear(means)
		mass := cornerDraw(r, means)
		for i := range weights {
			g := 0.0
			if weight := weights[i]; weight == 1 {
				g = r.ExpFloat64()
			} else {
				g = stats.DrawGamma(r, weight)
			}
			mass += g
			for k, x := range flat[i*j.width : (i+1)*j.width] {
				means[k] += g * x
			}
		}
		if j.width == 1 { // beside other runs; else only the order counts
			means[0] /= mass
		}
	}
}

// cornerDraw adds what the anchors have in a draw: a gamma weight that falls to
// corners of the cube in shares broken off a stick (Sethuraman 1994, Statistica
// Sinica 4:639–650), until what is left is nothing beside an item.
func cornerDraw(r *rand.Rand, means []float64) (mass float64) {
	extra := anchors(len(means))
	mass = stats.DrawGamma(r, extra)
	for rest := mass; rest > 1e-6; {
		share := rest
		if u := 1 - r.Float64(); extra == 2 {
			share *= 1 - math.Sqrt(u) // a Beta(1, 2) variable
		} else {
			share *= u
		}
		rest -= share
		for start := 0; start < len(means); start += 64 {
			for set := r.Uint64(); set != 0; set &= set - 1 {
				if k := start + bits.TrailingZeros64(set); k < len(means) {
					means[k] += share
				}
			}
		}
	}
	return mass
}

// normalDrawer draws from the normal limit, by the triangular root of the
// covariance (Cholesky).
func (j *Posterior) normalDrawer() func(r *rand.Rand, means []float64) {
	k := j.width
	root := make([]float64, k*k)
	for a := range k {
		for b := range a + 1 {
			s := j.covariance(j.order[a], j.order[b])
			for i := range b {
				s -= root[a*k+i] * root[b*k+i]
			}
			if a == b {
				root[a*k+a] = math.Sqrt(max(s, 0)) // the anchors keep it above 0
			} else if d := root[b*k+b]; d > 0 {
				root[a*k+b] = s / d
			}
		}
	}
	z := make([]float64, k)
	return func(r *rand.Rand, means []float64) {
		for i := range z {
			z[i] = r.NormFloat64()
		}
		for a := range k {
			m := j.centre[j.order[a]]
			for i, v := range root[a*k : a*k+a+1] {
				m += v * z[i]
			}
			means[a] = m
		}
	}
}
