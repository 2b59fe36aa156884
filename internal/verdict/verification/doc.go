// Package verification tests whether two endpoints answer the same prompts alike. It does
// not say which is better: package earlystop does.
//
// Each prompt is sent twice to each endpoint. Null hypothesis: the endpoints differ from each
// other more often than each differs from itself at one half of the prompts at most. So texts
// that vary by themselves raise no alarm. Neither does numerics alone: on a real model, other
// arithmetic changed 25 to 40 % of the greedy texts, and changes of weights, template or system
// prompt changed 67 to 92 %.
//
// A second probe compares the grades of the first replies by McNemar's exact test. It finds
// endpoints that are right at different prompts, whatever their texts are.
//
// A third probe compares the log probabilities of the first token after single words. It has
// requests of its own.
//
// One file for each part:
//
//	test.go      Test: which requests are sent to each side, in which order
//	replies.go   the replies to one prompt, by the upstreams that answered, and whether the sides differ there
//	calls.go     callList: the calls of a probe with requests of its own
//	logprobs.go  logprobTest: log probabilities
//	tools.go     toolTest: calls of a tool, which count among the exact answers
//	probe.go     Probe: one of the tests that a verdict is made of
//	verdict.go   Test.Result: the verdict on the records so far
//	result.go    Result: the verdict with its numbers; Combine: the verdicts of a command together
//
// A result is a function of the records alone. A test that was interrupted and continued
// gives the result that it would have given without the interruption.
//
// Start reading at Test.
package verification
