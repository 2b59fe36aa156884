package sequential

import "verbatim/internal/stats"

// ROPETest compares a mean difference with a ROPE (a region of practical
// equivalence, from -rope to rope) while the differences arrive, and may be looked
// at after every block. It decides wrongly in a share alpha of tests at most,
// whatever the differences are distributed like: it is made of four bets (see
// Wealth), two against each edge.
//
//	better      mean ≤ rope rejected at alpha/2
//	worse       mean ≥ -rope rejected at alpha/2
//	equivalent  mean ≥ rope and mean ≤ -rope both rejected at alpha
//
// A truth above rope is judged wrongly only if a true mean ≥ rope is rejected, at
// most at alpha; one inside the ROPE only if better or worse is decision, at alpha/2
// each; so the errors of a test never add up to more than alpha.
//
// The finite form (n > 0) judges the realised mean of n items asked in random
// order: it says early what the full benchmark would say, and says exactly that
// when all n were seen. The endpoint form (n = 0) judges the mean of the
// population which the differences are drawn from. It may end undecided.
//
// The first decision stands, whatever arrives after it. All values are kept.
type ROPETest struct {
	feed     feed
	rope     float64
	alpha    float64
	bets     [4]Wealth // against mean ≤ rope, ≥ -rope, ≥ rope, ≤ -rope
	decision Decision
}

// NewROPETest returns a test of a ROPE of ±rope, at error rate alpha, over n
// items in all or, where n is 0, over a population without end. With rope 0 it
// says equivalent only when the mean of all n is exactly 0; with a rope above 1
// every mean is equivalent, and the first block says so. It refuses a rope
// below 0 or not finite, an alpha outside the open interval from 0 to 1, and an n
// below 0.
func NewROPETest(rope, alpha float64, n int) (*ROPETest, error) {
	if err := checkTest("ROPE", rope, alpha, n); err != nil {
		return nil, err
	}
	s := &ROPETest{feed: newObservations(n), rope: rope, alpha: alpha}
	s.restart()
	return s, nil
}

// restart sets the bets to the start.
func (s *ROPETest) restart() {
	for i, m := range [4]float64{s.rope, s.rope, -s.rope, -s.rope} {
		s.bets[i] = newWealth(m, s.feed.items)
	}
}

// Add feeds one block of differences (see Wealth.Add) and returns the decision so
// far. Blocks are fed in the order in which they were planned, not in that of
// their arrival. In the finite form all blocks have one size, which divides n. An
// empty block changes nothing. A block that is refused, as Wealth.Add and this
// rule say, changes nothing either.
func (s *ROPETest) Add(block []float64) (Decision, error) {
	if err := s.feed.add(block); err != nil {
		return s.decision, err
	}
	if len(block) > 0 && s.decision == Undecided {
		s.bet(block, s.feed.last(block))
		s.look()
	}
	return s.decision, nil
}

// bet settles the four bets on a block.
func (s *ROPETest) bet(block, played []float64) {
	for i, sign := range [4]float64{1, -1, -1, 1} {
		s.bets[i].bet(block, played, sign)
	}
}

// look decides by the bets or, once every item was seen, by the mean alone.
func (s *ROPETest) look() {
	one, two := 1/s.alpha, 2/s.alpha
	if s.feed.complete() {
		switch m := s.feed.mean(); {
		case m > s.rope+edge:
			s.decision = Better
		case m < -s.rope-edge:
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

// SetBaseline tells a finite test, before its first block, the baseline's score of every
// item, between 0 and 1, in the order in which the differences will be fed. What a
// baseline's luck with an item does to a difference is then taken out before a bet,
// exactly and without an assumption, because the mean of the unseen items' scores
// is known: fewer items decide the same question at the same error rate. A
// difference that is not one to a score between 0 and 1 is refused from then on.
//
// It refuses the endpoint form, whose baseline is a sample itself, other numbers of
// scores than of items, and a score outside its range (a *BadValue).
func (s *ROPETest) SetBaseline(baseline []float64) error { return s.feed.setBaseline(baseline) }

// Shrink takes the next items, in planned order, out of a finite benchmark, since
// they cannot be answered: a whole block where blocks hold several. The test
// becomes what it would be, had the benchmark been the smaller one from the start,
// and a decision already made stands. Read Decision afterwards: the last unseen
// items may have left. Where none is left and none was seen, there is nothing to
// decide.
//
// It refuses the endpoint form, which has no number of items, fewer than 0 or more
// items than are unseen, and parts of blocks.
func (s *ROPETest) Shrink(items int) error {
	if err := s.feed.shrink(items); err != nil {
		return err
	}
	if s.decision != Undecided {
		return nil
	}
	s.restart()
	for block, played := range s.feed.blocks() {
		s.bet(block, played)
	}
	if len(s.feed.x) > 0 {
		s.look()
	}
	return nil
}

// Decision returns the decision so far, Undecided where there is none.
func (s *ROPETest) Decision() Decision { return s.decision }

// N returns the number of differences fed so far.
func (s *ROPETest) N() int { return len(s.feed.x) }

// Interval returns an interval which holds the mean (of the benchmark, or of the
// population) with probability 1 - alpha at least, at whatever moment the test
// stops and however that moment was chosen. Its ends are the means that bets at
// alpha/2 have not rejected, to 1e-9; since equivalent needs alpha a side only,
// they may then lie a little outside the ROPE. Where bets have rejected every mean,
// which values in random order do at most in a share alpha of all tests, it is -1
// to 1. It costs about a millisecond for some hundred differences.
func (s *ROPETest) Interval() stats.Interval { return s.feed.interval(2 / s.alpha) }

// Last takes the one last look at an endpoint whose items are used up, without
// changing the test: where bets have not decided, better or worse, or equivalent,
// if the posterior p of the mean difference gives it 1 - alpha/2 or more. In the
// finite form, which ends decided, it returns Decision.
//
// This look is not a bet. It may be taken once, at a number of items fixed before,
// and its error rate is that of the posterior, near alpha/2 for each word, simulated
// and not proved. With the bets before it, each word is wrong in about a share alpha
// of tests at most, which needs a truth on the edge.
func (s *ROPETest) Last(p Posterior) Decision {
	if s.decision != Undecided || s.feed.finite {
		return s.decision
	}
	sure := 1 - s.alpha/2
	above, below := p.Above(s.rope), 1-p.Above(-s.rope)
	switch {
	case above >= sure:
		return Better
	case below >= sure:
		return Worse
	case 1-above-below >= sure:
		return Equivalent
	}
	return Undecided
}
