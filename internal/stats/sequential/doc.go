// Package sequential tests a mean difference while the differences arrive. A test may be
// looked at after every block: its error rate holds at any stopping time (anytime-valid).
//
// The method is testing by betting. A wealth process (test martingale) bets against a
// hypothesis about the mean. Wealth of 1/alpha rejects the hypothesis at level alpha.
// Nothing is assumed of the distribution of the differences except that they lie between
// -1 and 1 and arrive in random order.
//
// One file for each part:
//
//	wealth.go          the bets against one hypothesis
//	ropetest.go        ROPETest: worse, equivalent or better, for a ROPE
//	gate.go            Gate: non-inferiority with a margin, pass or worse
//	decision.go        Decision, and the checks of arguments
//	observations.go    the blocks seen so far, and the anytime-valid interval
//	controlvariate.go  the baseline's scores as control variate
//
// Start reading at ROPETest.
package sequential
