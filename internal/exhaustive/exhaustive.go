// Package exhaustive says, for tests, whether they take all cases or some of each kind.
package exhaustive

import (
	"os"
	"testing"
)

// All reports whether tests take all cases, as the step exhaustive of scripts/check has them do.
func All() bool { return os.Getenv("VERBATIM_EXHAUSTIVE") != "" }

// Of returns the number of cases that a test takes: some, or all where tests take all cases.
func Of(some, all int) int {
	if All() {
		return all
	}
	return some
}

// Only skips a test that takes long, unless tests take all cases.
func Only(t testing.TB) {
	t.Helper()
	if !All() {
		t.Skip("VERBATIM_EXHAUSTIVE=1 runs this test; scripts/check exhaustive does")
	}
}
