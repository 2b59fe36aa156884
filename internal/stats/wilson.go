package stats

import (
	"math"
)

// Wilson returns the ends of the score interval of a share: successes out of n independent
// trials with equal chance (Wilson 1927, JASA 22:209–212, without continuity correction).
// At confidence 0.95 it holds the true share in about 95 % of samples, also near 0 and 1,
// where the textbook interval fails. 0 ≤ lo ≤ successes/n ≤ hi ≤ 1. lo is exactly 0
// without a success, and hi exactly 1 without a failure.
//
// Invalid arguments give NaN, NaN: n of 0 or below, successes outside 0 to n, a confidence
// that is not between 0 and 1. NaN makes callers handle n = 0, which an interval from 0 to
// 1 would hide.
func Wilson(successes, n int, confidence float64) (lo, hi float64) {
	if n <= 0 || successes < 0 || successes > n || !(confidence > 0 && confidence < 1) {
		return math.NaN(), math.NaN()
	}
	return wilson(float64(successes)/float64(n), float64(n), math.Sqrt2*math.Erfinv(confidence))
}

// wilsonShare is Wilson for a share of an effective number of trials, such as that of
// trials in clusters. n need not be whole. Invalid arguments give NaN, NaN.
func wilsonShare(share, n, confidence float64) (lo, hi float64) {
	if !(n > 0 && share >= 0 && share <= 1 && confidence > 0 && confidence < 1) {
		return math.NaN(), math.NaN()
	}
	return wilson(share, n, math.Sqrt2*math.Erfinv(confidence))
}

// wilson is wilsonShare for valid arguments. z is the quantile in place of the confidence.
func wilson(share, trials, z float64) (lo, hi float64) {
	shrink := 1 + z*z/trials
	centre := (share + z*z/(2*trials)) / shrink
	half := z / shrink * math.Sqrt(share*(1-share)/trials+z*z/(4*trials*trials))
	// Rounding must not move an end beyond the range or the estimate.
	return min(max(centre-half, 0), share), max(min(centre+half, 1), share)
}

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

// A WordingCount counts the right answers to the items in one wording.
type WordingCount struct{ Right, N int64 }

// SpreadShare returns an interval of a share of right answers whose items are spread over
// wordings, as a sample of all wordings. tasks holds the counts of each task by wording: a
// task has wordings of its own.
//
// The interval is Wilson's with the effective number of answers: the variance of the mean
// is p(1-p)/n plus the variance between the wordings of each task, as in an analysis of
// variance with random effects. The quantile is Student's, with Satterthwaite's degrees of
// freedom (Satterthwaite 1946, Biometrics Bulletin 2:110–114), because a few wordings
// estimate their variance badly. If wordings differ by no more than chance, it is Wilson's
// interval. A task with one wording adds no variance. Simulated intervals at 95 % hold the
// share in 92 to 98 % of cases.
//
// Without answers it gives NaN, NaN.
func SpreadShare(tasks [][]WordingCount, confidence float64) (lo, hi float64) {
	right, n := int64(0), int64(0)
	for _, wordings := range tasks {
		for _, w := range wordings {
			right, n = right+w.Right, n+w.N
		}
	}
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	share := float64(right) / float64(n)
	within := share * (1 - share) / float64(n)
	between, squares, expected := 0.0, 0.0, 0.0
	for _, wordings := range tasks {
		v, chance, free := wordingVariance(wordings)
		if free == 0 {
			continue
		}
		answers := int64(0) // of the task
		for _, w := range wordings {
			answers += w.N
		}
		weight := float64(answers) / float64(n) * float64(answers) / float64(n)
		between += weight * v
		expected += weight * chance
		squares += weight * v * weight * v / free
	}
	free := between * between / squares // NaN without a variance between wordings
	// The method of moments subtracts all of the expected variance. With few wordings the
	// estimate then is too often 0, and intervals hold the share in 89 % of cases only.
	extra := between - expected*free/(free+4)
	if !(extra > 0) || within == 0 {
		return Wilson(int(right), int(n), confidence)
	}
	total := within + extra
	free *= total / extra
	quantile := StudentQuantile((1+confidence)/2, free)
	return wilson(share, float64(n)*within/total, quantile)
}

// wordingVariance returns, for the mean of the shares of the wordings of a task: its
// variance v, the part of v that is expected by chance, and the degrees of freedom of v. All
// are 0 with fewer than two wordings.
func wordingVariance(wordings []WordingCount) (v, chance, free float64) {
	var means []float64
	right, n, inverse := int64(0), int64(0), 0.0
	for _, w := range wordings {
		if w.N > 0 {
			means = append(means, float64(w.Right)/float64(w.N))
			right, n, inverse = right+w.Right, n+w.N, inverse+1/float64(w.N)
		}
	}
	k := float64(len(means))
	if k < 2 {
		return 0, 0, 0
	}
	mean := 0.0
	for _, m := range means {
		mean += m / k
	}
	for _, m := range means {
		v += (m - mean) * (m - mean) / (k - 1) / k
	}
	share := float64(right) / float64(n)
	return v, share * (1 - share) * inverse / (k * k), k - 1
}
