package stats

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// An Interval is the simultaneous rank interval of a run, and the runs from which it is
// indistinguishable.
type rankInterval struct {
	Low, High         int   // the best and the worst rank, from 1
	Indistinguishable []int // runs, in rising order
}

// A Pair compares two runs: the posterior probability that the first is ahead, and the
// two-sided p-value of the hypothesis that they are equal.
type RankPair struct{ Ahead, PValue float64 }

// Compare compares two runs. The p-value is twice the smaller posterior probability of
// being ahead, and at least that of the sign-flip test of their differences. A posterior
// alone is too certain with few items.
func (j *ScorePosterior) Compare(a, b int) (RankPair, error) {
	p, err := j.Ahead(a, b)
	if err != nil {
		return RankPair{}, err
	}
	flip := 1.0
	if high, low := max(a, b), min(a, b); high > low {
		flip = j.differences[high*(high-1)/2+low].SignFlip()
	}
	return RankPair{p, min(1, max(2*min(p, 1-p), flip))}, nil
}

// CompareIndependent compares two runs that each answered items of their own. Each has a
// posterior of one mean. The method is the normal limit of the difference of the means.
func CompareIndependent(a, b *ScorePosterior) RankPair {
	p := normalAbove(a.centre[0]-b.centre[0], math.Sqrt(a.cov[0]+b.cov[0]))
	return RankPair{p, 2 * min(p, 1-p)}
}

// RankIntervals returns the simultaneous rank intervals of all runs. pairs[a][b] compares a
// and b, for b below a.
//
// Two runs are different if their p-value, adjusted for the number of pairs by Holm, is at
// most 1 - confidence; otherwise they are indistinguishable. The best rank of a run is one
// after the runs that are certainly ahead of it; the worst is one before the runs that are
// certainly behind it (Mogstad, Romano, Shaikh and Wilhelm 2024, Review of Economic
// Studies 91:476–518).
//
// Guarantee: all intervals hold their true ranks together with the given confidence, as
// far as the p-values are valid. Runs with equal means share all their ranks. The ranks of
// a run in 95 % of posterior draws do not have this guarantee: if runs are equal, a lucky
// one is seldom last in the draws.
func RankIntervals(pairs [][]RankPair, confidence float64) []rankInterval {
	var p []float64
	for a := range pairs {
		for b := range a {
			p = append(p, pairs[a][b].PValue)
		}
	}
	p = Holm(p)
	intervals := make([]rankInterval, len(pairs))
	for run := range intervals {
		intervals[run].Low, intervals[run].High = 1, len(pairs)
	}
	i := 0
	for a := range pairs {
		for b := range a {
			adjusted := p[i]
			i++
			switch {
			case !(adjusted <= 1-confidence):
				intervals[a].Indistinguishable = append(intervals[a].Indistinguishable, b)
				intervals[b].Indistinguishable = append(intervals[b].Indistinguishable, a)
			case pairs[a][b].Ahead > 0.5:
				intervals[a].High--
				intervals[b].Low++
			default:
				intervals[b].High--
				intervals[a].Low++
			}
		}
	}
	return intervals
}

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
	width       int
	order       []int // of the runs, in vectors
	mean        []float64
	total       float64  // weight, anchors included
	differences []Strata // as those of Scores

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
	j := &ScorePosterior{width: v.width, order: slices.Clone(order), mean: all.mean, total: all.n + anchorWeight(v.width), differences: v.differences}
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

// A Scores collects the scores of several runs on the same items: one vector for each
// item, by cell as in stats.Strata. Make one with NewRankScores. It is not safe for concurrent
// use.
//
// Up to 4,096 distinct vectors, counted in every cell, are kept as they are. With one
// more, only the means and sums of products of every cell remain. Memory is then bounded
// by the number of cells times the square of the number of runs. Apart from rounding,
// results do not depend on the order of the items.
type RankScores struct {
	width       int
	cells       map[int]*scoreCell
	distinct    int      // distinct vectors, over all cells
	momentsOnly bool     // vectors are dropped
	differences []Strata // of runs a and b < a on the items on which they differ, at index a(a-1)/2 + b
}

// maxVectors is the number of distinct vectors that are kept as they are.
const maxVectors = 1 << 12

// A scoreCell holds the vectors of one cell, or only their moments.
type scoreCell struct {
	n     int64
	exact map[string]int64 // number, by the bits of the values
	sums  moments
}

// moments are the means of vectors, and the sums of products of their deviations from the
// means: the lower triangle of a matrix, row by row.
type moments struct {
	n     float64
	mean  []float64
	cross []float64
}

// NewRankScores returns an empty collection for width runs, at least one.
func NewRankScores(width int) *RankScores {
	width = max(width, 1)
	return &RankScores{width: width, cells: make(map[int]*scoreCell), differences: make([]Strata, width*(width-1)/2)}
}

// Add takes in the scores of one item, in the order of the runs. It rejects a vector of
// another width, NaN, and sizes above stats.maxDifference.
func (v *RankScores) Add(cell int, x []float64) error {
	if len(x) != v.width {
		return &BadValue{Index: -1, Value: float64(len(x)), Why: "scores were given, not one for each run"}
	}
	for i, s := range x {
		if !(math.Abs(s) <= maxDifference) {
			return &BadValue{Index: i, Value: s, Why: "is not a score"}
		}
	}
	at := 0
	for i, s := range x {
		for j, other := range x[:i] {
			if s == other {
				continue
			}
			if err := v.differences[at+j].Add(0, (s-other)/2); err != nil { // halved, to stay in range
				return err
			}
		}
		at += i
	}
	v.add(v.cell(cell), x, 1)
	return nil
}

// cell returns a cell and creates it if it is missing.
func (v *RankScores) cell(cell int) *scoreCell {
	c := v.cells[cell]
	if c == nil {
		c = &scoreCell{exact: make(map[string]int64)}
		v.cells[cell] = c
	}
	return c
}

// add takes n equal vectors into a cell.
func (v *RankScores) add(c *scoreCell, x []float64, n int64) {
	c.n += n
	if v.momentsOnly {
		c.sums.add(x, float64(n))
		return
	}
	var room [64 * 8]byte
	key := room[:0]
	for _, s := range x {
		key = binary.BigEndian.AppendUint64(key, math.Float64bits(s+0)) // -0 + 0 is 0
	}
	if _, ok := c.exact[string(key)]; !ok {
		v.distinct++
	}
	c.exact[string(key)] += n
	if v.distinct > maxVectors {
		v.dropVectors()
	}
}

// dropVectors replaces the vectors by their moments.
func (v *RankScores) dropVectors() {
	for _, cell := range v.Cells() {
		c := v.cells[cell]
		for x, n := range c.vectors(v.width) {
			c.sums.add(x, float64(n))
		}
		c.exact = nil
	}
	v.momentsOnly, v.distinct = true, 0
}

// vectors ranges over the distinct vectors of a cell in a fixed order, each with its
// number.
func (c *scoreCell) vectors(width int) func(yield func(x []float64, n int64) bool) {
	return func(yield func(x []float64, n int64) bool) {
		x := make([]float64, width)
		for _, key := range slices.Sorted(maps.Keys(c.exact)) {
			for i := range x {
				x[i] = math.Float64frombits(binary.BigEndian.Uint64([]byte(key[8*i:])))
			}
			if !yield(x, c.exact[key]) {
				return
			}
		}
	}
}

// moments returns the moments of a cell.
func (c *scoreCell) moments(width int) moments {
	if c.exact == nil {
		return c.sums
	}
	var p moments
	for x, n := range c.vectors(width) {
		p.add(x, float64(n))
	}
	return p
}

// add takes in n equal vectors (Welford 1962, Technometrics 4:419–420).
func (p *moments) add(x []float64, n float64) {
	if p.mean == nil {
		p.mean = make([]float64, len(x))
		p.cross = make([]float64, len(x)*(len(x)+1)/2)
	}
	before := p.n
	p.n += n
	share := n * before / p.n
	at := 0
	for i, s := range x {
		away := s - p.mean[i]
		for j := range i + 1 {
			p.cross[at+j] += share * away * (x[j] - p.mean[j])
		}
		at += i + 1
	}
	for i, s := range x {
		p.mean[i] += (s - p.mean[i]) * (n / p.n)
	}
}

// merge adds the moments of another set.
func (p *moments) merge(q moments) {
	if q.n == 0 {
		return
	}
	within := q.cross
	p.add(q.mean, q.n)
	for i, s := range within {
		p.cross[i] += s
	}
}

// Merge returns the vectors in coarser cells. to maps a cell to its coarser cell.
func (v *RankScores) Merge(to func(cell int) int) *RankScores {
	m := NewRankScores(v.width)
	m.momentsOnly = v.momentsOnly
	m.differences = v.differences
	for _, cell := range v.Cells() {
		from, target := v.cells[cell], m.cell(to(cell))
		if v.momentsOnly {
			target.n += from.n
			target.sums.merge(from.sums)
			target.exact = nil
			continue
		}
		for x, n := range from.vectors(v.width) {
			m.add(target, x, n) // never more distinct vectors than before
		}
	}
	return m
}

// Cells returns the cells in rising order.
func (v *RankScores) Cells() []int { return slices.Sorted(maps.Keys(v.cells)) }

// N returns the number of items.
func (v *RankScores) N() (n int64) {
	for _, c := range v.cells {
		n += c.n
	}
	return n
}

// Size returns the number of items of one cell.
func (v *RankScores) Size(cell int) int64 {
	if c := v.cells[cell]; c != nil {
		return c.n
	}
	return 0
}

// HasSingletons reports whether a cell has a single item.
func (v *RankScores) HasSingletons() bool {
	for _, c := range v.cells {
		if c.n == 1 {
			return true
		}
	}
	return false
}

// Means returns the mean score of every run over all items; nil without items.
func (v *RankScores) Means() []float64 {
	if len(v.cells) == 0 {
		return nil
	}
	return v.totalMoments().mean
}

// totalMoments returns the moments of all vectors.
func (v *RankScores) totalMoments() moments {
	var all moments
	for _, cell := range v.Cells() {
		all.merge(v.cells[cell].moments(v.width))
	}
	return all
}

// A weightedVector is a vector with its weight.
type weightedVector struct {
	x      []float64
	weight float64
}

// mergeEqualRanks returns vectors in order, with the weights of equal vectors added up.
func mergeEqualRanks(all []weightedVector) []weightedVector {
	slices.SortFunc(all, func(p, q weightedVector) int {
		return cmp.Or(slices.Compare(p.x, q.x), cmp.Compare(p.weight, q.weight))
	})
	var out []weightedVector
	for _, w := range all {
		if n := len(out); n > 0 && slices.Equal(out[n-1].x, w.x) {
			out[n-1].weight += w.weight
		} else {
			out = append(out, w)
		}
	}
	return out
}

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
