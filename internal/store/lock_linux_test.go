package store

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"verbatim/internal/store/storetest"
)

// TestOpeningTwiceKeepsTheLocks: a process that opens its database a second time, and
// closes that again, still holds the lock that shows to others that the database is in
// use.
func TestOpeningTwiceKeepsTheLocks(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	info, err := os.Stat(s.file.Path())
	must(t, err)
	locked := func() bool {
		list, err := os.ReadFile("/proc/locks")
		if err != nil {
			t.Skip("this system does not list its locks")
		}
		return strings.Contains(string(list), fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino))
	}
	if !locked() {
		t.Skip("this system does not list the locks of this process")
	}
	second, err := Open(ctx, s.file.Path())
	must(t, err)
	must(t, second.Close())
	if !locked() {
		t.Error("the lock is gone")
	}
	if out, err := child(t, "open", s.file.Path()).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	must(t, s.file.CheckMoved())
	must(t, w.Put(ctx, run.N, storetest.Typical(0)))
	must(t, w.Close())
}
