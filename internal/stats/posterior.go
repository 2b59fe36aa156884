package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Three are the probabilities that a mean lies below a region of equivalence
// around 0, in it, and above it. They add up to 1.
type Three struct{ Worse, Equivalent, Better float64 }

// A Posterior is the distribution of Σ w_k z_k, the mean of the support points z
// under random weights w ~ Dirichlet(a), of which nothing is drawn: probabilities
// are integrals with errors below 1e-10, and ends of intervals their inverses. The
// same points give the same numbers, in whatever order they came. It is safe for
// concurrent use.
type Posterior struct {
	z, a []float64 // rising support points and their weights, in units of scale
	exp  int       // scale is 2^exp
	sd   float64   // of the distribution, in units of scale
	sum  *gammaSum
	seen *float64 // the mean of what was observed, where support points stand for more than that
}

// mostSupport is how many support points a posterior has at most, all that Strata
// keeps with its anchors; supportBins is into how many bins those of a larger one
// fall.
const (
	mostSupport = mostExact + 3
	supportBins = 1 << 13
)

// NewPosterior returns the posterior of a mean whose support points z have the
// Dirichlet weights a. Equal points become one, with the sum of their weights. More
// than 16,387 points fall into 8,192 bins over their range, each of which stands
// at the mean of what it holds: the mean stays exact, and the variance loses less
// than the range squared times 4e-9.
//
// A point that is not finite and a weight that is not finite and above 0 are
// refused with a *BadValue; no points at all are ErrNoData.
func NewPosterior(z, a []float64) (*Posterior, error) {
	if len(z) != len(a) {
		return nil, &BadValue{-1, float64(len(a)), "weights are not one for each support point"}
	}
	if len(z) == 0 {
		return nil, ErrNoData
	}
	largest, total := 0.0, 0.0
	for i := range z {
		if !finite(z[i]) {
			return nil, &BadValue{i, z[i], "is no finite support point"}
		}
		if !(a[i] > 0) || !finite(total+a[i]) {
			return nil, &BadValue{i, a[i], "is no finite weight above 0"}
		}
		largest = max(largest, math.Abs(z[i]))
		total += a[i]
	}
	p := new(Posterior)
	// A power of 2 takes nothing from the digits, and keeps cubes in range.
	_, p.exp = math.Frexp(largest)
	all := make([]mass, len(z))
	for i := range z {
		all[i] = mass{near0(math.Ldexp(z[i], -p.exp)), a[i]}
	}
	p.z, p.a = merged(all)
	p.sum = newGammaSum(p.z, p.a)
	for k, z := range p.z {
		p.sd += p.a[k] / p.sum.total * (z - p.sum.mean) * (z - p.sum.mean)
	}
	p.sd = math.Sqrt(p.sd / (p.sum.total + 1))
	return p, nil
}

// near0 returns x, or 0 where x is so small beside a largest value near 1 that
// fourth powers of what is left would leave the range of a float64.
func near0(x float64) float64 {
	if math.Abs(x) < 0x1p-100 {
		return 0
	}
	return x
}

// A mass is a weight at a support point.
type mass struct{ at, weight float64 }

// merged returns the support points, rising, with the weights of equal ones added
// up; it sorts the masses where they stand.
func merged(all []mass) (z, a []float64) {
	if len(all) > mostSupport {
		all = binned(all)
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

// binned returns the masses of equally wide bins, each at its mean.
func binned(all []mass) []mass {
	low, high := all[0].at, all[0].at
	for _, m := range all {
		low, high = min(low, m.at), max(high, m.at)
	}
	if low == high {
		return all
	}
	bins := make([]mass, supportBins+1) // the last one for the highest value itself
	for _, m := range all {
		b := &bins[int((m.at-low)/(high-low)*supportBins)]
		b.weight += m.weight
		b.at += (m.at - b.at) * (m.weight / b.weight)
	}
	return slices.DeleteFunc(bins, func(m mass) bool { return m.weight == 0 })
}

// leastTail is the probability from which on a tail is called 0.
const leastTail = 1e-19

// sides returns P(mean > c) and P(mean < c), with c in units of scale.
func (p *Posterior) sides(c float64) (above, below float64) {
	lowest, highest := p.z[0], p.z[len(p.z)-1]
	if lowest == highest { // known for sure
		switch {
		case c < lowest:
			return 1, 0
		case c > lowest:
			return 0, 1
		}
		return 0, 0
	}
	switch c = near0(c); {
	case c <= lowest:
		return 1, 0
	case c >= highest:
		return 0, 1
	case c < p.sum.mean: // the smaller side is the one to compute
		below = min(max(p.sum.tail(c, -1, leastTail), 0), 1)
		return 1 - below, below
	}
	above = min(max(p.sum.tail(c, 1, leastTail), 0), 1)
	return above, 1 - above
}

// Above returns P(mean > c). A probability below 1e-19 is returned as 0. A c that
// is not a number has no answer, and gives NaN.
func (p *Posterior) Above(c float64) float64 {
	if math.IsNaN(c) {
		return c
	}
	above, _ := p.sides(math.Ldexp(c, -p.exp))
	return above
}

// Three returns the probabilities that the mean is below -rope, within ±rope, the
// bounds included, and above rope. A rope below 0, or NaN, counts as 0: what is
// equivalent is then a mean of 0 itself, which has a probability only where all
// support points are 0.
func (p *Posterior) Three(rope float64) Three {
	if !(rope > 0) {
		rope = 0
	}
	c := math.Ldexp(rope, -p.exp)
	_, worse := p.sides(-c)
	better, _ := p.sides(c)
	if c == 0 && p.z[0] < p.z[len(p.z)-1] {
		worse = 1 - better
	}
	return Three{Worse: worse, Equivalent: max(0, 1-worse-better), Better: better}
}

// Interval returns the equal-tailed interval that holds the mean with the given
// probability, both ends to a ten-millionth of its standard deviation. Where the posterior
// is one of differences seen, it is widened to hold their mean, which the anchors
// can leave outside: one difference of 1 would otherwise give an upper end of
// 0.976. A confidence outside the open interval from 0 to 1 gives NaN, NaN.
func (p *Posterior) Interval(confidence float64) Interval {
	if !(confidence > 0 && confidence < 1) {
		return Interval{math.NaN(), math.NaN()}
	}
	tail := (1 - confidence) / 2
	i := Interval{p.quantile(tail, -1), p.quantile(tail, 1)}
	if p.seen != nil {
		i.Low, i.High = min(i.Low, *p.seen), max(i.High, *p.seen)
	}
	return i
}

// quantile returns the value beyond which, on the given side, lies the tail: above
// it for a side of 1, below it for one of -1.
//
// What is searched is the root of the normal quantile of the tail, which is nearly
// a straight line.
func (p *Posterior) quantile(tail, side float64) float64 {
	want := distuv.UnitNormal.Quantile(tail)
	gap := func(c float64) float64 { // falls towards the side
		above, below := p.sides(c)
		if side < 0 {
			above = below
		}
		return distuv.UnitNormal.Quantile(above) - want
	}
	near, far := p.z[0], p.z[len(p.z)-1]
	if side < 0 {
		near, far = far, near
	}
	return math.Ldexp(crossing(gap, near, far, p.sum.mean-side*want*p.sd, p.sd), p.exp)
}
