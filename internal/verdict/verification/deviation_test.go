package verification

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"verbatim/internal/stats/change"
)

// Whatever the replies are, the mean of the bets on both sides is 1 over all ways to divide the fresh
// replies and those of the screening between the sides.
func TestDeviationMean(t *testing.T) {
	const r = 3
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		var fresh [2 * r]string
		for i := range fresh {
			fresh[i] = fmt.Sprint(rng.IntN(3))
		}
		first := [2]string{"0", fmt.Sprint(1 + rng.IntN(3))}
		sum, splits := 0.0, 0
		for split := range uint(1 << (2 * r)) {
			if bits.OnesCount(split) != r {
				continue
			}
			var replies change.TextPair
			for i, text := range fresh {
				if split>>i&1 == 1 {
					replies.A = append(replies.A, text)
				} else {
					replies.B = append(replies.B, text)
				}
			}
			for side := range first {
				screening := &Repeats{callList: callList{calls: [2][]call{{{text: first[side]}}, {{text: first[1-side]}}}}}
				d := newDeviation(screening, byText, 0, replies)
				d.bet(replies)
				sum += capital([]*deviation{d})
				splits++
			}
		}
		if mean := sum / float64(splits); math.Abs(mean-1) > 1e-9 {
			t.Errorf("%v and %v: the mean is %v", first, fresh, mean)
		}
	}
}
