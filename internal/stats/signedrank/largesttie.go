package signedrank

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// A largestTie is the largest class of tied differences, separated from the others. Its
// weight W has a beta distribution and is independent of the shares of the others. Given
// these shares, each part of the pairs is a quadratic function of W: the class with
// itself, the class with the others, the others among themselves.
type largestTie struct {
	a, b      float64 // W has the distribution Beta(a, b)
	exact     bool    // the others are one class, so their shares are known
	itself    triple
	pairs     tiePairs // with the other classes
	defined   bool     // false if the class is that of NaN
	others    *ties
	low, high float64 // W is outside with negligible probability
}

// splitLargest removes the largest class from t and returns it.
func (t *ties) splitLargest() *largestTie {
	at, all := -1, t.undefined
	l := &largestTie{a: t.undefined, others: t}
	for i, a := range t.a {
		all += a
		if a > l.a {
			at, l.a = i, a
		}
	}
	l.b = all - l.a
	if at < 0 {
		t.undefined = 0
		l.itself = t.complete(0, 0, 1)
	} else {
		v := t.z[at]
		t.z, t.a = slices.Delete(t.z, at, at+1), slices.Delete(t.a, at, at+1)
		t.findPairs()
		l.defined, l.pairs = true, t.pairsOf(v)
		l.itself = t.withItself(v)
	}
	l.exact = len(t.z)+min(int(t.undefined), 1) <= 1
	if !l.alone() {
		l.low, l.high = betaRange(l.a, l.b)
	}
	return l
}

// withItself returns the parts of the pairs of a class with itself.
func (t *ties) withItself(z float64) triple {
	past := func(sum float64) float64 {
		switch {
		case sum > t.edge:
			return 1
		case sum == t.edge:
			return 0.5
		}
		return 0
	}
	return t.complete(past(-(z + z)), past(z+z), 1)
}

// alone reports whether there are no other classes.
func (l *largestTie) alone() bool { return l.b == 0 }

// with returns the parts of the pairs of the class with the others, given their cumulative
// weights and the total.
func (l *largestTie) with(sums []float64, total float64) triple {
	if !l.defined {
		return l.others.complete(0, 0, 1)
	}
	p, sum := l.pairs, sums[len(l.others.z)] // sum: of the classes that are not NaN
	return l.others.complete(
		(sums[p.below]+sums[p.upTo])/2/total,
		(2*sum-sums[p.above]-sums[p.from])/2/total,
		1,
	)
}

// winProbabilities returns the probability over W that each part is the largest, given the
// parts of the pairs of the class with the others and among the others.
func (l *largestTie) winProbabilities(with, among triple) triple {
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
	var out triple
	from, holder := 0.0, -1 // from where on the present part is the largest
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
func (l *largestTie) parts(with, among triple, w float64) triple {
	var out triple
	for q := range out {
		out[q] = w*w*l.itself[q] + 2*w*(1-w)*with[q] + (1-w)*(1-w)*among[q]
	}
	return out
}

// roots returns the real roots of a·x² + b·x + c, NaN if there are none, without
// cancellation (Press et al. 2007, Numerical Recipes, 5.6).
func roots(a, b, c float64) [2]float64 {
	disc := b*b - 4*a*c
	if disc < 0 {
		return [2]float64{math.NaN(), math.NaN()}
	}
	q := -(b + math.Copysign(math.Sqrt(disc), b)) / 2
	return [2]float64{q / a, c / q}
}

// betaRange returns an interval that Beta(a, b) leaves on either side with a probability
// below 1e-13.
func betaRange(a, b float64) (low, high float64) {
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

// expected returns the expectations of with and among over the shares v of the others.
// Under a Dirichlet distribution E[v_i·v_j] = a_i·a_j/(b(b+1)) and E[v_i²] =
// a_i(a_i+1)/(b(b+1)).
func (l *largestTie) expected() (with, among triple) {
	t := l.others
	sums := make([]float64, len(t.a)+1)
	parts, total := t.parts(t.a, t.undefined, sums)
	with = l.with(sums, total)
	own := t.complete(0, 0, t.undefined)
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
