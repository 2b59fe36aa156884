package result

import "verbatim/internal/verdict/verification"

// VerificationsFormat names the JSON form of Verifications.
const VerificationsFormat = "verbatim/verifications/1"

// Verifications are tests of several endpoints, each compared with the same first one. Their JSON
// form is the format "verbatim/verifications/1".
type Verifications struct {
	Format string `json:"format"`
	// Alpha is the maximum rate of any false alarm of all tests.
	Alpha float64 `json:"alpha"`
	// Matrix has a row for each endpoint and a p value for each probe.
	Matrix   []VerifiedRow   `json:"matrix"`
	Tests    []*Verification `json:"tests"`
	ExitCode int             `json:"exit_code"`
}

// A VerifiedRow is a row of the matrix of Verifications.
type VerifiedRow struct {
	Endpoint string            `json:"endpoint"`
	Word     verification.Word `json:"verdict"`
	// P has the p value of each probe, adjusted for all probes of all endpoints.
	P map[verification.ProbeName]float64 `json:"p_adjusted"`
}

// Complete fills in what follows from the tests: the format, the matrix and the exit codes.
func (v *Verifications) Complete() {
	v.Format, v.ExitCode = VerificationsFormat, 0
	for _, t := range v.Tests {
		row := VerifiedRow{t.Sides[1].Model, t.Word, map[verification.ProbeName]float64{}}
		for _, p := range t.Probes {
			if least, ok := row.P[p.Name]; !ok || p.Adjusted < least { // of several upstreams
				row.P[p.Name] = p.Adjusted
			}
		}
		v.Matrix = append(v.Matrix, row)
		t.ExitCode = exitCodes()[t.Word]
		if t.ExitCode == 3 || v.ExitCode == 0 {
			v.ExitCode = t.ExitCode
		}
	}
}

// exitCodes are those of the verdicts.
func exitCodes() map[verification.Word]int {
	return map[verification.Word]int{verification.NoDifference: 0, verification.Differ: 3, verification.Undecided: 4}
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
