package signedrank

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// A tieLead is the largest class of tied differences, taken out of the others. Its
// weight W has a beta distribution and is independent of how the others share the
// rest among them. Given their shares, each part of the pairs is a quadratic of W:
// the class with itself, the class with the others, the others among them.
type tieLead struct {
	a, b    float64 // W has the distribution Beta(a, b)
	exact   bool    // the others are one class, whose shares are certain
	itself  thirds
	pairs   tiePairs // with the classes of the others
	defined bool     // false if the class is that of NaN
	others  *ties
	low     float64 // below it W has no probability worth counting
	high    float64 // and above it
}

// lead takes the largest class out of t.
func (t *ties) lead() *tieLead {
	at, all := -1, t.undefined
	l := &tieLead{a: t.undefined, others: t}
	for i, a := range t.a {
		all += a
		if a > l.a {
			at, l.a = i, a
		}
	}
	l.b = all - l.a
	if at < 0 {
		t.undefined = 0
		l.itself = t.thirds(0, 0, 1)
	} else {
		v := t.z[at]
		t.z, t.a = slices.Delete(t.z, at, at+1), slices.Delete(t.a, at, at+1)
		t.pair()
		l.defined, l.pairs = true, t.pairsOf(v)
		l.itself = t.withItself(v)
	}
	l.exact = len(t.z)+min(int(t.undefined), 1) <= 1
	if !l.alone() {
		l.low, l.high = betaReach(l.a, l.b)
	}
	return l
}

// withItself returns the parts of the pairs of a class with itself.
func (t *ties) withItself(z float64) thirds {
	past := func(sum float64) float64 {
		switch {
		case sum > t.edge:
			return 1
		case sum == t.edge:
			return 0.5
		}
		return 0
	}
	return t.thirds(past(-(z + z)), past(z+z), 1)
}

// alone reports whether there are no other classes.
func (l *tieLead) alone() bool { return l.b == 0 }

// with returns the parts of the pairs of the class with the others, given the sums of
// the first of their weights and the total of all.
func (l *tieLead) with(sums []float64, total float64) thirds {
	if !l.defined {
		return l.others.thirds(0, 0, 1)
	}
	p, sum := l.pairs, sums[len(l.others.z)]
	return l.others.thirds(
		(sums[p.below]+sums[p.upTo])/2/total,
		(2*sum-sums[p.above]-sums[p.from])/2/total,
		1,
	)
}

// chances returns how likely W makes each part the largest, given the parts of the
// pairs of the class with the others and of the others among them.
func (l *tieLead) chances(with, among thirds) thirds {
	var cuts [8]float64 // 0, the up to six points where two parts are equal, 1
	n := 1
	for q := range 3 {
		p := (q + 1) % 3
		// W²·x + 2W(1-W)·y + (1-W)²·z = 0
		x, y, z := l.itself[q]-l.itself[p], with[q]-with[p], among[q]-among[p]
		for _, w := range roots(x-2*y+z, 2*(y-z), z) {
			if w > l.low && w < l.high {
				cuts[n] = w
				n++
			}
		}
	}
	cuts[n] = 1
	n++
	slices.Sort(cuts[1 : n-1])
	var out thirds
	from, holder := 0.0, -1 // where the part that is the largest now began to be it
	for i := range n - 1 {
		w := (max(cuts[i], l.low) + min(cuts[i+1], l.high)) / 2
		first := l.parts(with, among, w).largest()
		if first == holder {
			continue
		}
		if holder >= 0 {
			to := mathext.RegIncBeta(l.a, l.b, cuts[i])
			out[holder] += to - from
			from = to
		}
		holder = first
	}
	out[holder] += 1 - from
	return out
}

// parts returns the parts of all pairs for W = w.
func (l *tieLead) parts(with, among thirds, w float64) thirds {
	var out thirds
	for q := range out {
		out[q] = w*w*l.itself[q] + 2*w*(1-w)*with[q] + (1-w)*(1-w)*among[q]
	}
	return out
}

// roots returns the real roots of a·x² + b·x + c, NaN where there is none. It does
// not subtract numbers of like size (Press et al. 2007, Numerical Recipes, 5.6).
func roots(a, b, c float64) [2]float64 {
	disc := b*b - 4*a*c
	if disc < 0 {
		return [2]float64{math.NaN(), math.NaN()}
	}
	q := -(b + math.Copysign(math.Sqrt(disc), b)) / 2
	return [2]float64{q / a, c / q}
}

// betaReach returns an interval outside of which Beta(a, b) has a probability below
// 1e-13 on either side.
func betaReach(a, b float64) (low, high float64) {
	search := func(p float64) float64 {
		low, high := 0.0, 1.0
		for range 40 {
			if mid := (low + high) / 2; mathext.RegIncBeta(a, b, mid) < p {
				low = mid
			} else {
				high = mid
			}
		}
		return (low + high) / 2
	}
	return search(1e-13), search(1 - 1e-13)
}

// expected returns what with and among are on average over the shares v of the others:
// under a Dirichlet distribution v_i·v_j is a_i·a_j/(b(b+1)) on average, and v_i² is
// a_i(a_i+1)/(b(b+1)).
func (l *tieLead) expected() (with, among thirds) {
	t := l.others
	sums := make([]float64, len(t.a)+1)
	parts, total := t.part(t.a, t.undefined, sums)
	with = l.with(sums, total)
	own := t.thirds(0, 0, t.undefined)
	for i, a := range t.a {
		itself := t.withItself(t.z[i])
		for q := range own {
			own[q] += a * itself[q]
		}
	}
	for q := range among {
		among[q] = (parts[q] + own[q]) / (l.b * (l.b + 1))
	}
	return with, among
}
