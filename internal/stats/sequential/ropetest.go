package sequential

import "verbatim/internal/stats"

// A ROPETest is a sequential test of a mean difference against a ROPE (region of practical
// equivalence) from -rope to rope. It may be looked at after every block. At most a share
// alpha of tests decide wrongly, for any distribution of the differences. It makes four
// bets (see wealth), two at each edge:
//
//	better      mean ≤ rope is rejected at alpha/2
//	worse       mean ≥ -rope is rejected at alpha/2
//	equivalent  mean ≥ rope and mean ≤ -rope are both rejected at alpha
//
// If the true mean is above rope, a wrong decision needs the rejection of mean ≥ rope: at
// most alpha. If it is inside the ROPE, the wrong decisions are better and worse: alpha/2
// each. So the errors of a test never add up to more than alpha.
//
// The finite form (n > 0) is about the mean of n items sent in random order. It predicts
// the decision of the full benchmark, and gives exactly that decision once all n are seen.
// The endpoint form (n = 0) is about the mean of the population; it may end undecided.
//
// The first decision is final. All values are kept.
type ROPETest struct {
	seen     observations
	rope     float64
	alpha    float64
	bets     [4]wealth // against mean ≤ rope, ≥ -rope, ≥ rope, ≤ -rope
	decision Decision
}

// NewROPETest returns a test with a ROPE of ±rope and an error rate alpha, for n items in
// all, or for a population without end if n is 0. With rope 0 the decision is equivalent
// only if the mean of all n is exactly 0. With a rope above 1 every mean is equivalent at
// the first block. It rejects a rope that is negative or not finite, an alpha that is not
// between 0 and 1, and a negative n.
func NewROPETest(rope, alpha float64, n int) (*ROPETest, error) {
	if err := checkArguments("ROPE", rope, alpha, n); err != nil {
		return nil, err
	}
	s := &ROPETest{seen: newObservations(n), rope: rope, alpha: alpha}
	s.restart()
	return s, nil
}

// restart resets the bets.
func (s *ROPETest) restart() {
	for i, m := range [4]float64{s.rope, s.rope, -s.rope, -s.rope} {
		s.bets[i] = newWealth(m, s.seen.items)
	}
}

// Add takes in one block of differences and returns the decision so far. A block has one
// difference, or one of every stratum of a design with equal strata. Strata may differ in
// their means: the expected product of the factors of the bets is at most what the mean of
// the strata gives (inequality of arithmetic and geometric means).
//
// Blocks must be added in planned order, not in order of arrival. In the finite form all
// blocks have one size, which divides n. A difference that is NaN or outside [-1, 1] gives a
// *stats.BadValue. An empty block and a rejected block change nothing.
func (s *ROPETest) Add(block []float64) (Decision, error) {
	if err := s.seen.add(block); err != nil {
		return s.decision, err
	}
	if len(block) > 0 && s.decision == Undecided {
		s.bet(block, s.seen.lastAdjusted(block))
		s.decide()
	}
	return s.decision, nil
}

// bet settles the four bets on a block.
func (s *ROPETest) bet(block, adjusted []float64) {
	for i, sign := range [4]float64{1, -1, -1, 1} {
		s.bets[i].bet(block, adjusted, sign)
	}
}

// decide uses the bets or, once all items are seen, only the mean.
func (s *ROPETest) decide() {
	one, two := 1/s.alpha, 2/s.alpha
	if s.seen.complete() {
		switch m := s.seen.mean(); {
		case m > s.rope+edgeTolerance:
			s.decision = Better
		case m < -s.rope-edgeTolerance:
			s.decision = Worse
		default:
			s.decision = Equivalent
		}
		return
	}
	switch {
	case s.bets[0].max >= two:
		s.decision = Better
	case s.bets[1].max >= two:
		s.decision = Worse
	case s.bets[2].max >= one && s.bets[3].max >= one && s.rope > 0:
		s.decision = Equivalent
	}
}

// SetBaseline gives a finite test the baseline's score of every item, between 0 and 1, in
// the order of the differences. It must come before the first block. The scores are used
// as control variate: luck of the baseline is removed from a difference before a bet. This
// is exact and needs no assumption, because the mean of the unseen scores is known. Fewer
// items then decide at the same error rate. From then on, a difference that is not one to
// a score between 0 and 1 is rejected.
//
// It rejects the endpoint form, whose baseline is itself a sample, a number of scores
// other than n, and a score outside [0, 1] (a *BadValue).
func (s *ROPETest) SetBaseline(baseline []float64) error { return s.seen.setBaseline(baseline) }

// Shrink removes the next items in planned order from a finite benchmark, because they
// have no answer. With blocks of several items, whole blocks must be removed. The test
// then is as if the benchmark had been smaller from the start; a decision stays. Read
// Decision afterwards, because the last unseen items may be gone. If no item is left and
// none was seen, the test stays undecided.
//
// It rejects the endpoint form, negative numbers, more items than are unseen, and parts of
// blocks.
func (s *ROPETest) Shrink(items int) error {
	if err := s.seen.shrink(items); err != nil {
		return err
	}
	if s.decision != Undecided {
		return nil
	}
	s.restart()
	for block, adjusted := range s.seen.blocks() {
		s.bet(block, adjusted)
	}
	if len(s.seen.values) > 0 {
		s.decide()
	}
	return nil
}

// Decision returns the decision so far.
func (s *ROPETest) Decision() Decision { return s.decision }

// N returns the number of differences so far.
func (s *ROPETest) N() int { return len(s.seen.values) }

// Interval returns the anytime-valid interval: it holds the mean (of the benchmark or of
// the population) with probability at least 1 - alpha, at any stopping time. Its ends are
// the means that bets at alpha/2 have not rejected, to 1e-9. Equivalence needs only alpha
// on each side, so the ends may then be slightly outside the ROPE. If bets have rejected
// every mean, which happens in at most a share alpha of tests, it is -1 to 1. It takes
// about a millisecond for some hundred differences.
func (s *ROPETest) Interval() stats.Interval { return s.IntervalAt(s.alpha) }

// IntervalAt returns the anytime-valid interval that holds the mean with probability at
// least 1 - alpha, for an alpha other than that of the test.
func (s *ROPETest) IntervalAt(alpha float64) stats.Interval { return s.seen.interval(2 / alpha) }

// FinalLook takes the one final look at an endpoint after its last item, without changing
// the test. If the bets have not decided, the decision is better, worse or equivalent if
// the bounds reject at alpha/2 what it excludes. The finite form returns Decision.
//
// This look is not a bet. It may be taken once, at a number of items that was fixed in
// advance. Its error rate is at most alpha/2 for each decision, see stats.Bounds. With the
// bets before it, worse and better are each wrong in at most a share alpha of tests.
func (s *ROPETest) FinalLook(b Bounds) Decision {
	if s.decision != Undecided || s.seen.finite {
		return s.decision
	}
	belowHigh, aboveHigh := b.PValues(s.rope)
	belowLow, aboveLow := b.PValues(-s.rope)
	switch most := s.alpha / 2; {
	case belowHigh <= most:
		return Better
	case aboveLow <= most:
		return Worse
	case belowLow <= most && aboveHigh <= most:
		return Equivalent
	}
	return Undecided
}
