package change

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Bounds of the exact label permutation test of log probabilities: all splits of two
// prompts with eight replies a side are some 10^8 pairs, which two sorted lists count fast.
const (
	maxStrictPrompts = 2
	maxStrictReplies = 8
	// roundingError is how far below the observed statistic a split still counts as equal.
	roundingError = 1e-12
)

// A LabelTest is the result of a label permutation test. P is the share of the splits of
// the replies into two sides whose statistic is at least the observed one. The observed
// split is one of them, so P is never 0.
//
// Null hypothesis: within each prompt, the replies of both sides are exchangeable. That
// fails on one unchanged server if replies depend on other traffic and stay in a numeric
// state. So these tests are for servers with one request at a time.
type LabelTest struct {
	Statistic float64
	P         float64
	Splits    float64 // number of splits; a whole number, and exact up to 2^53
}

// LogProbLabels tests one or two prompts with the same number of replies on both sides, at
// most eight. The statistic is the sum over the prompts of the mean absolute difference of
// the sides' mean log probabilities, in nats. Other shapes and invalid lists are errors.
func LogProbLabels(prompts []SidePair) (LabelTest, error) {
	if len(prompts) == 0 || len(prompts) > maxStrictPrompts {
		return LabelTest{}, fmt.Errorf("change: %d prompts: the exact test takes one or two", len(prompts))
	}
	var splits [][]float64
	for k, p := range prompts {
		if err := p.check(); err != nil {
			return LabelTest{}, fmt.Errorf("prompt %d: %w", k, err)
		}
		if len(p.A) != len(p.B) || len(p.A) > maxStrictReplies {
			return LabelTest{}, fmt.Errorf("prompt %d: %d and %d replies: the exact test takes equal numbers up to %d", k, len(p.A), len(p.B), maxStrictReplies)
		}
		splits = append(splits, p.statistics())
	}
	if len(splits) == 1 {
		splits = append(splits, []float64{0})
	}
	return countPairs(splits[0], splits[1]), nil
}

// countPairs returns the share of pairs, one value of each list, whose sum reaches that of
// the first values.
func countPairs(a, b []float64) LabelTest {
	observed := a[0] + b[0]
	b = slices.Sorted(slices.Values(b))
	hits := 0.0
	for _, x := range a {
		from := sort.Search(len(b), func(i int) bool { return x+b[i] >= observed-roundingError })
		hits += float64(len(b) - from)
	}
	all := float64(len(a)) * float64(len(b))
	return LabelTest{Statistic: observed, P: hits / all, Splits: all}
}

// statistics returns the statistic of every split of the replies into two halves. The
// first is that of the observed split.
func (p SidePair) statistics() []float64 {
	lists := slices.Concat(p.A, p.B)
	union := tokens(lists...)
	rows := make([][]float64, len(lists))
	total := make([]float64, len(union))
	for i, l := range lists {
		low := l.lowest()
		rows[i] = make([]float64, len(union))
		for j, token := range union {
			rows[i][j] = l.of(token, low)
			total[j] += rows[i][j]
		}
	}
	half := len(p.A)
	var stats []float64
	sum := make([]float64, len(union))
	for _, split := range halves(half) {
		clear(sum)
		for _, i := range split {
			for j, x := range rows[i] {
				sum[j] += x
			}
		}
		d := 0.0
		for j, s := range sum {
			d += math.Abs(2*s - total[j])
		}
		stats = append(stats, d/float64(half)/float64(len(union)))
	}
	return stats
}

// halves returns all choices of r of 2r indices in ascending order, 0…r-1 first.
func halves(r int) (all [][]int) {
	chosen := make([]int, 0, r)
	var choose func(from int)
	choose = func(from int) {
		if len(chosen) == r {
			all = append(all, slices.Clone(chosen))
			return
		}
		for i := from; i <= r+len(chosen); i++ {
			chosen = append(chosen, i)
			choose(i + 1)
			chosen = chosen[:len(chosen)-1]
		}
	}
	choose(0)
	return all
}

// TextPair holds the texts of one prompt, sent several times to both sides.
type TextPair struct {
	A, B []string
}

// TextLabels tests prompts whose replies are texts, the same number r on both sides of
// every prompt. The statistic is the sum over the prompts of the total variation distance
// between the sides' shares of each text. All splits are counted by the number of
// replies of each text that fall on side A, so r may be large. Prompts without replies or
// with different numbers of replies are errors.
func TextLabels(prompts []TextPair) (LabelTest, error) {
	if len(prompts) == 0 {
		return LabelTest{}, fmt.Errorf("change: no prompts to test")
	}
	r := len(prompts[0].A)
	counts := []float64{1} // number of splits by their statistic times r
	observed := 0
	for k, p := range prompts {
		if r == 0 || len(p.A) != r || len(p.B) != r {
			return LabelTest{}, fmt.Errorf("prompt %d: %d and %d replies: the test takes equal numbers, here %d", k, len(p.A), len(p.B), r)
		}
		own, seen := p.variations()
		observed += seen
		counts = convolve(counts, own)
	}
	t := LabelTest{Statistic: float64(observed) / float64(r)}
	for s, n := range counts {
		t.Splits += n
		if s >= observed {
			t.P += n
		}
	}
	t.P /= t.Splits
	return t, nil
}

// variations returns the number of splits of one prompt by their total variation distance
// times r, and that of the observed split.
func (p TextPair) variations() (splits []float64, observed int) {
	r := len(p.A)
	onA, all := map[string]int{}, map[string]int{}
	for _, text := range p.A {
		onA[text]++
		all[text]++
	}
	for _, text := range p.B {
		all[text]++
	}
	// ways[i][s] is the number of ways to put i replies on side A with the sum s of
	// |2 on A - all| over the texts so far. That sum is twice the statistic times r.
	ways := make([][]float64, r+1)
	for i := range ways {
		ways[i] = make([]float64, 2*r+1)
	}
	ways[0][0] = 1
	twice := 0
	for text, n := range all {
		ways = place(ways, n)
		twice += distanceFromHalf(onA[text], n)
	}
	splits = make([]float64, r+1)
	for s, n := range ways[r] {
		splits[s/2] += n
	}
	return splits, twice / 2
}

// place adds a text with n replies to the ways.
func place(ways [][]float64, n int) [][]float64 {
	next := make([][]float64, len(ways))
	for i := range next {
		next[i] = make([]float64, len(ways[i]))
	}
	choices := 1.0 // n over onA
	for onA := 0; onA <= n; onA++ {
		d := distanceFromHalf(onA, n)
		for i := 0; i+onA < len(ways); i++ {
			for s := 0; s+d < len(ways[i]); s++ {
				next[i+onA][s+d] += ways[i][s] * choices
			}
		}
		choices = choices * float64(n-onA) / float64(onA+1)
	}
	return next
}

// distanceFromHalf is |onA - onB| for a text with n replies.
func distanceFromHalf(onA, n int) int { return max(2*onA-n, n-2*onA) }

// convolve returns the numbers of splits of two prompts by the sum of their statistics.
func convolve(a, b []float64) []float64 {
	sum := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			sum[i+j] += x * y
		}
	}
	return sum
}
