package report

import "verbatim/internal/verdict/verification"

// verificationsFormat names the JSON form of Verifications.
const verificationsFormat = "verbatim/verifications/1"

// Verifications are tests of several endpoints, each compared with the same first one. Their
// JSON form is the format "verbatim/verifications/1".
type Verifications struct {
	Format string `json:"format"`
	// Alpha is the maximum rate of any false alarm of all tests.
	Alpha float64 `json:"alpha"`
	// Endpoints have the verdict of each endpoint. One that is named twice has one for both tests.
	Endpoints []verifiedEndpoint `json:"endpoints"`
	// Matrix has a row for each test, and a p value for each probe.
	Matrix   []verifiedRow   `json:"matrix"`
	Tests    []*Verification `json:"tests"`
	ExitCode int             `json:"exit_code"`
}

// A verifiedEndpoint is the verdict on an endpoint: it differs if it does in one test, and is undecided
// if one test is.
type verifiedEndpoint struct {
	Endpoint string            `json:"endpoint"`
	Word     verification.Word `json:"verdict"`
}

// A verifiedRow is a row of the matrix of Verifications.
type verifiedRow struct {
	Endpoint string            `json:"endpoint"`
	Word     verification.Word `json:"verdict"`
	// P has the p value of each probe, adjusted for all probes of all endpoints.
	P map[verification.ProbeName]float64 `json:"p_adjusted"`
}

// Complete fills in what follows from the tests: the format, the matrix, the verdicts and the exit
// codes.
func (v *Verifications) Complete() {
	v.Format, v.ExitCode = verificationsFormat, 0
	at := map[string]int{}
	for _, t := range v.Tests {
		name := t.Sides[1].Model
		row := verifiedRow{name, t.Word, map[verification.ProbeName]float64{}}
		for _, p := range t.Probes {
			if least, ok := row.P[p.Name]; !ok || p.Adjusted < least { // several upstreams have the probe
				row.P[p.Name] = p.Adjusted
			}
		}
		v.Matrix = append(v.Matrix, row)
		t.ExitCode = exitCode(t.Word)
		if _, ok := at[name]; !ok {
			at[name] = len(v.Endpoints)
			v.Endpoints = append(v.Endpoints, verifiedEndpoint{name, verification.NoDifference})
		}
		e := &v.Endpoints[at[name]]
		if t.ExitCode == 3 || e.Word == verification.NoDifference {
			e.Word = t.Word
		}
		if t.ExitCode == 3 || v.ExitCode == 0 {
			v.ExitCode = t.ExitCode
		}
	}
}

// exitCode returns the exit code of a verdict.
func exitCode(w verification.Word) int {
	switch w {
	case verification.Differ:
		return 3
	case verification.Undecided:
		return 4
	}
	return 0
}

// Count returns the number of endpoints with a verdict.
func (v *Verifications) Count(w verification.Word) (n int) {
	for _, e := range v.Endpoints {
		if e.Word == w {
			n++
		}
	}
	return n
}
