package signedrank

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"verbatim/internal/stats"
)

// A ties holds paired differences with equal ones merged into classes, as the signed
// rank test needs them: under a Dirichlet distribution the weights of a class add up
// to one weight, with the sum of the parameters.
type ties struct {
	z, a      []float64 // differences, rising, and the Dirichlet parameter of each
	undefined float64   // the parameter of all that are NaN
	pairs     []tiePairs
	edge      float64 // 2·rope, which the sum of two differences is held against
}

// A tiePairs says of one class where the classes begin and end whose differences add
// with its own to more than the edge, or to less than minus the edge. Sums are
// compared as floating-point numbers, which keep the order of z.
type tiePairs struct {
	above, from int // first class with a sum > edge, and with a sum ≥ edge
	below, upTo int // number of classes with a sum < -edge, and with a sum ≤ -edge
}

// newTies merges differences, and the prior's half of a difference of 0.
func newTies(d []float64, rope float64) (*ties, error) {
	if len(d) == 0 {
		return nil, stats.ErrNoData
	}
	if !(rope >= 0) || math.IsInf(rope, 1) {
		return nil, &stats.BadValue{Index: -1, Value: rope, Why: "is no half width of a region of equivalence"}
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
	t.pair()
	return t, nil
}

// pair finds the pairs of every class.
func (t *ties) pair() {
	t.pairs = make([]tiePairs, len(t.z))
	for i, v := range t.z {
		t.pairs[i] = t.pairsOf(v)
	}
}

// pairsOf finds the pairs of a difference with the classes of t.
func (t *ties) pairsOf(v float64) tiePairs {
	n := len(t.z)
	return tiePairs{
		above: sort.Search(n, func(j int) bool { return v+t.z[j] > t.edge }),
		from:  sort.Search(n, func(j int) bool { return v+t.z[j] >= t.edge }),
		below: sort.Search(n, func(j int) bool { return -(v + t.z[j]) <= t.edge }),
		upTo:  sort.Search(n, func(j int) bool { return -(v + t.z[j]) < t.edge }),
	}
}

// thirds are the parts of smaller, equal and larger in something.
type thirds [3]float64

// thirds completes the parts of all that are smaller and larger. With rope 0 what is
// not larger is smaller, and a part below 0 keeps equal from ever being the largest.
func (t *ties) thirds(smaller, larger, all float64) thirds {
	if t.edge == 0 {
		return thirds{all - larger, -all, larger}
	}
	return thirds{smaller, all - smaller - larger, larger}
}

// largest is the first of those that are the largest.
func (t thirds) largest() int {
	at := 0
	for i, v := range t {
		if v > t[at] {
			at = i
		}
	}
	return at
}

// weigh draws the weight of every class into g, and returns the parts of the ordered
// pairs of classes, and the total of all weights; a total squared is all there is to
// part. sums has room for one more number than there are classes and is left with
// the sums of the first weights of g.
func (t *ties) weigh(r *rand.Rand, g, sums []float64) (parts thirds, total float64) {
	for i, a := range t.a {
		g[i] = stats.DrawGamma(r, a)
	}
	undefined := 0.0
	if t.undefined > 0 {
		undefined = stats.DrawGamma(r, t.undefined)
	}
	return t.part(g, undefined, sums)
}

// part is weigh with given weights.
func (t *ties) part(g []float64, undefined float64, sums []float64) (parts thirds, total float64) {
	sum := 0.0
	for i, w := range g {
		sum += w
		sums[i+1] = sum
	}
	smaller, larger := 0.0, 0.0
	for i, w := range g {
		p := &t.pairs[i]
		smaller += w * (sums[p.below] + sums[p.upTo])
		larger += w * (2*sum - sums[p.above] - sums[p.from])
	}
	total = sum + undefined
	return t.thirds(smaller/2, larger/2, total*total), total
}
