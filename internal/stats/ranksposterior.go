package stats

import (
	"math"
	"slices"
)

// A Posterior is the joint posterior of the mean scores of several runs on fresh items
// like those that all of them answered. It is the Bayesian bootstrap (Rubin 1981, Annals
// of Statistics 9:130–134): Σ w_i x_i with the items' vectors of scores x and weights w ~
// Dirichlet(1, …, 1).
//
// Anchors allow for outcomes that were not seen, as in stats.Strata.Posterior. A weight of
// 2 is spread over the corners of the cube of scores: 2/2^k on each of the 2^k vectors of
// scores 0 and 1 of k runs. For two runs these are half an item at each of (0,0), (0,1),
// (1,0) and (1,1). For any number of runs, the difference of two has half an item at -1
// and half a one at 1, so that pairs do not depend on the other runs. A single run has
// half an item at 0 and at 1.
//
// If all vectors are kept (see Scores), only the number of draws is an approximation.
// Otherwise it is the normal distribution with the same mean and covariance, its limit for
// many items. It is safe for concurrent use.
type ScorePosterior struct {
	width         int
	order         []int // of the runs, in vectors
	mean          []float64
	total         float64 // weight, anchors included
	disagreements []int64 // as those of Scores

	vectors []weightedVector // see stratifiedVectors; nil if only the normal limit is known
	centre  []float64        // of the posterior
	cov     []float64        // lower triangle
}

// ScorePosterior returns the joint posterior of the means. If stratified, the number of items
// of each cell is fixed by design, and vectors are moved as differences are in
// stats.Strata.StratifiedPosterior. A cell with one item then gives stats.ErrSingleton.
// Without an item the error is stats.ErrNoData.
//
// order lists the runs in the order in which random numbers are used; nil is the order of
// the scores. Another order changes results only by Monte Carlo error.
func (v *RankScores) Posterior(stratified bool, order []int) (*ScorePosterior, error) {
	if len(v.cells) == 0 {
		return nil, ErrNoData
	}
	if stratified && v.HasSingletons() {
		return nil, ErrSingleton
	}
	if order == nil {
		order = identity(v.width)
	}
	all := v.totalMoments()
	j := &ScorePosterior{width: v.width, order: slices.Clone(order), mean: all.mean, total: all.n + anchorWeight(v.width), disagreements: slices.Clone(v.disagreements)}
	if !v.momentsOnly {
		j.vectors = v.stratifiedVectors(stratified, all.mean, order)
	}
	j.setNormalLimit(v.crossProducts(stratified, all), all.n)
	return j, nil
}

// identity returns the indexes from 0 to n-1.
func identity(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// anchorWeight returns the total weight of the anchors.
func anchorWeight(width int) float64 {
	if width == 1 {
		return 1
	}
	return 2
}

// stratifiedVectors returns the vectors with runs in the given order, and equal vectors
// merged. If stratified, they are without the differences between cells.
func (v *RankScores) stratifiedVectors(stratified bool, mean []float64, order []int) []weightedVector {
	list := make([]weightedVector, 0, v.distinct)
	for _, cell := range v.Cells() {
		c := v.cells[cell]
		own, stretch := mean, 1.0
		if stratified {
			own, stretch = c.moments(v.width).mean, math.Sqrt(float64(c.n)/float64(c.n-1))
		}
		for x, n := range c.vectors(v.width) {
			w := weightedVector{make([]float64, v.width), float64(n)}
			for i, run := range order {
				w.x[i] = roundScore(mean[run] + (x[run]-own[run])*stretch)
			}
			list = append(list, w)
		}
	}
	return mergeEqualRanks(list)
}

// roundScore returns a score of usual size without its last digits. These depend on the
// order of summation. The order of the vectors, which decides which random numbers they
// get, must not.
func roundScore(x float64) float64 {
	const digits = 1 << 40
	if math.Abs(x) > 1<<12 {
		return x
	}
	return math.Round(x*digits) / digits
}

// crossProducts returns the sums of products of the vectors about their mean: of all
// vectors, or if stratified of those that stratifiedVectors returns.
func (v *RankScores) crossProducts(stratified bool, all moments) []float64 {
	if !stratified {
		return all.cross
	}
	sum := make([]float64, len(all.cross))
	for _, cell := range v.Cells() {
		c := v.cells[cell]
		stretch := float64(c.n) / float64(c.n-1)
		for i, s := range c.moments(v.width).cross {
			sum[i] += stretch * s
		}
	}
	return sum
}

// setNormalLimit computes the mean and covariance of the posterior. With Dirichlet weights
// they are the mean of the support, and its covariance divided by the total weight plus 1.
func (j *ScorePosterior) setNormalLimit(cross []float64, n float64) {
	extra := j.total - n
	j.centre = make([]float64, j.width)
	for i, m := range j.mean {
		j.centre[i] = (n*m + extra/2) / j.total
	}
	j.cov = make([]float64, len(cross))
	at := 0
	for a := range j.width {
		for b := range a + 1 {
			own := n * (j.mean[a] - j.centre[a]) * (j.mean[b] - j.centre[b])
			corner := extra * (0.5 - j.centre[a]) * (0.5 - j.centre[b])
			if a == b {
				corner += extra / 4
			}
			j.cov[at+b] = (cross[at+b] + own + corner) / j.total / (j.total + 1)
		}
		at += a + 1
	}
}

// covariance returns an element of the covariance matrix.
func (j *ScorePosterior) covariance(a, b int) float64 {
	if b > a {
		a, b = b, a
	}
	return j.cov[a*(a+1)/2+b]
}

// Means returns the observed mean of every run.
func (j *ScorePosterior) Means() []float64 { return slices.Clone(j.mean) }

// maxSDs is how many standard deviations a difference may be away from 0. Beyond it, the
// probability of the other sign is below 1e-6, even if few items carry the difference, and
// Ahead returns 0 or 1.
const maxSDs = 12

// Ahead returns the probability that the mean of run a is above that of run b. It is
// integrated to 1e-10 if the posterior is exact; nothing is sampled.
func (j *ScorePosterior) Ahead(a, b int) (float64, error) {
	if a == b {
		return 0.5, nil
	}
	gap := j.centre[a] - j.centre[b]
	sd := math.Sqrt(max(0, j.covariance(a, a)+j.covariance(b, b)-2*j.covariance(a, b)))
	switch {
	case gap > maxSDs*sd:
		return 1, nil
	case gap < -maxSDs*sd:
		return 0, nil
	case j.vectors == nil:
		return normalAbove(gap, sd), nil
	}
	if a > b { // both directions add up to exactly 1
		p, err := j.Ahead(b, a)
		return 1 - p, err
	}
	ia, ib := slices.Index(j.order, a), slices.Index(j.order, b)
	z, w := []float64{-1, 0, 1}, []float64{0.5, 0.5, 0.5}
	for _, atom := range j.vectors {
		z, w = append(z, atom.x[ia]-atom.x[ib]), append(w, atom.weight)
	}
	p, err := NewPosterior(z, w)
	if err != nil {
		return 0, err
	}
	return p.Above(0), nil
}

// normalAbove returns the probability that a normal variable is above 0; 0.5 if its mean
// is 0.
func normalAbove(mean, sd float64) float64 {
	if mean == 0 {
		return 0.5
	}
	return Normal(mean / sd)
}
