package stats

import (
	"errors"
	"fmt"
	"math"
)

// ErrNoData is returned by a function that was given no values.
var ErrNoData = errors.New("stats: no values")

// A BadValue error rejects a number that was passed to a function of this package. A NaN,
// an infinity or a number outside its range is never used: a NaN that reached a gate would
// pass it, because it is not below any margin.
type BadValue struct {
	Index int     // index among the values of the call, from 0; -1 for a single argument
	Value float64 // the value rejected
	Why   string  // what is wrong, as a clause: "is not a number"
}

// Error gives the index, the value and what is wrong with it.
func (b *BadValue) Error() string {
	if b.Index < 0 {
		return fmt.Sprintf("stats: %v %s", b.Value, b.Why)
	}
	return fmt.Sprintf("stats: value %d (%v) %s", b.Index, b.Value, b.Why)
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
