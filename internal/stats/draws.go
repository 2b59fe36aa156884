package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
)

// RankProbabilities draws means from the posterior and returns how often each run had each
// rank: p[run][rank-1]. Each row and each column adds up to 1.
//
// There are 4,000 to 20,000 draws, fewer the more each one costs. The standard error of a
// probability is then at most 0.008, and at most 0.002 near 0 and 1. A limit above 0 is the
// maximum number of draws, in batches of 250. Seed 0 counts as 1. The draws depend on the
// seed and the order of runs, not on the number of cores.
func (j *ScorePosterior) RankProbabilities(seed uint64, limit int) [][]float64 {
	return countRanks(wholeBatches(j.drawCount(), limit), seed, j.drawer, j.order)
}

// IndependentRankProbabilities is RankProbabilities for runs that each answered items of
// their own. Each run has a posterior of one mean.
func IndependentRankProbabilities(runs []*ScorePosterior, seed uint64, limit int) [][]float64 {
	draws := maxDraws
	for _, r := range runs {
		draws = min(draws, max(minDraws, r.drawCount()/len(runs)))
	}
	newDrawer := func() drawer {
		each := make([]drawer, len(runs))
		for i, run := range runs {
			each[i] = run.drawer()
		}
		return func(r *rand.Rand, means []float64) {
			for i := range each {
				each[i](r, means[i:i+1])
			}
		}
	}
	return countRanks(wholeBatches(draws, limit), seed, newDrawer, identity(len(runs)))
}

// A drawer draws a mean for each run, in the order of the posterior. It is for one goroutine.
type drawer func(r *rand.Rand, means []float64)

const (
	minDraws   = 4000
	maxDraws   = 20_000
	drawBudget = 80_000_000 // operations for all draws, above minDraws
	batchSize  = 250        // draws with one stream of random numbers
)

// drawCount returns the number of draws.
func (j *ScorePosterior) drawCount() int {
	each := (len(j.vectors) + 1) * (j.width + 8)
	return min(maxDraws, max(minDraws, drawBudget/each))
}

// wholeBatches returns a number of draws in whole batches, at least one.
func wholeBatches(draws, limit int) int {
	if limit > 0 {
		draws = min(draws, limit)
	}
	return max(1, draws/batchSize) * batchSize
}

// countRanks returns how often each run has each rank in draws of the means. Every worker
// gets its own drawer, which draws the means in the given order of the runs.
func countRanks(draws int, seed uint64, newDrawer func() drawer, order []int) [][]float64 {
	width := len(order)
	if seed == 0 {
		seed = 1
	}
	workers := min(runtime.GOMAXPROCS(0), draws/batchSize)
	counts := make([][]int64, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			count, draw := make([]int64, width*width), newDrawer()
			means, best := make([]float64, width), identity(width)
			for batch := w; batch < draws/batchSize; batch += workers {
				r := rand.New(rand.NewPCG(seed, uint64(batch)))
				for range batchSize {
					draw(r, means)
					sortByMean(best, means)
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

// sortByMean sorts indexes by falling mean. Insertion sort is fast, because the sorting of
// the draw before is nearly right.
func sortByMean(list []int, means []float64) {
	for i := 1; i < len(list); i++ {
		x := list[i]
		k := i
		for ; k > 0 && means[list[k-1]] < means[x]; k-- {
			list[k] = list[k-1]
		}
		list[k] = x
	}
}

// drawer returns a new drawer of the means.
func (j *ScorePosterior) drawer() drawer {
	if j.vectors == nil {
		return j.normalDrawer()
	}
	flat, weights := make([]float64, 0, len(j.vectors)*j.width), make([]float64, 0, len(j.vectors))
	for _, a := range j.vectors {
		flat, weights = append(flat, a.x...), append(weights, a.weight)
	}
	return func(r *rand.Rand, means []float64) {
		clear(means)
		mass := drawAnchors(r, means)
		for i := range weights {
			g := 0.0
			if weight := weights[i]; weight == 1 {
				g = r.ExpFloat64()
			} else {
				g = DrawGamma(r, weight)
			}
			mass += g
			for k, x := range flat[i*j.width : (i+1)*j.width] {
				means[k] += g * x
			}
		}
		if j.width == 1 { // it is compared with other posteriors; otherwise only the order counts
			means[0] /= mass
		}
	}
}

// drawAnchors adds the anchors of a draw: a gamma weight that is distributed over corners
// of the cube by stick breaking (Sethuraman 1994, Statistica Sinica 4:639–650), until the
// rest is negligible compared with an item.
func drawAnchors(r *rand.Rand, means []float64) (mass float64) {
	extra := anchorWeight(len(means))
	mass = DrawGamma(r, extra)
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

// normalDrawer is drawer for the normal limit, by the Cholesky factor of the covariance.
func (j *ScorePosterior) normalDrawer() drawer {
	k := j.width
	root := make([]float64, k*k)
	for a := range k {
		for b := range a + 1 {
			s := j.covariance(j.order[a], j.order[b])
			for i := range b {
				s -= root[a*k+i] * root[b*k+i]
			}
			if a == b {
				root[a*k+a] = math.Sqrt(max(s, 0)) // above 0 because of the anchors
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
