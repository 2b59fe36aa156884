// Package verdicttest makes records and runs for the tests of package verdict and of the
// packages below it.
package verdicttest
