package signedrank

import "math"

// A Result is the posterior of the Bayesian signed-rank test: the probabilities that
// differences are mostly below, inside or above the ROPE, by the weight of their pairwise
// sums.
type Result struct {
	Smaller, Equal, Larger float64
	SE                     float64 // the largest standard error of the three
	Draws                  int
}

// Test is the Bayesian signed-rank test of paired differences d (Benavoli, Mangili,
// Corani, Zaffalon and Ruggeri 2014, ICML, PMLR 32:1026–1034; baycomp 1.0.3,
// SignedRankTest) with the ROPE from -rope to rope. The prior has weight 1/2 on a
// difference of 0.
//
// Under Dirichlet weights w, every ordered pair of differences, each with itself included,
// gives w_i·w_j to "larger" if its sum is above 2·rope, to "smaller" if it is below
// -2·rope, half of it on those edges, and the rest to "equal". A probability is how often
// its part is the largest of the three in draws of w; ties go to the first of smaller,
// equal and larger. Draws come in batches of 1,000 until SE is below o.SE or there are
// o.Max.
//
// Use it to reproduce published analyses only. If differences are either 0 or large,
// "equal" wins as soon as more than 71 % of the weight ties, however bad the rest is. A
// posterior of the mean has no such rule.
//
// NaN is a difference without a score; as in baycomp it is inside every ROPE. With rope 0
// there is no "equal": what is not larger is smaller, NaN and a tie of everything
// included. An infinite difference, an invalid rope and invalid o give a *BadValue; no
// differences give ErrNoData.
func Test(d []float64, rope float64, o Draws) (Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Result{}, err
	}
	t, err := newTies(d, rope)
	if err != nil {
		return Result{}, err
	}
	draw, g, sums := o.rand(), make([]float64, len(t.z)), make([]float64, len(t.z)+1)
	var wins triple
	for n := 0; ; {
		for range min(drawBatch, o.Max-n) {
			wins[t.drawParts(draw, g, sums).largest()]++
			n++
		}
		if se := wins.standardError(n); se < o.SE || n >= o.Max {
			all := float64(n)
			return Result{wins[0] / all, wins[1] / all, wins[2] / all, se, n}, nil
		}
	}
}

// standardError returns the largest standard error of the shares of n draws. Two draws more for and two
// against (Agresti and Coull 1998, The American Statistician 52:119–126) keep it above 0 where all draws
// agree so far.
func (t triple) standardError(n int) float64 {
	all, worst := float64(n)+4, 0.0
	for _, k := range t {
		p := (k + 2) / all
		worst = max(worst, p*(1-p))
	}
	return math.Sqrt(worst / all)
}
