package cli

import (
	"math"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// TestHeapLimit: the program limits its heap, so that garbage of large replies does not
// take several times what they may hold.
func TestHeapLimit(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	invoke(t, filepath.Join(t.TempDir(), "x.db"), "suites")
	if got := debug.SetMemoryLimit(-1); got != heapLimit {
		t.Errorf("the limit is %d", got)
	}
}
