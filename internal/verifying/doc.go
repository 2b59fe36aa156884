// Package verifying runs the tests of 'verbatim verify' (package verification): it sends the requests
// of each probe to two endpoints, continues interrupted tests, and makes the documents.
//
// One file for each part:
//
//	verify.go  Options, and Run: all tests of a command, the probes of each in their order, and the verdicts
//	send.go    pair: one test, and how far it is; stage: a probe and how its requests are sent
//	probes.go  texts, exact answers, log probabilities and calls of a tool
//	plan.go    Plan: the calls that would be sent at most
//	report.go  the document of one test
//
// Start reading at Run.
package verifying
