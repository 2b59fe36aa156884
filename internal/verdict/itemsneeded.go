package verdict

import (
	"math"

	"verbatim/internal/stats"
)

// ItemsNeeded is the number of items that would settle an inconclusive verdict, if further
// items behave like those seen.
type ItemsNeeded struct {
	Toward Word `json:"toward"` // the expected verdict
	// Items is the total number for a verdict with probability 0.8. It is nil if no
	// number is enough, because the difference is on the edge of the ROPE.
	Items *int64 `json:"items"`
	More  *int64 `json:"more"` // in addition to those seen
}

// power is the probability that ItemsNeeded is for.
const power = 0.8

// itemsNeeded uses the normal approximation of the mean of paired differences. With few
// items or without variation its number can be too small, because the anchors of the
// posterior still have weight. Then it uses the posterior itself.
func itemsNeeded(s *stats.Strata, how stratification, rope, alpha float64) *ItemsNeeded {
	t := s.Total()
	out := &ItemsNeeded{Toward: Equivalent}
	if t.Mean > rope {
		out.Toward = Better
	} else if t.Mean < -rope {
		out.Toward = Worse
	}
	if math.Abs(math.Abs(t.Mean)-rope) < 1e-9 {
		return out
	}
	se, ok := s.SE(how != Unstratified)
	n := t.N
	if sd := se * math.Sqrt(float64(t.N)); ok && sd > 0 {
		var err error
		if out.Toward == Equivalent {
			n, err = stats.ItemsEquivalent(sd, t.Mean, rope, alpha, power)
		} else {
			n, err = stats.ItemsBeyond(sd, t.Mean, rope, alpha, power)
			if different, e := stats.ItemsToDetect(sd, t.Mean, alpha, power); e == nil {
				n = max(n, different) // for the sign-flip test
			}
		}
		if err != nil { // too close to the edge for any number of items
			return out
		}
	}
	if n <= t.N {
		if n = itemsIfAllEqual(t.Mean, t.N, rope, alpha); n <= t.N {
			n = t.N + 1
		}
	}
	out.Items, out.More = &n, new(n-t.N)
	return out
}

// itemsIfAllEqual is the number of items, more than from, that a verdict needs if all
// differences equal d: only the anchors are against it then.
func itemsIfAllEqual(d float64, from int64, rope, alpha float64) int64 {
	settled := func(n int64) bool {
		p, err := stats.NewPosterior([]float64{-1, 0, 1, d}, []float64{0.5, 0.5, 0.5, float64(n)})
		return err == nil && 1-maxProbability(p.Probabilities(rope)) <= alpha
	}
	const most = 1 << 40
	low, high := from, 2*max(from, 1)
	for !settled(high) && high < most {
		low, high = high, 2*high
	}
	for low+1 < high {
		if mid := low + (high-low)/2; settled(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}
