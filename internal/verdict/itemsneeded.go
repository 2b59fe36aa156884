package verdict

import (
	"math"

	"verbatim/internal/stats"
)

// A Settle says how many items would settle an inconclusive verdict, if they
// differ as those that are there do.
type ItemsNeeded struct {
	Toward Word `json:"toward"` // what the verdict would be
	// Items is how many it takes in all, for four chances in five of a verdict. It
	// is nil where no number would do: the difference lies on the edge of the
	// region of practical equivalence.
	Items *int64 `json:"items"`
	More  *int64 `json:"more"` // beyond those that are there
}

// settle computes the number of items from the normal approximation to the mean of
// paired differences; where that says that those there should have been enough
// (they are few, or nothing was seen to vary, and the anchors of the posterior
// still weigh), from the posterior itself.
func itemsNeeded(s *stats.Strata, how Stratification, rope, alpha float64) *ItemsNeeded {
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
		}
		if err != nil { // so near to the edge that no number could be asked
			return out
		}
	}
	if n <= t.N {
		if n = itemsIfAllEqual(t.Mean, t.N, rope, alpha); n <= t.N {
			n = t.N + 1
		}
	}
	more := n - t.N
	out.Items, out.More = &n, &more
	return out
}

// alike is how many items it takes if all of them differ by d: the anchors alone
// stand against a verdict.
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
