package stats

// PassAtK estimates, from an item with right of n answers right, the probability that at
// least one of k answers is right: 1 − C(n−right, k)/C(n, k). It is unbiased (Chen et al.
// 2021, arXiv:2107.03374). k must be from 1 to n, and right from 0 to n.
func PassAtK(right, n, k int64) float64 { return 1 - AllAtK(n-right, n, k) }

// AllAtK estimates the probability that all of k answers are right: C(right, k)/C(n, k). It
// is unbiased. Its arguments have the same bounds as those of PassAtK.
func AllAtK(right, n, k int64) float64 {
	p := 1.0
	for i := range k { // draw right answers one after the other, without replacement
		p *= float64(max(right-i, 0)) / float64(n-i)
	}
	return p
}
