package verifying

import (
	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/verdict/verification"
)

// A stage is a probe with requests of its own, or the calls of a tool. It has runs of its own, because
// its requests have other parameters than the texts.
type stage struct {
	probe    verification.ProbeName // or toolCalls
	test     stageTest
	params   func(*verbatim.Params) // changes the parameters of the runs
	inFlight int
	limits   func(verbatim.Params) func(*verbatim.Item) (reply, content int) // nil: the requests have their limits
	what     string                                                          // names the requests in the progress line
	round    *app.Round
}

// A stageTest holds the requests of a stage. side is 0 or 1.
type stageTest interface {
	Items() []verbatim.Item
	Resume(side int, rec *verbatim.Record)
	Source(side int) verbatim.Source
	Progress() (ended, all int)
	Ended() bool // nothing is left to send
}
