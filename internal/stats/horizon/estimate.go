package horizon

import (
	"fmt"

	"verbatim/internal/stats"
)

// An Estimate is the 50 % horizon: the length at which the share of right answers falls to
// one half. A length of 0 means that it is above one half at no length.
type Estimate struct {
	L50      float64        // median of the posterior; of FitTasks, from the pooled counts
	Interval stats.Interval // 95 %, in lengths
	Above    float64        // P(L50 ≥ Longest)
	Below    float64        // P(L50 < Shortest), including Never
	Never    float64        // P(the share is above one half at no length)
	Shortest int            // of the lengths with answers
	Longest  int
}

// IsNever reports whether the share is probably above one half at no length. That it is so
// only at lengths below the shortest, which have no answers, must be less than half as
// probable.
func (l Estimate) IsNever() bool { return l.Never > 0.5 && l.Never > 2*(l.Below-l.Never) }

// NeverText is the text of a horizon that does not exist.
const NeverText = "none"

// String formats the horizon for a reader: "64", with one decimal below ten. It is NeverText
// if IsNever. It is "> 256" if the horizon and more than half of its probability are above
// the longest length, and "< 2" if they are below the shortest.
func (l Estimate) String() string {
	switch {
	case l.IsNever():
		return NeverText
	case l.Above > 0.5 && l.L50 > float64(l.Longest):
		return fmt.Sprintf("> %d", l.Longest)
	case l.Below > 0.5 && l.L50 < float64(l.Shortest):
		return fmt.Sprintf("< %d", l.Shortest)
	case l.L50 < 9.95:
		return fmt.Sprintf("%.1f", l.L50)
	}
	return fmt.Sprintf("%.0f", l.L50)
}
