package stats

import (
	"errors"
	"fmt"
	"math"
)

// ErrNoData is the refusal to say anything about nothing: a statistic was asked
// of no values at all.
var ErrNoData = errors.New("stats: no values: nothing can be said of them")

// A BadValue refuses a number that a function of this package was given. No
// function goes on with a NaN, an infinity or a number outside its range: a NaN
// that reached a gate would pass it, because it is not below any margin.
type BadValue struct {
	Index int     // place among the values of that call, from 0; -1 for a number that stands alone
	Value float64 // what stood there
	Why   string  // what is wrong with it, as a clause: "is not a number"
}

// Error names the place, the value and what is wrong with it.
func (b *BadValue) Error() string {
	if b.Index < 0 {
		return fmt.Sprintf("stats: %v %s", b.Value, b.Why)
	}
	return fmt.Sprintf("stats: value %d (%v) %s", b.Index, b.Value, b.Why)
}

// finite reports whether x is a number, and no infinity.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
