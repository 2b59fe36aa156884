package horizon

import (
	"fmt"
	"math"

	"verbatim/internal/stats"
)

// Counts are the answers at one length: Right of N were right.
type Counts struct {
	Length   int // at least 1
	Right, N int64
}

// check rejects invalid counts.
func (c Counts) check(i int) error {
	switch {
	case c.Length < 1:
		return &stats.BadValue{Index: i, Value: float64(c.Length), Why: "is not a length: it must be at least 1"}
	case c.N < 0:
		return &stats.BadValue{Index: i, Value: float64(c.N), Why: "is not a number of answers"}
	case c.Right < 0 || c.Right > c.N:
		return &stats.BadValue{Index: i, Value: float64(c.Right), Why: fmt.Sprintf("is not a number of right answers out of %d", c.N)}
	}
	return nil
}

// log2Length is the scale on which lengths are compared: doublings.
func log2Length(length int) float64 { return math.Log2(float64(length)) }
