package sequential

import "verbatim/internal/stats"

// Gate asks of differences that arrive one after another whether the mean is worse
// than 0 by more than a margin, and may be looked at after every block:
//
//	pass   mean ≤ -margin rejected at alpha/2
//	worse  mean ≥ -margin rejected at alpha/2
//
// so that each kind of wrong decision has a probability of alpha/2 at most,
// whatever the differences are distributed like (see Wealth). It has the forms
// of ROPETest, whose rules on blocks and on what is kept hold here too.
// The endpoint form (n = 0) is the one for "is this endpoint still as good?": the
// finite form judges the answers that happened, and of two equal endpoints which
// answer at random one has often happened to do worse.
type Gate struct {
	feed     feed
	margin   float64
	alpha    float64
	bets     [2]Wealth // against mean ≤ -margin and mean ≥ -margin
	decision Decision
}

// NewGate returns a gate at a margin, at error rate alpha, over n items in all or,
// where n is 0, over a population without end. With a margin above 1 every mean
// passes, and the first block says so. It refuses a margin below 0 or not finite,
// an alpha outside the open interval from 0 to 1, and an n below 0.
func NewGate(margin, alpha float64, n int) (*Gate, error) {
	if err := checkTest("margin", margin, alpha, n); err != nil {
		return nil, err
	}
	g := &Gate{feed: newObservations(n), margin: margin, alpha: alpha}
	g.restart()
	return g, nil
}

// restart sets the bets to the start.
func (g *Gate) restart() {
	g.bets = [2]Wealth{newWealth(-g.margin, g.feed.items), newWealth(g.margin, g.feed.items)}
}

// Add feeds one block of differences and returns the decision so far, by the rules
// of ROPETest.Add.
func (g *Gate) Add(block []float64) (Decision, error) {
	if err := g.feed.add(block); err != nil {
		return g.decision, err
	}
	if len(block) > 0 && g.decision == Undecided {
		g.bet(block, g.feed.last(block))
		g.look()
	}
	return g.decision, nil
}

// bet settles both bets on a block.
func (g *Gate) bet(block, played []float64) {
	g.bets[0].bet(block, played, 1)
	g.bets[1].bet(block, played, -1)
}

// look decides by the bets or, once every item was seen, by the mean alone: a mean
// on the margin is not worse by more than it.
func (g *Gate) look() {
	enough := 2 / g.alpha
	switch {
	case g.feed.complete():
		g.decision = Pass
		if g.feed.mean() < -g.margin-edge {
			g.decision = Worse
		}
	case g.bets[0].max >= enough:
		g.decision = Pass
	case g.bets[1].max >= enough:
		g.decision = Worse
	}
}

// SetBaseline tells a finite gate the baseline's scores, as ROPETest.SetBaseline does.
func (g *Gate) SetBaseline(baseline []float64) error { return g.feed.setBaseline(baseline) }

// Shrink takes the next items out of a finite benchmark, since they cannot be
// answered, as ROPETest.Shrink does.
func (g *Gate) Shrink(items int) error {
	if err := g.feed.shrink(items); err != nil {
		return err
	}
	if g.decision != Undecided {
		return nil
	}
	g.restart()
	for block, played := range g.feed.blocks() {
		g.bet(block, played)
	}
	if len(g.feed.x) > 0 {
		g.look()
	}
	return nil
}

// Decision returns the decision so far: Undecided, Pass or Worse.
func (g *Gate) Decision() Decision { return g.decision }

// N returns the number of differences fed so far.
func (g *Gate) N() int { return len(g.feed.x) }

// Interval returns an interval of the mean as ROPETest.Interval does.
func (g *Gate) Interval() stats.Interval { return g.feed.interval(2 / g.alpha) }

// Last takes the one last look at an endpoint whose items are used up, without
// changing the gate: where bets have not decided, pass if the posterior p of the
// mean difference gives P(mean > -margin) ≥ 1 - alpha/2, worse if ≤ alpha/2. What
// ROPETest.Last says of error rates holds here.
func (g *Gate) Last(p Posterior) Decision {
	if g.decision != Undecided || g.feed.finite {
		return g.decision
	}
	switch above := p.Above(-g.margin); {
	case above >= 1-g.alpha/2:
		return Pass
	case above <= g.alpha/2:
		return Worse
	}
	return Undecided
}
