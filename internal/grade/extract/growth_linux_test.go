package extract

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"verbatim/internal/exhaustive"
)

// TestWorkIsLinear: eight times as long a reply takes about eight times the work, whatever it
// holds; quadratic work would be 64 times as much. What is compared is CPU time of one thread, as
// a ratio, so that other load of the machine does not matter.
func TestWorkIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	const (
		small, factor, most = 1 << 13, 8, 28
		tick                = 10 * time.Millisecond // the kernel may count time in steps of so much
	)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for i, unit := range repeatedUnits() {
		if i%exhaustive.Of(3, 1) != 0 {
			continue
		}
		for _, q := range everyKind() {
			ratio := 0.0
			for range 3 { // a garbage collection may come in between
				before := findTime(strings.Repeat(unit, small/len(unit)), q)
				after := findTime(strings.Repeat(unit, factor*small/len(unit)), q)
				if ratio = float64(after) / float64(max(before, tick)); ratio <= most {
					break
				}
			}
			if ratio > most {
				t.Errorf("%q, kind %d: %d times the length takes %.0f times the work", unit, q.Kind, factor, ratio)
			}
		}
	}
}

// findTime is the CPU time that this thread takes for a reply.
func findTime(text string, q *Question) time.Duration {
	before := threadTime()
	Find(text, "", q)
	return threadTime() - before
}

// threadTime is the CPU time of this thread until now.
func threadTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_THREAD, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
