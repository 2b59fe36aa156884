package signedrank

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"verbatim/internal/stats"
)

// A ties holds paired differences grouped into classes of equal ones. Under a Dirichlet
// distribution the weights of a class add up to one weight, whose parameter is the sum of
// theirs.
type ties struct {
	z, a      []float64 // differences in rising order, and the Dirichlet parameter of each
	undefined float64   // the parameter of the class of NaN
	pairs     []tiePairs
	edge      float64 // 2·rope, the threshold for sums of two differences
}

// A tiePairs says which classes add up with a given class to more than the edge, or to
// less than minus the edge. Sums are floating-point, which keeps the order of z.
type tiePairs struct {
	above, from int // first class with a sum > edge, and with a sum ≥ edge
	below, upTo int // number of classes with a sum < -edge, and with a sum ≤ -edge
}

// newTies groups differences, of which NaN is a class of its own, and adds half a
// difference of 0: the prior. It rejects an empty list, an infinite difference and an
// invalid rope.
func newTies(d []float64, rope float64) (*ties, error) {
	if len(d) == 0 {
		return nil, stats.ErrNoData
	}
	if !(rope >= 0) || math.IsInf(rope, 1) {
		return nil, &stats.BadValue{Index: -1, Value: rope, Why: "is not a half-width of a ROPE"}
	}
	z := make([]float64, 0, len(d)+1)
	t := &ties{edge: 2 * rope}
	for i, v := range d {
		switch {
		case math.IsInf(v, 0):
			return nil, &stats.BadValue{Index: i, Value: v, Why: "is infinite"}
		case math.IsNaN(v):
			t.undefined++
		default:
			z = append(z, v)
		}
	}
	z = append(z, 0)
	slices.Sort(z)
	for i, v := range z {
		if i == 0 || v != z[i-1] {
			t.z, t.a = append(t.z, v), append(t.a, 0)
		}
		t.a[len(t.a)-1]++
	}
	zero, _ := slices.BinarySearch(t.z, 0)
	t.a[zero] -= 0.5
	t.findPairs()
	return t, nil
}

// findPairs computes the pairs of every class.
func (t *ties) findPairs() {
	t.pairs = make([]tiePairs, len(t.z))
	for i, v := range t.z {
		t.pairs[i] = t.pairsOf(v)
	}
}

// pairsOf computes the pairs of a difference with the classes of t.
func (t *ties) pairsOf(v float64) tiePairs {
	n := len(t.z)
	return tiePairs{
		above: sort.Search(n, func(j int) bool { return v+t.z[j] > t.edge }),
		from:  sort.Search(n, func(j int) bool { return v+t.z[j] >= t.edge }),
		below: sort.Search(n, func(j int) bool { return -(v + t.z[j]) <= t.edge }),
		upTo:  sort.Search(n, func(j int) bool { return -(v + t.z[j]) < t.edge }),
	}
}

// A triple is the parts of smaller, equal and larger.
type triple [3]float64

// complete computes the triple from the parts of smaller, larger and all. With rope 0 what
// is not larger is smaller, and a negative part keeps equal from being the largest.
func (t *ties) complete(smaller, larger, all float64) triple {
	if t.edge == 0 {
		return triple{all - larger, -all, larger}
	}
	return triple{smaller, all - smaller - larger, larger}
}

// largest returns the index of the first of the largest parts.
func (t triple) largest() int {
	at := 0
	for i, v := range t {
		if v > t[at] {
			at = i
		}
	}
	return at
}

// drawParts draws the weight of every class into g, and returns the parts of the ordered
// pairs of classes. g must have an element for each class, and sums one more: the
// cumulative weights.
func (t *ties) drawParts(r *rand.Rand, g, sums []float64) triple {
	sum := 0.0
	for i, a := range t.a {
		g[i] = stats.DrawGamma(r, a)
		sum += g[i]
		sums[i+1] = sum
	}
	smaller, larger := 0.0, 0.0
	for i, w := range g {
		p := &t.pairs[i]
		smaller += w * (sums[p.below] + sums[p.upTo])
		larger += w * (2*sum - sums[p.above] - sums[p.from])
	}
	if t.undefined > 0 {
		sum += stats.DrawGamma(r, t.undefined)
	}
	return t.complete(smaller/2, larger/2, sum*sum)
}
