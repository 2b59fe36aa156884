package main

import (
	"fmt"
	"math"
	"strconv"
	"sync"

	"verbatim/internal/stats"
	"verbatim/internal/verdict"
)

// fewItems sums the error rates of compare on equal models over every outcome.
func fewItems(*simulator) section {
	s := section{title: "Verdicts of compare on few items, exactly", text: `
Two models are equal, and answers are right or wrong. Every “worse” and every “better” is then an error. A pair of answers differs with some probability, and each direction is equally likely. The table is summed exactly over every
outcome, for probabilities of 1 % to 100 %; it has the worst of them.

A posterior alone is too certain if few items differ. With a threshold of 95 % it is wrong in up to 15 % of comparisons of a few items. ` + "`compare`" + ` therefore also requires the sign-flip test (for exact answers: McNemar's exact test) at 5 %.
Given the number of items that differ, this test is wrong in at most 5 % of cases. So the total of both directions is at most 5 %, for any number of items and any accuracy. This is a theorem for models whose differences are as likely in
one direction as in the other.

The last columns are the price. They say how often ` + "`compare`" + ` finds a model worse: right in 50 %, where the baseline is right in 90 %.`}
	t := table{head: []string{"items", "posterior alone: worst", "both right in 70 %", "with the sign-flip test: worst", "both right in 70 %", "finds 50 % vs 90 %: posterior alone", "with the test"}}
	for _, n := range []int{5, 8, 9, 10, 11, 12, 15, 16, 20, 30, 40, 50, 60, 84, 100} {
		old, now := newVerdictTable(n, false), newVerdictTable(n, true)
		worst := now.worstEqual()
		t.row(strconv.Itoa(n), percentOf(old.worstEqual()), percentOf(old.directed(.3*.7, .3*.7)), percentOf(worst), percentOf(now.directed(.3*.7, .3*.7)),
			percentOf(old.directed(.9*.5, .1*.5)), percentOf(now.directed(.9*.5, .1*.5)))
		s.atMost(fmt.Sprintf("compare, equal models, %d items: worse or better", n), estimate{mean: worst}, alpha)
		if n >= 30 { // a table without any verdict would keep the rate above
			found := now.directed(.9*.5, .1*.5)
			s.atLeast(fmt.Sprintf("compare, 50 %% vs 90 %%, %d items: finds it", n), estimate{mean: found}, .8)
		}
	}
	s.tables = []table{t}
	return s
}

// percentOf prints an exact share in percent.
func percentOf(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// A verdictTable says whether compare gives a direction, for each number of n items that
// only A has right and that only B has right.
type verdictTable [][]bool

// newVerdictTable makes the table of n items, with the sign-flip test or without it.
func newVerdictTable(n int, test bool) verdictTable {
	t := make(verdictTable, n+1)
	for onlyA := range t {
		t[onlyA] = make([]bool, n-onlyA+1)
		for onlyB := range t[onlyA] {
			if onlyB < onlyA { // the mirrored case is computed already
				t[onlyA][onlyB] = t[onlyB][onlyA]
				continue
			}
			c := comparisonOf(n, onlyA, onlyB)
			directed := max(c.Difference.Worse, c.Difference.Better) >= threshold
			t[onlyA][onlyB] = directed && (!test || c.P <= 1-threshold+verdict.Rounding)
		}
	}
	return t
}

// comparisonOf returns the comparison of n right or wrong answers, without a verdict.
func comparisonOf(n, onlyA, onlyB int) verdict.Comparison {
	p := mustValue(stats.NewPosterior([]float64{-1, 0, 1}, []float64{float64(onlyA) + .5, float64(n-onlyA-onlyB) + .5, float64(onlyB) + .5}))
	three, signFlip := p.Probabilities(rope), exactSignTest(onlyA, onlyB)
	c := verdict.Comparison{Threshold: threshold, P: verdict.PValue(three, signFlip)}
	c.Difference = verdict.Difference{Worse: three.Worse, Equivalent: three.Equivalent, Better: three.Better, SignFlip: signFlip}
	return c
}

// A pValueTable computes each comparison of n right or wrong answers once. Several goroutines may use
// it.
type pValueTable struct {
	n    int
	seen sync.Map // from the numbers of items that only A and only B has right to a verdict.Comparison
}

// comparison returns a copy of the comparison.
func (t *pValueTable) comparison(onlyA, onlyB int) *verdict.Comparison {
	c, ok := t.seen.Load([2]int{onlyA, onlyB})
	if !ok {
		c = comparisonOf(t.n, onlyA, onlyB)
		t.seen.Store([2]int{onlyA, onlyB}, c)
	}
	one := c.(verdict.Comparison)
	return &one
}

// exactSignTest returns the p-value of the sign-flip test of exact answers.
func exactSignTest(onlyA, onlyB int) float64 {
	b := emptyBenchmark(onlyA + onlyB)
	for i := range b.differences {
		b.differences[i] = 1 - 2*indicator(i < onlyA)
	}
	return b.strata().SignFlip()
}

// directed returns the probability of “worse” or “better”, for the shares of items that only A and only
// B has right.
func (t verdictTable) directed(onlyA, onlyB float64) (share float64) {
	n := len(t) - 1
	for a := range t {
		for b, directed := range t[a] {
			if directed {
				share += trinomial(n, a, b, onlyA, onlyB)
			}
		}
	}
	return share
}

// worstEqual returns the largest probability of a direction for equal models, over the shares of items
// that differ.
func (t verdictTable) worstEqual() (worst float64) {
	for i := 1; i <= 100; i++ {
		worst = max(worst, t.directed(float64(i)/200, float64(i)/200))
	}
	return worst
}

// trinomial returns the probability that a and b of n items are in classes with the shares p and q.
func trinomial(n, a, b int, p, q float64) float64 {
	rest := n - a - b
	if rest > 0 && p+q >= 1 {
		return 0
	}
	l := logFactorial(n) - logFactorial(a) - logFactorial(b) - logFactorial(rest) + float64(a)*math.Log(p) + float64(b)*math.Log(q)
	if rest > 0 {
		l += float64(rest) * math.Log1p(-p-q)
	}
	return math.Exp(l)
}
