// Package verdicttest makes records and runs for the tests of package verdict and of the
// packages in its folders.
package verdicttest
