package stats

import (
	"fmt"
	"math"
)

// A BadValue refuses a number that a function of this package was given. No
// function goes on with a NaN, an infinity or a number outside its range: a NaN
// that reached a gate would pass it, because it is not below any margin.
type BadValue struct {
	Index int     // place among the values of that call, from 0
	Value float64 // what stood there
	Why   string  // what is wrong with it, as a clause: "is not a number"
}

// Error names the place, the value and what is wrong with it.
func (b *BadValue) Error() string {
	return fmt.Sprintf("stats: value %d (%v) %s", b.Index, b.Value, b.Why)
}

// unfit returns a *BadValue for the first x that is NaN, infinite or outside
// [-1, 1], and nil where there is none.
func unfit(x []float64) error {
	for i, v := range x {
		switch {
		case math.IsNaN(v):
			return &BadValue{i, v, "is not a number"}
		case v < -1 || v > 1:
			return &BadValue{i, v, "is outside the range from -1 to 1"}
		}
	}
	return nil
}
