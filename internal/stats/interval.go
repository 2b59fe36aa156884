package stats

// An Interval holds an unknown number with the confidence that its function states.
type Interval struct{ Low, High float64 }
