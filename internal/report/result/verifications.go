package result

import "verbatim/internal/verdict/verification"

// VerificationsFormat names the JSON form of Verifications.
const VerificationsFormat = "verbatim/verifications/1"

// Verifications are tests of several endpoints, each compared with the same first one. Their JSON
// form is the format "verbatim/verifications/1".
type Verifications struct {
	Format string `json:"format"`
	// Alpha is the maximum rate of any false alarm: each test has an equal part of it.
	Alpha    float64         `json:"alpha"`
	Tests    []*Verification `json:"tests"`
	ExitCode int             `json:"exit_code"`
}

// Count returns the number of tests with a verdict.
func (v *Verifications) Count(w verification.Word) (n int) {
	for _, t := range v.Tests {
		if t.Word == w {
			n++
		}
	}
	return n
}
