// Package testmain runs the tests of packages whose tests take seconds.
package testmain

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"

	"verbatim/internal/exhaustive"
)

const (
	// percent is how far the heap grows between two collections. The program has the same
	// percentage for itself.
	percent = 400
	// checks is the number of cases of a property test. It is 100 where all cases are taken.
	checks = "25"
)

// Main is the TestMain of such a package. Tests make much garbage and keep little, so that
// collections at every doubling take a fifth of their time. GOGC, -rapid.checks and TMPDIR are obeyed.
func Main(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	flag.Parse()
	// With -short there are a fifth as many.
	if f := flag.Lookup("rapid.checks"); f != nil && f.Value.String() == f.DefValue && !exhaustive.All() && !testing.Short() {
		if err := f.Value.Set(checks); err != nil {
			panic(err)
		}
	}
	InMemory(m).Run()
}
