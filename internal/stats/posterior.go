package stats

import (
	"cmp"
	"math"
	"slices"
)

// Probabilities are those of a mean below, inside and above a ROPE (region of practical
// equivalence) around 0. They add up to 1.
type Probabilities struct{ Worse, Equivalent, Better float64 }

// A Posterior is the distribution of Σ w_k z_k, the mean of support points z under random
// weights w ~ Dirichlet(a). Nothing is sampled: probabilities are integrals with errors
// below 1e-10, and quantiles are their inverses. The order of the points does not matter.
// It is safe for concurrent use.
type Posterior struct {
	z, a         []float64 // support points in rising order and their weights, in units of scale
	exp          int       // scale is 2^exp
	sd           float64   // of the distribution, in units of scale
	sum          *gammaSum
	observedMean *float64 // of the observed differences; nil for other support points
}

// NewPosterior returns the posterior of a mean whose support points z have the Dirichlet
// weights a. Equal points are merged. More than 16,387 points are put into 8,192 bins over
// their range, each at the mean of its points: the mean stays exact, and the variance
// loses less than the squared range times 4e-9.
//
// A point that is not finite, and a weight that is not finite and above 0, give a
// *BadValue. No points give ErrNoData.
func NewPosterior(z, a []float64) (*Posterior, error) {
	if len(z) != len(a) {
		return nil, &BadValue{-1, float64(len(a)), "weights were given, not one for each support point"}
	}
	if len(z) == 0 {
		return nil, ErrNoData
	}
	largest, total := 0.0, 0.0
	for i := range z {
		if !finite(z[i]) {
			return nil, &BadValue{i, z[i], "is not a finite support point"}
		}
		if !(a[i] > 0) || !finite(total+a[i]) {
			return nil, &BadValue{i, a[i], "is not a finite weight above 0"}
		}
		largest = max(largest, math.Abs(z[i]))
		total += a[i]
	}
	p := new(Posterior)
	// A power of 2 loses no digits and keeps cubes in range.
	_, p.exp = math.Frexp(largest)
	all := make([]mass, len(z))
	for i := range z {
		all[i] = mass{flushToZero(math.Ldexp(z[i], -p.exp)), a[i]}
	}
	p.z, p.a = mergeEqual(all)
	p.sum = newGammaSum(p.z, p.a)
	for k, z := range p.z {
		p.sd += p.a[k] / p.sum.total * (z - p.sum.mean) * (z - p.sum.mean)
	}
	p.sd = math.Sqrt(p.sd / (p.sum.total + 1))
	return p, nil
}

// flushToZero returns x, or 0 if x is so small that fourth powers would leave the range of
// a float64. The largest value is near 1.
func flushToZero(x float64) float64 {
	if math.Abs(x) < 0x1p-100 {
		return 0
	}
	return x
}

// minTail is the probability below which a tail is returned as 0.
const minTail = 1e-19

// tails returns P(mean > c) and P(mean < c), with c in units of scale.
func (p *Posterior) tails(c float64) (above, below float64) {
	lowest, highest := p.z[0], p.z[len(p.z)-1]
	if lowest == highest { // no uncertainty
		switch {
		case c < lowest:
			return 1, 0
		case c > lowest:
			return 0, 1
		}
		return 0, 0
	}
	switch c = flushToZero(c); {
	case c <= lowest:
		return 1, 0
	case c >= highest:
		return 0, 1
	case c < p.sum.mean: // compute the smaller tail
		below = min(max(p.sum.tail(c, -1, minTail), 0), 1)
		return 1 - below, below
	}
	above = min(max(p.sum.tail(c, 1, minTail), 0), 1)
	return above, 1 - above
}

// Above returns P(mean > c). A probability below 1e-19 is returned as 0. If c is NaN, the
// result is NaN.
func (p *Posterior) Above(c float64) float64 {
	if math.IsNaN(c) {
		return c
	}
	above, _ := p.tails(math.Ldexp(c, -p.exp))
	return above
}

// Probabilities returns the probabilities that the mean is below -rope, within ±rope with
// the bounds included, and above rope. A rope that is negative or NaN counts as 0.
// Equivalent then means a mean of exactly 0, which has a probability only if all support
// points are 0.
func (p *Posterior) Probabilities(rope float64) Probabilities {
	if !(rope > 0) {
		rope = 0
	}
	c := math.Ldexp(rope, -p.exp)
	_, worse := p.tails(-c)
	better, _ := p.tails(c)
	if c == 0 && p.z[0] < p.z[len(p.z)-1] {
		worse = 1 - better
	}
	return Probabilities{Worse: worse, Equivalent: max(0, 1-worse-better), Better: better}
}

// Interval returns the equal-tailed credible interval with the given probability, accurate
// to a ten-millionth of the standard deviation. A posterior of observed differences is
// widened to hold their mean, which the anchors can leave outside: one difference of 1
// would otherwise have an upper end of 0.976. A confidence that is not between 0 and 1
// gives NaN, NaN.
func (p *Posterior) Interval(confidence float64) Interval {
	if !(confidence > 0 && confidence < 1) {
		return Interval{math.NaN(), math.NaN()}
	}
	tail := (1 - confidence) / 2
	i := Interval{p.quantile(tail, -1), p.quantile(tail, 1)}
	if p.observedMean != nil {
		i.Low, i.High = min(i.Low, *p.observedMean), max(i.High, *p.observedMean)
	}
	return i
}

// quantile returns the value with the given tail probability above it (side 1) or below it
// (side -1).
//
// The search runs on the normal quantile of the tail, which is nearly linear.
func (p *Posterior) quantile(tail, side float64) float64 {
	want := NormalQuantile(tail)
	gap := func(c float64) float64 { // falls towards the given side
		above, below := p.tails(c)
		if side < 0 {
			above = below
		}
		return NormalQuantile(above) - want
	}
	near, far := p.z[0], p.z[len(p.z)-1]
	if side < 0 {
		near, far = far, near
	}
	return math.Ldexp(findRoot(gap, near, far, p.sum.mean-side*want*p.sd, p.sd), p.exp)
}

// A mass is a weight at a support point.
type mass struct{ at, weight float64 }

// mergeEqual returns the support points z in rising order with their weights a, those of
// equal points added up. More than maxSupport points are put into bins. It sorts all in
// place.
func mergeEqual(all []mass) (z, a []float64) {
	if len(all) > maxSupport {
		all = binMasses(all)
	}
	slices.SortFunc(all, func(p, q mass) int {
		return cmp.Or(cmp.Compare(p.at, q.at), cmp.Compare(p.weight, q.weight))
	})
	for _, m := range all {
		if k := len(z) - 1; k >= 0 && z[k] == m.at {
			a[k] += m.weight
		} else {
			z, a = append(z, m.at), append(a, m.weight)
		}
	}
	return z, a
}

// binMasses returns one mass for each of equally wide bins, at the mean of its points.
func binMasses(all []mass) []mass {
	low, high := all[0].at, all[0].at
	for _, m := range all {
		low, high = min(low, m.at), max(high, m.at)
	}
	if low == high {
		return all
	}
	bins := make([]mass, supportBins+1) // the last one for the maximum
	for _, m := range all {
		b := &bins[int((m.at-low)/(high-low)*supportBins)]
		b.weight += m.weight
		b.at += (m.at - b.at) * (m.weight / b.weight)
	}
	return slices.DeleteFunc(bins, func(m mass) bool { return m.weight == 0 })
}

const (
	maxSupport  = maxExact + 3 // support points: the values that a Strata keeps, and three anchors
	supportBins = 1 << 13      // bins of a posterior with more points
)
