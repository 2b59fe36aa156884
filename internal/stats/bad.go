package stats

import "fmt"

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
