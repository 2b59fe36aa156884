package signedrank

// A Result is the posterior of the Bayesian signed-rank test: the probabilities that
// differences are mostly below, inside or above the ROPE, by the weight of their pairwise
// sums.
type Result struct {
	Smaller, Equal, Larger float64
	SE                     float64 // the largest standard error of the three; 0 if exact
	Draws                  int     // 0 if exact
}

// Test is the Bayesian signed-rank test of paired differences d (Benavoli, Mangili,
// Corani, Zaffalon and Ruggeri 2014, ICML, PMLR 32:1026–1034; baycomp 1.0.3,
// SignedRankTest) with the ROPE from -rope to rope. The prior has weight 1/2 on a
// difference of 0.
//
// Under Dirichlet weights w, every ordered pair of differences, each with itself included,
// gives w_i·w_j to "larger" if its sum is above 2·rope, to "smaller" if it is below
// -2·rope, half of it on those edges, and the rest to "equal". A probability is how often
// its part is the largest of the three; ties go to the first of smaller, equal and larger.
//
// Use it to reproduce published analyses only. If differences are either 0 or large,
// "equal" wins as soon as more than 71 % of the weight ties, however bad the rest is. A
// posterior of the mean has no such rule.
//
// The weight of the largest class of ties is integrated out (Blackwell 1947, Annals of
// Mathematical Statistics 18:105–110), and known expectations of the others are used as
// control variates. This needs about a twentieth of the draws, and none if there are only
// two classes. Draws come in batches of 1,000 until SE is below o.SE or there are o.Max.
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
	lead := t.splitLargest()
	if lead.alone() {
		var p triple
		p[lead.itself.largest()] = 1
		return p.result(), nil
	}
	if lead.exact {
		with, among := lead.expected()
		return lead.winProbabilities(with, among).result(), nil
	}
	return lead.sample(o), nil
}

// sample draws the weights of the other classes until the result is accurate enough.
func (l *largestTie) sample(o Draws) Result {
	var (
		draw                = o.rand()
		g, sums             = make([]float64, len(l.others.z)), make([]float64, len(l.others.z)+1)
		meanWith, meanAmong = l.expected()
		c                   controlVariates
	)
	for {
		for range min(drawBatch, o.Max-c.n) {
			among, total := l.others.drawParts(draw, g, sums)
			for q := range among {
				among[q] /= total * total
			}
			with := l.with(sums, total)
			c.add(controlVector{
				with[0] - meanWith[0], with[2] - meanWith[2],
				among[0] - meanAmong[0], among[2] - meanAmong[2],
			}, l.winProbabilities(with, among))
		}
		if r := c.result(); r.SE < o.SE || r.Draws >= o.Max {
			return r
		}
	}
}

// result returns t as an exact result.
func (t triple) result() Result {
	return Result{Smaller: t[0], Equal: t[1], Larger: t[2]}
}
