// Package testmain runs the tests of packages whose tests take seconds.
package testmain

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"verbatim/internal/exhaustive"
)

const (
	// percent is the growth of the heap between two collections. The program uses the same for
	// itself.
	percent = 400
	// checks is the number of cases of a property test, unless all cases are taken.
	checks = "25"
	// sideBySide is the number of parallel tests for each processor. Most of the time they wait: for
	// a retry, a lock, a program.
	sideBySide = 4
)

// Main is the TestMain of such a package: fewer garbage collections, more parallel tests, fewer random
// cases, and files in memory. Tests make much garbage and keep little, so that collections at every
// doubling take a fifth of their time. It obeys GOGC, -parallel, -rapid.checks, RAPID_CHECKS
// and TMPDIR.
func Main(m *testing.M) {
	ManyAtOnce()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	flag.Parse()
	// With -short, rapid has fewer cases by itself.
	if f := flag.Lookup("rapid.checks"); f != nil && f.Value.String() == f.DefValue && os.Getenv("RAPID_CHECKS") == "" && !exhaustive.All() && !testing.Short() {
		if err := f.Value.Set(checks); err != nil {
			panic(err)
		}
	}
	InMemory(m).Run()
}

// ManyAtOnce lets more parallel tests run than there are processors, unless -parallel says how many.
// It is called before flags are parsed.
func ManyAtOnce() {
	if err := flag.Set("test.parallel", strconv.Itoa(sideBySide*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
}
