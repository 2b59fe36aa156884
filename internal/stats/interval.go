package stats

// An Interval holds an unknown value with a stated confidence or probability.
type Interval struct{ Low, High float64 }
