package change

// FirstIsBetter tests whether the first call of each item fares better than the others, which
// are made under another condition. Wrong is the number of wrong calls of each item among its
// calls, of which there are as many for each; firstWrong is the number of items whose first call
// is wrong.
//
// Null hypothesis: the calls of an item are exchangeable. Then the first one is wrong with the
// probability wrong/calls, items are independent, and the p value is that of so few wrong first
// calls: exact, from the distribution of a sum of independent events (Poisson-binomial).
func FirstIsBetter(wrong []int, calls, firstWrong int) (p float64) {
	chance := make([]float64, len(wrong)+1) // by number of wrong first calls
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
