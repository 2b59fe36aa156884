// Package testheap runs the tests of a package with a larger heap.
package testheap

import (
	"os"
	"runtime/debug"
	"testing"
)

// percent is how far the heap grows between two collections. The program has the same
// percentage for itself.
const percent = 400

// Main is a TestMain for packages whose tests take seconds. They make much garbage and keep
// little, so that collections at every doubling take a fifth of their time. GOGC is obeyed.
func Main(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	m.Run()
}
