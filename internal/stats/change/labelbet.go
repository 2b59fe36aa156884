package change

import "math"

// labelOdds is how many times as high the odds of a reply of a class are, for a LabelBet, on the
// side that it bets on. It is so high because one side may never give such a reply; and finite, so
// that a single one on the other side does not end the bet.
const labelOdds = 100

// LabelBet returns what is left of 1 after a bet that side A gives the replies of a class, and after
// a bet that side B does. Both sides have r replies, onA and onB of them of the class.
//
// Null hypothesis: as for a LabelTest, the replies of both sides are exchangeable. Then, given all
// replies, the number on side A is hypergeometric. The bet pays the ratio of its probability if the
// odds on one side are labelOdds times as high, to that without: its mean is 1. So a product of
// bets is an e-process, if the class of each is known from earlier calls and from its own replies
// without their sides: the probability that it ever reaches c is at most 1/c.
//
// The class may be every reply but the most frequent one. If a side never gives any of these, and
// the other gives j of r, the bet pays nearly (2r over j) / (r over j).
func LabelBet(r, onA, onB int) (a, b float64) {
	all := onA + onB
	least, most := max(0, all-r), min(r, all)
	mean := func(observed int, side func(onA int) int) float64 {
		sum := 0.0
		for x := least; x <= most; x++ {
			sum += math.Exp(logChoose(r, x) + logChoose(r, all-x) - logChoose(2*r, all) + float64(side(x)-observed)*math.Log(labelOdds))
		}
		return 1 / sum
	}
	return mean(onA, func(x int) int { return x }), mean(onB, func(x int) int { return all - x })
}

// logChoose returns the logarithm of n over k.
func logChoose(n, k int) float64 {
	gamma := func(x int) float64 {
		g, _ := math.Lgamma(float64(x) + 1)
		return g
	}
	return gamma(n) - gamma(k) - gamma(n-k)
}
