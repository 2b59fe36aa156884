package change

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
