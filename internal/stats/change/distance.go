package change

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// LogProbs holds the log probabilities (natural logarithm, in nats) of the alternatives
// that a server lists for one token, by token.
type LogProbs map[string]float64

// ErrNoLogProbs is returned for a reply without log probabilities. Such a reply is missing
// data. It is never a difference.
var ErrNoLogProbs = errors.New("change: a reply without log probabilities")

// check rejects an empty list and values that are not log probabilities.
func (l LogProbs) check() error {
	if len(l) == 0 {
		return ErrNoLogProbs
	}
	for token, x := range l {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("change: the log probability of %q is %v", token, x)
		}
	}
	return nil
}

// lowest is the lowest log probability of a list, an upper bound for every token that the
// list leaves out.
func (l LogProbs) lowest() float64 {
	low := math.Inf(1)
	for _, x := range l {
		low = min(low, x)
	}
	return low
}

// of returns the log probability of a token, or low where the list leaves it out.
func (l LogProbs) of(token string, low float64) float64 {
	if x, ok := l[token]; ok {
		return x
	}
	return low
}

// Distance returns how far two lists are apart, in nats: the mean absolute difference over
// the tokens of either list. A token that one list leaves out counts with the lowest value
// of that list (left-censoring, as in log probability tracking). It is 0 for equal lists,
// symmetric, and never negative. It is not a metric: censoring can break the triangle
// inequality.
func Distance(a, b LogProbs) (float64, error) {
	if err := errors.Join(a.check(), b.check()); err != nil {
		return 0, err
	}
	return distance(a, b), nil
}

// distance is Distance for lists that are valid.
func distance(a, b LogProbs) float64 {
	lowA, lowB := a.lowest(), b.lowest()
	sum := 0.0
	all := tokens(a, b)
	for _, token := range all {
		sum += math.Abs(a.of(token, lowA) - b.of(token, lowB))
	}
	return sum / float64(len(all))
}

// tokens returns the tokens of all lists in one order, so that sums do not depend on the
// order of a map.
func tokens(lists ...LogProbs) []string {
	seen := map[string]bool{}
	for _, l := range lists {
		for token := range l {
			seen[token] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// FirstIsBetter tests whether the first call of each item is right more often than its other
// calls, which are made under another condition. Every item has the same number of calls; wrong
// holds the number of wrong calls of each item. firstWrong is the number of items whose first
// call is wrong.
//
// Null hypothesis: the calls of an item are exchangeable. Then its first call is wrong with
// probability wrong/calls. The p-value is the probability of at most firstWrong wrong first
// calls. It is exact for independent items (Poisson-binomial distribution).
func FirstIsBetter(wrong []int, calls, firstWrong int) (p float64) {
	chance := make([]float64, len(wrong)+1) // P(k wrong first calls), by k
	chance[0] = 1
	for i, n := range wrong {
		q := float64(n) / float64(calls)
		for k := i + 1; k > 0; k-- {
			chance[k] = chance[k]*(1-q) + chance[k-1]*q
		}
		chance[0] *= 1 - q
	}
	for k := 0; k <= min(firstWrong, len(wrong)); k++ {
		p += chance[k]
	}
	return min(1, p)
}
