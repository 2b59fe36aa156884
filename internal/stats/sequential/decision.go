package sequential

import "fmt"

// A Decision is the state of a sequential test. Its values are the words in which verdicts
// are printed.
type Decision string

// The decisions. ROPETest has all but Pass; Gate has Undecided, Pass and Worse.
const (
	Undecided  Decision = ""
	Worse      Decision = "worse"
	Equivalent Decision = "equivalent"
	Better     Decision = "better"
	Pass       Decision = "pass" // not worse by more than the margin
)

// Bounds give the p-values of two hypotheses: that a mean is at most c, and that it is at least
// c. stats.Bounds do.
type Bounds interface {
	PValues(c float64) (atMost, atLeast float64)
}

// edgeTolerance is how close to the edge of a ROPE or margin the mean of all items counts
// as on it. The mean of values that are all 0.02 must not exceed 0.02 by rounding, which
// is at most n × 10⁻¹⁶.
const edgeTolerance = 1e-12

// checkArguments rejects an invalid ROPE or margin, error rate or number of items.
func checkArguments(name string, width, alpha float64, n int) error {
	switch {
	case !(width >= 0 && width <= maxWidth):
		return fmt.Errorf("sequential: the %s must be between 0 and %v, got %v", name, maxWidth, width)
	case !(alpha > 0 && alpha < 1):
		return fmt.Errorf("sequential: the error rate must be between 0 and 1, got %v", alpha)
	case n < 0:
		return fmt.Errorf("sequential: the number of items must be 0 or more, got %d", n)
	}
	return nil
}

// maxWidth bounds a ROPE or margin. Two means never differ by more than 2.
const maxWidth = 1e6
