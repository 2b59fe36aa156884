package signedrank

import "math"

// A Result is the posterior of the Bayesian signed rank test: how likely
// differences are, by the weight of their pairwise sums, to be mostly below, inside
// or above the region of practical equivalence (ROPE).
type Result struct {
	Smaller, Equal, Larger float64
	SE                     float64 // the greatest standard error of the three; 0 where they are exact
	Draws                  int     // 0 where they are exact
}

// Test is the Bayesian signed rank test of paired differences d (Benavoli,
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
// 1947, Annals of Mathematical Statistics 18:105–110), and what is known of the weights
// of the others is used as control variates: the same accuracy with some twentieth of
// the draws, and no sampling at all where there are only two classes. Draws come in
// batches of 1,000 until SE is below o.SE or o.Most are made.
//
// A NaN is a difference without a score: as in baycomp it lies inside every ROPE.
// With rope 0 there is no "equal": what is not larger is smaller, NaN and a tie of
// everything included. It is a *BadValue if a difference is infinite, if rope is
// negative, infinite or NaN, or if o has no meaning, and ErrNoData if d is empty.
func Test(d []float64, rope float64, o Draws) (Result, error) {
	o, err := o.settled()
	if err != nil {
		return Result{}, err
	}
	t, err := newTies(d, rope)
	if err != nil {
		return Result{}, err
	}
	lead := t.lead()
	if lead.alone() {
		var p thirds
		p[lead.itself.largest()] = 1
		return p.result(), nil
	}
	if lead.exact {
		with, among := lead.expected()
		return lead.chances(with, among).result(), nil
	}
	return lead.sample(o), nil
}

// sample draws the shares of the other classes until the result is certain enough.
func (l *tieLead) sample(o Draws) Result {
	var (
		draw                = o.rand()
		g, sums             = make([]float64, len(l.others.z)), make([]float64, len(l.others.z)+1)
		meanWith, meanAmong = l.expected()
		c                   controls
	)
	for {
		for range min(drawBatch, o.Most-c.n) {
			among, total := l.others.weigh(draw, g, sums)
			for q := range among {
				among[q] /= total * total
			}
			with := l.with(sums, total)
			c.add(control{
				with[0] - meanWith[0], with[2] - meanWith[2],
				among[0] - meanAmong[0], among[2] - meanAmong[2],
			}, l.chances(with, among))
		}
		if r := c.result(); r.SE < o.SE || r.Draws >= o.Most {
			return r
		}
	}
}

// result is an exact one.
func (t thirds) result() Result {
	return Result{Smaller: t[0], Equal: t[1], Larger: t[2]}
}

// Plain is Test by o.Most draws of all weights, as baycomp does it:
// its standard error is that of a frequency. It is what Test is tested with.
func Plain(d []float64, rope float64, o Draws) (Result, error) {
	o, err := o.settled()
	if err != nil {
		return Result{}, err
	}
	t, err := newTies(d, rope)
	if err != nil {
		return Result{}, err
	}
	draw, g, sums := o.rand(), make([]float64, len(t.z)), make([]float64, len(t.z)+1)
	var wins thirds
	for range o.Most {
		parts, _ := t.weigh(draw, g, sums)
		wins[parts.largest()]++
	}
	n, worst := float64(o.Most), 0.0
	for q := range wins {
		wins[q] /= n
		worst = max(worst, wins[q]*(1-wins[q]))
	}
	return Result{wins[0], wins[1], wins[2], math.Sqrt(worst / n), o.Most}, nil
}
