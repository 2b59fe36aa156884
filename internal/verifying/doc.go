// Package verifying runs the tests of 'verbatim verify' (package verification): it sends the requests
// of each probe to two endpoints, continues interrupted tests, and makes the documents.
//
// One file for each part:
//
//	verify.go  Options, and Run: all tests of a command, the probes of each in their order, and the verdicts
//	pair.go    pair: one test, its names and how far it is
//	send.go    stage: a probe with requests of its own, and how they are sent
//	texts.go   texts and exact answers; promptplan.go has their prompts
//	logprobs.go  log probabilities
//	tools.go   calls of a tool, which count among the exact answers
//	plan.go    Plan: the calls that would be sent at most
//	report.go  the document of one test
//
// Start reading at Run.
package verifying
