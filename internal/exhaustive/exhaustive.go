// Package exhaustive tells tests whether to take all cases or some of each kind.
package exhaustive

import (
	"os"
	"testing"
)

// All reports whether tests take all cases, as in the step exhaustive of scripts/check.
func All() bool { return os.Getenv("VERBATIM_EXHAUSTIVE") != "" }

// Of returns the number of cases that a test takes: all if All is true, otherwise some.
func Of(some, all int) int {
	if All() {
		return all
	}
	return some
}

// Only skips a long test unless All is true.
func Only(t testing.TB) {
	t.Helper()
	if !All() {
		t.Skip("VERBATIM_EXHAUSTIVE=1 runs this test; scripts/check exhaustive does")
	}
}
