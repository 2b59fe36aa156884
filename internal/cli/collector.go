package cli

import (
	"runtime/debug"

	"verbatim/internal/run"
)

// manyInFlight is the number of requests in flight from which memory counts for more
// than the time of the garbage collector: as many as are in flight by default are fast.
const manyInFlight = mostJobs

// tuneCollector sets the percentage by which the heap grows between two collections,
// unless the user has set GOGC, and returns what restores the one before.
//
// Usually little is alive, some ten megabytes, so that collecting at every doubling
// takes a fifth of all work. 400 % costs 20 MB then.
func (env *Env) tuneCollector(percent int) (restore func()) {
	if env.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// saveMemory has memory collected at every doubling where more requests than usual are
// in flight: each holds some 10 kB and a stack, and 400 % of that is too much.
func (env *Env) saveMemory(lanes []run.Lane) (restore func()) {
	inFlight := 0
	for _, l := range lanes {
		inFlight += l.InFlight
	}
	if inFlight <= manyInFlight {
		return func() {}
	}
	return env.tuneCollector(100)
}
