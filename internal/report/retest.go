package report

import "verbatim/internal/verdict/retest"

// A Retest is the analysis of one run whose items have two answers. In JSON it is a part of the
// format "verbatim/aa/1".
type Retest struct {
	N     int64  `json:"n"` // the run's number and name
	Run   string `json:"run"`
	Model string `json:"model"`
	Note  string `json:"note,omitempty"` // a remark, such as that the model is simulated
	Suite string `json:"suite"`
	Plan  string `json:"plan"` // its hash
	// Twice is nil if no item has two answers.
	Twice *retest.Result `json:"twice"`
}

// RetestFormat names the JSON form of a RetestList.
const RetestFormat = "verbatim/aa/1"

// A RetestList is the JSON form of `verbatim aa`.
type RetestList struct {
	Format string   `json:"format"`
	Runs   []Retest `json:"runs"`
}
