package app

import (
	"runtime/debug"

	"verbatim/internal/library"
)

// manyInFlight is the number of requests in flight above which memory is more important than the
// time of the garbage collector.
const manyInFlight = maxTuned

// TuneCollector sets the percentage by which the heap grows between two collections, unless the
// user has set GOGC. Restore sets the earlier percentage.
//
// Usually some ten megabytes are in use. With the default of 100 %, collections take a fifth of all
// work then; 400 % costs 20 MB.
func TuneCollector(getenv func(string) string, percent int) (restore func()) {
	if getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// saveMemory lets the heap grow by 100 % only if more requests than usual are in flight: each holds
// some 10 kB and a stack.
func (j *Job) saveMemory() (restore func()) {
	inFlight := 0
	for _, l := range j.lanes {
		inFlight += l.InFlight
	}
	if inFlight <= manyInFlight {
		return func() {}
	}
	return TuneCollector(j.app.Getenv, 100)
}

// manyAnswers is the number of answers counted by item above which memory is more important than the
// time of the garbage collector.
const manyAnswers = 100_000

// SaveReportMemory lets the heap grow by 100 % only for a report of many answers to items with
// several trials, which takes memory for each item.
func SaveReportMemory(getenv func(string) string, runs []library.NamedRun) (restore func()) {
	answers := int64(0)
	for _, r := range runs {
		if r.Plan.Trials > 1 {
			answers += r.Plan.Count
		}
	}
	if answers <= manyAnswers {
		return func() {}
	}
	return TuneCollector(getenv, 100)
}
