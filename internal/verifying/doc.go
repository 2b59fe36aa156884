// Package verifying runs the tests of `verify`: it sends the requests of each probe to two
// endpoints, continues what was interrupted, and makes the documents.
//
// One file for each part:
//
//	verify.go  Run: all tests of a command, and their common verdicts
//	pair.go    the probes of one test, in their order
//	promptplan.go, warmth.go  the texts of an arm; requests that bring prompts into a cache
//	loads.go   the arms of one endpoint
//	stage.go   probes with requests of their own: log probabilities, sampled replies
//	tools.go   calls of a tool, which count among the exact answers
//	strict.go  the parts of a strict test
//	plan.go    what would be sent
//	report.go  the document of one test
//
// Start reading at Run.
package verifying
