package stats

// An Interval is a range of values that holds an unknown one with a stated
// confidence or probability.
type Interval struct{ Low, High float64 }
