package change_test

import (
	"math"
	"testing"

	"verbatim/internal/stats/change"
)

// Binomial tails, from tables: P(Bin(16, .5) >= 14) = .00209, >= 13: .0106.
func TestLeastBeyond(t *testing.T) {
	for _, c := range []struct {
		n     int
		alpha float64
		least int
		ok    bool
	}{{16, .0025, 14, true}, {16, .00125, 15, true}, {16, .00025, 16, true}, {16, .01, 14, true}, {16, .0107, 13, true}, {4, .0025, 0, false}, {4, .0625, 4, true}, {0, .9, 0, false}} {
		if least, ok := change.LeastBeyond(c.n, c.alpha); least != c.least || ok != c.ok {
			t.Errorf("%d words at %v: %d, %v", c.n, c.alpha, least, ok)
		}
	}
	// 14 of 16 with probability .789 at a share of .9 (binomial table): power .8 needs a little more.
	q, ok := change.DetectableBeyond(16, .0025, .789)
	if !ok || math.Abs(q-.9) > .001 {
		t.Errorf("%v, want .9", q)
	}
	if q, ok = change.DetectableBeyond(16, .0025, .8); !ok || q <= .9 || q > .91 {
		t.Errorf("%v, want a little more than .9", q)
	}
	if _, ok = change.DetectableBeyond(4, .0025, .8); ok {
		t.Error("four words find a difference at .0025")
	}
}
