package stats

// Gate asks of differences that arrive one after another whether the mean is worse
// than 0 by more than a margin, and may be looked at after every block:
//
//	pass   mean ≤ -margin rejected at alpha/2
//	worse  mean ≥ -margin rejected at alpha/2
//
// so that each kind of wrong decision has a probability of alpha/2 at most,
// whatever the differences are distributed like (see Capital). It has the forms
// of Sequential, whose rules on blocks and on what is kept hold here too.
// The endpoint form (n = 0) is the one for "is this endpoint still as good?": the
// finite form judges the answers that happened, and of two equal endpoints which
// answer at random one has often happened to do worse.
type Gate struct {
	feed   feed
	margin float64
	alpha  float64
	bets   [2]Capital // against mean ≤ -margin and mean ≥ -margin
	said   Decision
}

// NewGate returns a gate at a margin, at error rate alpha, over n items in all or,
// where n is 0, over a population without end. With a margin above 1 every mean
// passes, and the first block says so. It refuses a margin below 0 or not finite,
// an alpha outside the open interval from 0 to 1, and an n below 0.
func NewGate(margin, alpha float64, n int) (*Gate, error) {
	if err := checkTest("margin", margin, alpha, n); err != nil {
		return nil, err
	}
	g := &Gate{feed: newFeed(n), margin: margin, alpha: alpha}
	g.restart()
	return g, nil
}

// restart sets the bets to the start.
func (g *Gate) restart() {
	g.bets = [2]Capital{newCapital(-g.margin, g.feed.items), newCapital(g.margin, g.feed.items)}
}

// Add feeds one block of differences and returns the decision so far, by the rules
// of Sequential.Add.
func (g *Gate) Add(block []float64) (Decision, error) {
	if err := g.feed.add(block); err != nil {
		return g.said, err
	}
	if len(block) > 0 && g.said == Undecided {
		g.bet(block, g.feed.last(block))
		g.look()
	}
	return g.said, nil
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
		g.said = Pass
		if g.feed.mean() < -g.margin-edge {
			g.said = Worse
		}
	case g.bets[0].max >= enough:
		g.said = Pass
	case g.bets[1].max >= enough:
		g.said = Worse
	}
}

// Know tells a finite gate the baseline's scores, as Sequential.Know does.
func (g *Gate) Know(baseline []float64) error { return g.feed.know(baseline) }

// Shrink takes the next items out of a finite benchmark, since they cannot be
// answered, as Sequential.Shrink does.
func (g *Gate) Shrink(items int) error {
	if err := g.feed.shrink(items); err != nil {
		return err
	}
	if g.said != Undecided {
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
func (g *Gate) Decision() Decision { return g.said }

// N returns the number of differences fed so far.
func (g *Gate) N() int { return len(g.feed.x) }

// Interval returns an interval of the mean as Sequential.Interval does.
func (g *Gate) Interval() Interval { return g.feed.interval(2 / g.alpha) }

// Last takes the one last look at an endpoint whose items are used up, without
// changing the gate: where bets have not decided, pass if the posterior p of the
// mean difference gives P(mean > -margin) ≥ 1 - alpha/2, worse if ≤ alpha/2. What
// Sequential.Last says of error rates holds here.
func (g *Gate) Last(p Tail) Decision {
	if g.said != Undecided || g.feed.finite {
		return g.said
	}
	switch above := p.Above(-g.margin); {
	case above >= 1-g.alpha/2:
		return Pass
	case above <= g.alpha/2:
		return Worse
	}
	return Undecided
}
