package stats

import (
	"cmp"
	"math"
	"slices"
)

// Three are the probabilities that a mean lies below a region of equivalence
// around 0, in it, and above it. They add up to 1.
type Three struct{ Worse, Equivalent, Better float64 }

// A Posterior is the distribution of Σ w_k z_k, the mean of the support points z
// under random weights w ~ Dirichlet(a).
type Posterior struct {
	z, a  []float64 // rising support points and their weights
	total float64   // of the weights
	seen  *float64  // the mean of what was observed, where the points are not all of that
}

// NewPosterior returns the posterior of a mean whose support points z have the
// Dirichlet weights a. Equal points become one, with the sum of their weights. A
// point that is not finite and a weight that is not above 0 (or not finite) are
// refused, no points are ErrNoData.
func NewPosterior(z, a []float64) (*Posterior, error) {
	if len(z) != len(a) {
		return nil, &BadValue{-1, float64(len(a)), "weights are not one for each support point"}
	}
	if len(z) == 0 {
		return nil, ErrNoData
	}
	type mass struct{ at, weight float64 }
	all := make([]mass, len(z))
	for i := range z {
		if !finite(z[i]) {
			return nil, &BadValue{i, z[i], "is no finite support point"}
		}
		if !(a[i] > 0) || !finite(a[i]) {
			return nil, &BadValue{i, a[i], "is no finite weight above 0"}
		}
		all[i] = mass{z[i] + 0, a[i]}
	}
	slices.SortFunc(all, func(p, q mass) int {
		return cmp.Or(cmp.Compare(p.at, q.at), cmp.Compare(p.weight, q.weight))
	})
	p := new(Posterior)
	for _, m := range all {
		if k := len(p.z); k > 0 && p.z[k-1] == m.at {
			p.a[k-1] += m.weight
		} else {
			p.z, p.a = append(p.z, m.at), append(p.a, m.weight)
		}
		p.total += m.weight
	}
	return p, nil
}

// Above returns P(mean > c).
func (p *Posterior) Above(c float64) float64 {
	above, _ := p.sides(c)
	return above
}

// Three returns the probabilities that the mean is below -rope, within ±rope (the
// bounds belong to it) and above rope. A rope below 0 counts as 0.
func (p *Posterior) Three(rope float64) Three {
	rope = max(rope, 0)
	_, worse := p.sides(-rope)
	better, _ := p.sides(rope)
	return Three{Worse: worse, Equivalent: max(0, 1-worse-better), Better: better}
}

// sides returns P(mean > c) and P(mean < c).
func (p *Posterior) sides(c float64) (above, below float64) {
	lowest, highest := p.z[0], p.z[len(p.z)-1]
	switch {
	case lowest == highest && c == lowest:
		return 0, 0
	case c <= lowest:
		return 1, 0
	case c >= highest:
		return 0, 1
	}
	above = p.gilPelaez(c)
	return above, 1 - above
}

func (p *Posterior) gilPelaez(c float64) float64 {
	scale := max(p.z[len(p.z)-1]-c, c-p.z[0])
	f := func(u float64) (float64, bool) {
		t := math.Exp(u - math.Exp(-u))
		phase, size := 0.0, 0.0
		for k, z := range p.z {
			x := (z - c) / scale * t
			phase += p.a[k] * math.Atan(x)
			size += p.a[k] / 2 * math.Log1p(x*x)
		}
		return math.Sin(phase) * math.Exp(-size) * (1 + math.Exp(-u)), size < 38
	}
	last := math.Inf(1)
	for h := 0.25; h > 1e-5; h /= 2 {
		sum := 0.0
		for i := 0; ; i++ {
			y, more := f(-4.2 + float64(i)*h)
			if !more {
				break
			}
			sum += y
		}
		v := sum * h
		if math.Abs(v-last) < 1e-10 {
			last = v
			break
		}
		last = v
	}
	return min(max(0.5+last/math.Pi, 0), 1)
}

// Interval returns the equal-tailed interval that the mean is in with the given
// probability.
func (p *Posterior) Interval(confidence float64) Interval {
	tail := (1 - confidence) / 2
	i := Interval{p.quantile(tail), p.quantile(1 - tail)}
	if p.seen != nil {
		i.Low, i.High = min(i.Low, *p.seen), max(i.High, *p.seen)
	}
	return i
}

func (p *Posterior) quantile(q float64) float64 {
	low, high := p.z[0], p.z[len(p.z)-1]
	for range 40 {
		mid := low + (high-low)/2
		if p.Above(mid) > 1-q {
			low = mid
		} else {
			high = mid
		}
	}
	return low + (high-low)/2
}
