package change

import (
	"fmt"
	"math"
	"slices"
)

const (
	// sharedDistance is the distance up to which two lists count as equal: five digits
	// of a log probability.
	sharedDistance = 1e-4
	// unseenSpreadDistance is the mean distance that a difference needs where repeats rarely
	// differed. 0.138 nats were seen between repeats of one server, and 0.27 is the
	// mildest change of weights that was measured.
	unseenSpreadDistance = 0.2
)

// SidePair holds the log probabilities of one prompt, sent several times to both sides.
type SidePair struct {
	A, B []LogProbs // one list for each reply; at least one a side
}

// A promptSpread says how far apart the sides are at one prompt, in nats.
type promptSpread struct {
	Nearest float64 // distance of the nearest replies of the two sides
	Own     float64 // largest distance within a side, at least the median of all prompts
	Beyond  bool    // Nearest > Own
}

// A spreadTest tests whether two sides are further apart than each is from itself.
//
// Null hypothesis: at a prompt drawn at random, the nearest replies of the two sides are
// further apart than the replies of either side, with probability one half at most. It
// needs prompts that are drawn independently, and nothing else. The replies of one side
// may depend on each other: a server that settles in one of several numeric states is no
// difference as long as it was seen to move that far itself.
type spreadTest struct {
	Prompts    []promptSpread
	Beyond     int     // number of prompts that are beyond their own spread
	Shared     int     // number of prompts whose nearest replies are equal to five digits
	P          float64 // P(Bin(number of prompts, 1/2) >= Beyond)
	Mean       float64 // mean of Nearest over the prompts, in nats
	SpreadSeen bool    // whether replies of one side differed at half of the prompts or more
}

// NewSpreadTest computes the test. A prompt without a reply on a side, or a reply without
// valid log probabilities, is an error that names the prompt by its index. Without prompts
// P is 1.
func NewSpreadTest(prompts []SidePair) (spreadTest, error) {
	t := spreadTest{P: 1}
	own := make([]float64, 0, len(prompts))
	for k, p := range prompts {
		if err := p.check(); err != nil {
			return spreadTest{}, fmt.Errorf("prompt %d: %w", k, err)
		}
		s := max(widest(p.A), widest(p.B))
		own = append(own, s)
		t.Prompts = append(t.Prompts, promptSpread{Nearest: nearest(p.A, p.B), Own: s})
	}
	if len(prompts) == 0 {
		return t, nil
	}
	least := median(own)
	t.SpreadSeen = least > 0
	for k := range t.Prompts {
		p := &t.Prompts[k]
		p.Own = max(p.Own, least)
		if p.Beyond = p.Nearest > p.Own; p.Beyond {
			t.Beyond++
		}
		if p.Nearest <= sharedDistance {
			t.Shared++
		}
		t.Mean += p.Nearest / float64(len(prompts))
	}
	t.P = upperTail(len(prompts), t.Beyond)
	return t, nil
}

// Differ reports whether the sides differ at level alpha. Where repeats differ at fewer than
// half of the prompts, a side settles in one numeric state and rarely leaves it: its own spread
// is unknown, and the other side may have settled elsewhere. Then a difference needs a mean
// distance above 0.2 nats as well.
func (t spreadTest) Differ(alpha float64) bool {
	return t.P <= alpha && (t.SpreadSeen || t.Mean > unseenSpreadDistance)
}

// check rejects a side without replies and lists that are not valid.
func (p SidePair) check() error {
	if len(p.A) == 0 || len(p.B) == 0 {
		return ErrNoLogProbs
	}
	for _, l := range slices.Concat(p.A, p.B) {
		if err := l.check(); err != nil {
			return err
		}
	}
	return nil
}

// widest is the largest distance between two replies of one side, 0 for one reply.
func widest(side []LogProbs) (d float64) {
	for i, x := range side {
		for _, y := range side[i+1:] {
			d = max(d, distance(x, y))
		}
	}
	return d
}

// nearest is the smallest distance between a reply of a and a reply of b.
func nearest(a, b []LogProbs) float64 {
	d := math.Inf(1)
	for _, x := range a {
		for _, y := range b {
			d = min(d, distance(x, y))
		}
	}
	return d
}

// median returns the median of at least one value. It does not change x.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// upperTail returns P(Bin(n, 1/2) >= v). Terms are added from the smallest to the largest.
func upperTail(n, v int) float64 {
	sum := 0.0
	for k := n; k >= max(v, 0); k-- {
		sum += math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	}
	return min(sum, 1)
}

// LeastBeyond returns how many of n prompts must at least be beyond their own spread for a
// p-value of at most alpha. ok is false if even n of n are too few.
func LeastBeyond(n int, alpha float64) (least int, ok bool) {
	if n <= 0 || upperTail(n, n) > alpha {
		return 0, false
	}
	for least = n; least > 0 && upperTail(n, least-1) <= alpha; {
		least--
	}
	return least, true
}

// DetectableBeyond returns the smallest probability of a prompt beyond its own spread that a
// spreadTest of n prompts detects with the given power at level alpha. ok is false if it detects
// none.
func DetectableBeyond(n int, alpha, power float64) (q float64, ok bool) {
	least, ok := LeastBeyond(n, alpha)
	if !ok {
		return 0, false
	}
	_, q = bisect(0.5, 1, 1e-4, func(q float64) bool { return 1-atMost(least-1, n, q) >= power })
	return q, true
}
