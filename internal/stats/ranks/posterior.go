package ranks

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"verbatim/internal/stats"
)

// A Posterior is the posterior of the mean scores of several runs on fresh items like
// those that all of them answered: Σ w_i x_i with the items' vectors of scores x
// and random weights w ~ Dirichlet(1, …, 1). It is the Bayesian bootstrap of Rubin
// (1981) with anchors that say, as those of Strata.Posterior do, that what was not
// seen may still be: a weight of 2 is spread over the corners of the cube of scores,
// 2/2^k on each of the 2^k vectors of scores 0 and 1 that k runs can have. Of two
// runs these are half an item at (0,0), (0,1), (1,0) and (1,1); so in any number of
// runs the difference of two has half an item at -1 and half a one at 1, and how
// likely a run is ahead of another is what the posterior of their difference says.
// One run has half an item at 0 and half a one at 1.
//
// Where all vectors are kept (see Scores) nothing is approximated but for the
// number of draws. Else it is the normal distribution with the posterior's own mean
// and covariance, which is its limit for many items. It is safe for concurrent use.
type Posterior struct {
	width  int
	order  []int // of the runs, in vectors and factor
	mean   []float64
	total  float64              // weight, with the anchors
	differ func(a, b int) int64 // items on which two runs differ

	atoms  []weighed // moved as the strata say; nil: only what follows
	centre []float64 // of the posterior
	cov    []float64 // lower triangle
}

// Posterior returns the posterior of the means. Where it is stratified the cells are
// fixed by design and only the items within them are drawn: every vector is moved
// as Strata.Stratified moves differences, and a cell that is Lone gives ErrLone.
// Without an item it returns ErrNoData.
//
// order lists the runs in the order in which random numbers are spent on them; nil
// is the order of the vectors. Draws of the same runs in another order differ by
// their Monte Carlo error, and nothing else does.
func (v *Scores) Posterior(stratified bool, order []int) (*Posterior, error) {
	if len(v.cells) == 0 {
		return nil, stats.ErrNoData
	}
	if stratified && v.Lone() {
		return nil, stats.ErrLone
	}
	if order == nil {
		order = make([]int, v.width)
		for i := range order {
			order[i] = i
		}
	}
	all := v.total()
	j := &Posterior{width: v.width, order: slices.Clone(order), mean: all.mean, total: all.n + anchors(v.width), differ: differing(v.differ)}
	if !v.coarser {
		j.atoms = v.moved(stratified, all.mean, order)
	}
	j.normal(v.spread(stratified, all), all.n)
	return j, nil
}

// anchors is their weight in all.
func anchors(width int) float64 {
	if width == 1 {
		return 1
	}
	return 2
}

// moved returns the vectors with what their cells differ by taken out, runs in the
// given order and equal ones united.
func (v *Scores) moved(stratified bool, mean []float64, order []int) []weighed {
	list := make([]weighed, 0, v.kept)
	for _, cell := range v.Cells() {
		c := v.cells[cell]
		own, stretch := mean, 1.0
		if stratified {
			own, stretch = c.moments(v.width).mean, math.Sqrt(float64(c.n)/float64(c.n-1))
		}
		for x, n := range c.vectors(v.width) {
			w := weighed{make([]float64, v.width), float64(n)}
			for i, run := range order {
				w.x[i] = plainer(mean[run] + (x[run]-own[run])*stretch)
			}
			list = append(list, w)
		}
	}
	return united(list)
}

// plainer returns a score of usual size without its last digits. They depend on the
// order in which others were added up, and the order of the vectors, which decides on
// whom a random number is spent, must not.
func plainer(x float64) float64 {
	const digits = 1 << 40
	if math.Abs(x) > 1<<12 {
		return x
	}
	return math.Round(x*digits) / digits
}

// spread returns the sums of products of the vectors, moved where stratified, about
// their mean.
func (v *Scores) spread(stratified bool, all products) []float64 {
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

// normal computes the posterior's mean and covariance: those of Dirichlet weights
// are the mean and the covariance of the support over the total weight plus 1.
func (j *Posterior) normal(cross []float64, n float64) {
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

// covariance returns an element of the matrix.
func (j *Posterior) covariance(a, b int) float64 {
	if b > a {
		a, b = b, a
	}
	return j.cov[a*(a+1)/2+b]
}

// Means returns the observed mean of every run.
func (j *Posterior) Means() []float64 { return slices.Clone(j.mean) }

// Exact reports whether the posterior is that of the vectors themselves; else it is
// their normal limit.
func (j *Posterior) Exact() bool { return j.atoms != nil }

// certain is how many standard deviations a mean difference is away from 0 where the
// probability of its sign is taken for 0 or 1: it is below 1e-6 there even where
// few items carry the difference.
const certain = 12

// Ahead returns the probability that the mean of run a is above that of run b. It
// is integrated to 1e-10 where the posterior is exact, and nothing is drawn.
func (j *Posterior) Ahead(a, b int) (float64, error) {
	if a == b {
		return 0.5, nil
	}
	gap := j.centre[a] - j.centre[b]
	sd := math.Sqrt(max(0, j.covariance(a, a)+j.covariance(b, b)-2*j.covariance(a, b)))
	switch {
	case gap > certain*sd:
		return 1, nil
	case gap < -certain*sd:
		return 0, nil
	case j.atoms == nil:
		return normalAbove(gap, sd), nil
	}
	ia, ib := slices.Index(j.order, a), slices.Index(j.order, b)
	// From the lower index up: the two directions add up to 1 to the last digit.
	sign := 1.0
	if a > b {
		ia, ib, sign = ib, ia, -1
	}
	z, w := []float64{-1, 0, 1}, []float64{0.5, 0.5, 0.5}
	for _, atom := range j.atoms {
		z, w = append(z, atom.x[ia]-atom.x[ib]), append(w, atom.weight)
	}
	p, err := stats.NewPosterior(z, w)
	if err != nil {
		return 0, err
	}
	if sign > 0 {
		return p.Above(0), nil
	}
	return 1 - p.Above(0), nil
}

// normalAbove is how likely a normal number is above 0; of one that does not vary it
// is 0.5 at 0.
func normalAbove(mean, sd float64) float64 {
	if mean == 0 {
		return 0.5
	}
	return distuv.UnitNormal.CDF(mean / sd)
}
