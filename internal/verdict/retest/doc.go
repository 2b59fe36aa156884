// Package retest analyses a model that answered the same items several times
// (test–retest, also called A/A). It says how much the answers vary, and how often
// comparisons and checks of the unchanged model would give a wrong verdict.
//
// retest.go holds Analyze and the result; resample.go simulates comparisons and checks
// from the repeated answers.
package retest
