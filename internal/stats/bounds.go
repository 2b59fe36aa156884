package stats

// Bounds are bounds of the mean of differences between -1 and 1 for an error rate that holds
// at any number of items (Gaffke 2005, Three test statistics for a nonparametric one-sided
// hypothesis on the mean of a nonnegative variable, Mathematical Methods of Statistics
// 14:451–467): the Bayesian bootstrap with one whole anchor at the end of the range against
// which is tested. A posterior passes over failures that are too rare to be seen.
//
// For differences of two values, one of them that end, they are the exact bounds of Clopper
// and Pearson (1934, Biometrika 26:404–413). For -1, 0 and 1 the error rates are enumerated
// (TestBoundsHold). For other differences they are conjectured, and no exception is known. If
// stratified they are measured: a rate of 5 % is exceeded by up to 0.6 points with two items a cell.
type Bounds struct{ low, high *Posterior }

// Bounds returns the bounds of the mean of all differences, or for a stratified design, see
// StratifiedPosterior. They need independent items. Without a difference it returns ErrNoData.
func (s *Strata) Bounds(stratified bool) (b Bounds, err error) {
	move := unmoved
	if stratified {
		if s.HasSingletons() {
			return b, ErrSingleton
		}
		move = stretched
	}
	if b.low, err = s.anchored([]float64{-1}, 1, move); err == nil {
		b.high, err = s.anchored([]float64{1}, 1, move)
	}
	return b, err
}

// PValues returns the p-values of two hypotheses: that the mean is at most c, and that it is at
// least c.
func (b Bounds) PValues(c float64) (atMost, atLeast float64) {
	return 1 - b.low.Above(c), b.high.Above(c)
}

// Interval returns the means that neither bound rejects at half of 1 - confidence.
func (b Bounds) Interval(confidence float64) Interval {
	return Interval{b.low.Interval(confidence).Low, b.high.Interval(confidence).High}
}
