package stats

import "math"

// A SignedRankResult is the posterior of the Bayesian signed rank test: how likely
// differences are, by the weight of their pairwise sums, to be mostly below, inside
// or above the region of practical equivalence (ROPE).
type SignedRankResult struct {
	Smaller, Equal, Larger float64
	SE                     float64 // the greatest standard error of the three; 0 where sampling adds none
	Draws                  int
}

// SignedRank is the Bayesian signed rank test of paired differences d (Benavoli,
// Mangili, Corani, Zaffalon and Ruggeri 2014, ICML, PMLR 32:1026–1034; baycomp 1.0.3,
// SignedRankTest) with the ROPE from -rope to rope and a prior of weight 1/2 on a
// difference of 0. Under weights w with a Dirichlet distribution every ordered pair
// of differences, each with itself included, gives w_i·w_j to "larger" if the sum of
// the two is above 2·rope, to "smaller" if it is below -2·rope, and half of it to one
// of them on those edges; the rest is "equal". Each probability is how often its part
// is the largest of the three, the first of smaller, equal and larger among equals.
//
// It is here to reproduce published analyses, not to judge by. Where differences are
// either 0 or large, "equal" wins as soon as more than 71 % of the weight ties,
// however bad the rest; a posterior of the mean has no such rule.
//
// The weight of the largest class of tied differences is integrated out (Blackwell
// 1947, Annals of Mathematical Statistics 18:105–110): the same accuracy with some
// tenth of the draws, and no sampling at all where there are only two classes. Draws
// come in batches of 1,000 until SE is below o.SE or o.Most are made.
//
// A NaN is a difference without a score: as in baycomp it lies inside every ROPE.
// With rope 0 there is no "equal": what is not larger is smaller, NaN and a tie of
// everything included. It is a *BadValue if a difference is infinite, if rope is
// negative, infinite or NaN, or if o has no meaning, and an error if d is empty.
func SignedRank(d []float64, rope float64, o Draws) (SignedRankResult, error) {
	o, err := o.settled()
	if err != nil {
		return SignedRankResult{}, err
	}
	t, err := newTies(d, rope)
	if err != nil {
		return SignedRankResult{}, err
	}
	var (
		lead  = t.lead()
		draw  = o.rand()
		g     = make([]float64, len(t.z))
		sums  = make([]float64, len(t.z)+1)
		tally thirdsTally
	)
	if lead.alone() {
		var p thirds
		p[lead.itself.largest()] = 1
		tally.add(p)
		return tally.result(), nil
	}
	for {
		for range min(drawBatch, o.Most-tally.n) {
			parts, total := t.weigh(draw, g, sums)
			for q := range parts {
				parts[q] /= total * total
			}
			tally.add(lead.chances(lead.with(sums, total), parts))
			if lead.exact {
				return tally.result(), nil
			}
		}
		if r := tally.result(); r.SE < o.SE || r.Draws >= o.Most {
			return r, nil
		}
	}
}

// SignedRankPlain is SignedRank by o.Most draws of all weights, as baycomp does it:
// its standard error is that of a frequency. It is what SignedRank is tested with.
func SignedRankPlain(d []float64, rope float64, o Draws) (SignedRankResult, error) {
	o, err := o.settled()
	if err != nil {
		return SignedRankResult{}, err
	}
	t, err := newTies(d, rope)
	if err != nil {
		return SignedRankResult{}, err
	}
	draw, g, sums := o.rand(), make([]float64, len(t.z)), make([]float64, len(t.z)+1)
	var tally thirdsTally
	for range o.Most {
		parts, _ := t.weigh(draw, g, sums)
		var p thirds
		p[parts.largest()] = 1
		tally.add(p)
	}
	return tally.result(), nil
}

// A thirdsTally is the mean of probabilities, and how much they differ.
type thirdsTally struct {
	n            int
	sum, squares thirds
}

func (t *thirdsTally) add(p thirds) {
	t.n++
	for q, v := range p {
		t.sum[q] += v
		t.squares[q] += v * v
	}
}

// result returns the means with the greatest of their standard errors, which is 0
// after a single draw: there is one only where it is exact.
func (t *thirdsTally) result() SignedRankResult {
	n := float64(t.n)
	worst := 0.0
	for q, sum := range t.sum {
		if t.n > 1 {
			// Rounding can take the variance of equal numbers below 0.
			worst = max(worst, (t.squares[q]-sum*sum/n)/(n-1))
		}
	}
	return SignedRankResult{t.sum[0] / n, t.sum[1] / n, t.sum[2] / n, math.Sqrt(worst / n), t.n}
}
