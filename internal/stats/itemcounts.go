package stats

// ItemCounts are sums for the interval of a share of right answers to items with several
// trials. The answers to one item are a cluster. All sums are whole numbers, so the order
// of the items does not matter. The zero value is ready.
type ItemCounts struct {
	Items, Answers, Right int64

	rightSquares, answerSquares, products int64
}

// Add counts one item: right of its answers are right. It must have an answer.
func (c *ItemCounts) Add(right, answers int64) { c.addTimes(1, right, answers) }

// addTimes counts items with the same answers.
func (c *ItemCounts) addTimes(items, right, answers int64) {
	c.Items += items
	c.Answers += items * answers
	c.Right += items * right
	c.rightSquares += items * right * right
	c.answerSquares += items * answers * answers
	c.products += items * right * answers
}

// Effective returns the number of independent answers that vary as much as these do: from
// the number of items, if all answers to an item agree, to the number of answers. It is
// p(1−p)/V, where V is the linearised variance of the share p over items as clusters
// (Cochran 1977, Sampling Techniques, 3rd ed., section 9A.2).
func (c *ItemCounts) effective() float64 {
	items, all := float64(c.Items), float64(c.Answers)
	if c.Right == 0 || c.Right == c.Answers || c.Items < 2 { // the variance between items is unknown
		return items
	}
	p := float64(c.Right) / all
	squares := float64(c.rightSquares) - 2*p*float64(c.products) + p*p*float64(c.answerSquares)
	variance := items / (items - 1) * squares / (all * all)
	if !(variance > 0) { // all items have the same share
		return all
	}
	return min(max(p*(1-p)/variance, items), all)
}

// Even reports whether all items have the same number of answers.
func (c *ItemCounts) Even() bool { return c.answerSquares*c.Items == c.Answers*c.Answers }

// Interval returns Wilson's interval of a share, with the effective number of answers. The
// share is Right/Answers, or the mean of the shares of the items. Invalid arguments give
// NaN, NaN, as for wilsonShare.
func (c *ItemCounts) Interval(share, confidence float64) (lo, hi float64) {
	return wilsonShare(share, c.effective(), confidence)
}
