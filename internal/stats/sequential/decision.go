package sequential

import "fmt"

// A Decision is what a sequential test has come to. Its words are those in which
// verdicts are printed.
type Decision string

// The decisions. ROPETest knows all but Pass; Gate knows Undecided, Pass and Worse.
const (
	Undecided  Decision = ""
	Worse      Decision = "worse"
	Equivalent Decision = "equivalent"
	Better     Decision = "better"
	Pass       Decision = "pass" // not worse by more than the margin
)

// A Posterior answers with what probability a mean lies above c. A *Posterior is one.
type Posterior interface{ Above(c float64) float64 }

// edge is how near to the edge of a ROPE or margin the mean of all items counts as
// on it: the mean of values that are all 0.02 must not exceed 0.02 by rounding, which
// over n values comes to n × 10⁻¹⁶ at most.
const edge = 1e-12

// checkTest refuses a width (of a ROPE or a margin), a level and a number of items
// that a test cannot have.
func checkTest(name string, width, alpha float64, n int) error {
	switch {
	case !(width >= 0 && width <= maxWidth):
		return fmt.Errorf("stats: a %s of %v: it must be between 0 and %v", name, width, maxWidth)
	case !(alpha > 0 && alpha < 1):
		return fmt.Errorf("stats: an error rate of %v: it must be between 0 and 1", alpha)
	case n < 0:
		return fmt.Errorf("stats: a test of %d items", n)
	}
	return nil
}

// maxWidth bounds a ROPE or margin far above 2, beyond which no two means differ.
const maxWidth = 1e6
