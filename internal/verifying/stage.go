package verifying

import (
	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/verdict/verification"
)

// A stage is a probe of a test with requests of its own, or calls of a tool. It has runs of its
// own: their requests have other parameters.
type stage struct {
	probe    verification.ProbeName // or toolCalls
	test     stageTest
	params   func(*verbatim.Params) // sets what its requests have in place of the options
	inFlight int
	skipped  bool                                                            // nothing is sent
	limits   func(verbatim.Params) func(*verbatim.Item) (reply, content int) // nil: the requests have them
	what     string                                                          // what is sent, for the progress line: "calls for log probabilities"
	round    *app.Round
}

// A stageTest is what a stage sends. Side is 0 or 1.
type stageTest interface {
	Items() []verbatim.Item
	Resume(side int, rec *verbatim.Record)
	Source(side int) verbatim.Source
	Progress() (ended, all int)
	Ended() bool // nothing is left to send
}
