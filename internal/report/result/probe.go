package result

import (
	"time"

	"verbatim/internal/report"
)

// A Probed is what the result of every test of one endpoint says next to its verdict.
type Probed struct {
	Run      CheckedRun   `json:"run"`
	Cost     *report.Cost `json:"cost"`
	Seconds  float64      `json:"seconds"`         // of this call
	Ended    string       `json:"ended,omitempty"` // why no more was sent before the test was finished
	ExitCode int          `json:"exit_code"`
	Started  time.Time    `json:"started"` // of this call

	Again string `json:"-"` // the command line that continues the test
	Paid  bool   `json:"-"` // whether Cost is worth a line
}
