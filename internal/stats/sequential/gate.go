package sequential

import "verbatim/internal/stats"

// A Gate is a sequential test for non-inferiority: is the mean difference worse than 0 by
// more than a margin? It may be looked at after every block.
//
//	pass   mean ≤ -margin is rejected at alpha/2
//	worse  mean ≥ -margin is rejected at alpha/2
//
// Each kind of wrong decision has a probability of at most alpha/2, for any distribution
// of the differences (see wealth). Blocks and the finite form work as for ROPETest.
//
// Use the endpoint form (n = 0) to ask "is this endpoint still as good?". The finite form
// is about the answers that happened: of two equal endpoints with random answers, one
// often did worse by chance.
type Gate struct {
	seen     observations
	margin   float64
	alpha    float64
	bets     [2]wealth // against mean ≤ -margin and mean ≥ -margin
	decision Decision
}

// NewGate returns a gate with a margin and an error rate alpha, for n items in all, or for
// a population without end if n is 0. With a margin above 1 every mean passes at the first
// block. It rejects a margin that is negative or not finite, an alpha that is not between
// 0 and 1, and a negative n.
func NewGate(margin, alpha float64, n int) (*Gate, error) {
	if err := checkArguments("margin", margin, alpha, n); err != nil {
		return nil, err
	}
	g := &Gate{seen: newObservations(n), margin: margin, alpha: alpha}
	g.restart()
	return g, nil
}

// restart resets the bets.
func (g *Gate) restart() {
	g.bets = [2]wealth{newWealth(-g.margin, g.seen.items), newWealth(g.margin, g.seen.items)}
}

// Add takes in one block of differences and returns the decision so far. The rules are
// those of ROPETest.Add.
func (g *Gate) Add(block []float64) (Decision, error) {
	if err := g.seen.add(block); err != nil {
		return g.decision, err
	}
	if len(block) > 0 && g.decision == Undecided {
		g.bet(block, g.seen.lastAdjusted(block))
		g.decide()
	}
	return g.decision, nil
}

// bet settles both bets on a block.
func (g *Gate) bet(block, adjusted []float64) {
	g.bets[0].bet(block, adjusted, 1)
	g.bets[1].bet(block, adjusted, -1)
}

// decide uses the bets or, once all items are seen, only the mean. A mean on the margin
// passes.
func (g *Gate) decide() {
	enough := 2 / g.alpha
	switch {
	case g.seen.complete():
		g.decision = Pass
		if g.seen.mean() < -g.margin-edgeTolerance {
			g.decision = Worse
		}
	case g.bets[0].max >= enough:
		g.decision = Pass
	case g.bets[1].max >= enough:
		g.decision = Worse
	}
}

// SetBaseline gives a finite gate the baseline's scores, as ROPETest.SetBaseline does.
func (g *Gate) SetBaseline(baseline []float64) error { return g.seen.setBaseline(baseline) }

// Shrink removes the next items from a finite benchmark, as ROPETest.Shrink does.
func (g *Gate) Shrink(items int) error {
	if err := g.seen.shrink(items); err != nil {
		return err
	}
	if g.decision != Undecided {
		return nil
	}
	g.restart()
	for block, adjusted := range g.seen.blocks() {
		g.bet(block, adjusted)
	}
	if len(g.seen.values) > 0 {
		g.decide()
	}
	return nil
}

// Decision returns the decision so far: Undecided, Pass or Worse.
func (g *Gate) Decision() Decision { return g.decision }

// PValues returns the anytime-valid p-values of what Pass and Worse reject: mean ≤ -margin and mean ≥
// -margin. A finite benchmark whose items are all seen needs none: it is decided.
func (g *Gate) PValues() [2]float64 { return [2]float64{1 / g.bets[0].max, 1 / g.bets[1].max} }

// Relax raises alpha, and decides again what is undecided.
func (g *Gate) Relax(alpha float64) {
	if g.alpha = alpha; g.decision == Undecided {
		g.decide()
	}
}

// N returns the number of differences so far.
func (g *Gate) N() int { return len(g.seen.values) }

// Interval returns the anytime-valid interval of the mean, as ROPETest.Interval does.
func (g *Gate) Interval() stats.Interval { return g.IntervalAt(g.alpha) }

// IntervalAt returns the anytime-valid interval that holds the mean with probability at
// least 1 - alpha, for an alpha other than that of the test.
func (g *Gate) IntervalAt(alpha float64) stats.Interval { return g.seen.interval(2 / alpha) }

// FinalLook takes the one final look at an endpoint after its last item, without changing
// the gate. If the bets have not decided, it passes if the bounds reject mean ≤ -margin at
// alpha/2, and is worse if they reject mean ≥ -margin. For the error rate see
// ROPETest.FinalLook.
func (g *Gate) FinalLook(b Bounds) Decision {
	if g.decision != Undecided || g.seen.finite {
		return g.decision
	}
	switch atMost, atLeast := b.PValues(-g.margin); {
	case atMost <= g.alpha/2:
		return Pass
	case atLeast <= g.alpha/2:
		return Worse
	}
	return Undecided
}
