// Package sentinel watches one endpoint over days, with few calls a day: does it still answer as
// it did when the watch began?
//
//	enrolment := sentinel.NewEnrolment(config) // finds items that get the same answer each time
//	watch, err := sentinel.NewWatch(enrolled)  // adds the days before from saved records
//	day := watch.Today(date)                   // draws and sends the calls of a day
//
// The items are single words. The two most probable first tokens of their answers lie 0.2 to 0.6
// nats apart: other arithmetic rarely exchanges them, and other weights, templates or system prompts
// often do. Each reply is the enrolled answer or a deviation. Null hypothesis: the probability of a
// deviation is at most the tolerance, at every call, whatever came before. The probability of any
// alarm within the horizon is then at most alpha (package stats/change, Watch).
//
// The baseline never follows by itself: a slow drift would be lost. Start reading at Watch
// (watch.go).
package sentinel
