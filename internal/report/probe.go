package report

import (
	"time"
)

// A Probed is the part that the results of all tests of one endpoint have.
type Probed struct {
	Run      CheckedRun `json:"run"`
	Cost     *Cost      `json:"cost"`
	Seconds  float64    `json:"seconds"`         // duration of this command
	Ended    string     `json:"ended,omitempty"` // why no more was sent before the test was finished
	ExitCode int        `json:"exit_code"`
	Started  time.Time  `json:"started"` // start of this command

	Again string `json:"-"` // the command line that continues the test
	Paid  bool   `json:"-"` // Cost is shown
}
