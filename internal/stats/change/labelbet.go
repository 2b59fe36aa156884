package change

import "math"

// labelOdds is the factor by which a LabelBet assumes the odds of a reply of the class to be
// higher on one side. It is high because the other side may never give such a reply. It is
// finite, so that a single one there does not end the bet.
const labelOdds = 100

// LabelBet returns what is left of 1 after a bet that side A gives more replies of a class, as a,
// and after a bet that side B does, as b. Both sides have r replies, onA and onB of them of the
// class.
//
// Null hypothesis: as for a LabelTest, the replies of both sides are exchangeable. Then, given all
// replies, the number on side A is hypergeometric. A bet pays a ratio of two probabilities of that
// number: with odds that are labelOdds times as high on one side, and without. Its mean is 1.
// A product of bets is an e-process if the class of each follows from earlier calls and from its
// own replies without their sides: the probability that it ever reaches c is at most 1/c.
//
// The class may be every reply but the most frequent one. If one side never gives such a reply,
// and the other gives j of r, the bet pays nearly (2r over j) / (r over j).
func LabelBet(r, onA, onB int) (a, b float64) {
	all := onA + onB
	payoff := func(sign float64) float64 { // 1: of a bet on side A, -1: on side B
		sum := 0.0
		for x := max(0, all-r); x <= min(r, all); x++ {
			sum += math.Exp(logChoose(r, x) + logChoose(r, all-x) - logChoose(2*r, all) + sign*float64(x-onA)*math.Log(labelOdds))
		}
		return 1 / sum
	}
	return payoff(1), payoff(-1)
}
