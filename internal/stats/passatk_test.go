package stats

import (
	"math"
	"math/bits"
	"testing"
)

// The estimates must be the shares of all choices of k of n answers, and unbiased: their
// mean over all outcomes of n answers is the probability itself.
func TestPassAtKOfAllChoices(t *testing.T) {
	for n := 1; n <= 10; n++ {
		for k := 1; k <= n; k++ {
			for right := range n + 1 {
				answers, choices, some, all := uint(1)<<right-1, 0, 0, 0
				for choice := range uint(1) << n {
					if bits.OnesCount(choice) != k {
						continue
					}
					choices++
					switch bits.OnesCount(choice & answers) {
					case 0:
					case k:
						some, all = some+1, all+1
					default:
						some++
					}
				}
				pass, every := PassAtK(int64(right), int64(n), int64(k)), AllAtK(int64(right), int64(n), int64(k))
				if math.Abs(pass-float64(some)/float64(choices)) > 1e-12 || math.Abs(every-float64(all)/float64(choices)) > 1e-12 {
					t.Errorf("%d of %d right, %d chosen: %v and %v, want %d and %d of %d", right, n, k, pass, every, some, all, choices)
				}
			}
			for _, p := range []float64{.1, .5, .83} {
				pass, every := 0.0, 0.0
				for outcome := range uint(1) << n { // every sequence of right and wrong answers
					right := bits.OnesCount(outcome)
					chance := math.Pow(p, float64(right)) * math.Pow(1-p, float64(n-right))
					pass += chance * PassAtK(int64(right), int64(n), int64(k))
					every += chance * AllAtK(int64(right), int64(n), int64(k))
				}
				if math.Abs(pass-(1-math.Pow(1-p, float64(k)))) > 1e-12 || math.Abs(every-math.Pow(p, float64(k))) > 1e-12 {
					t.Errorf("%d answers right with %v, %d chosen: %v and %v on average", n, p, k, pass, every)
				}
			}
		}
	}
}
