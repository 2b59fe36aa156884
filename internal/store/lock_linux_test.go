package store

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"verbatim/internal/store/sqlite"
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

// TestNoLocks: on a file system without locks, such as some network drives, no other process is blamed:
// neither for a new database nor for one that is there. The test runs in a process whose locks
// are refused by the kernel.
func TestNoLocks(t *testing.T) {
	if os.Getenv("VERBATIM_STORE_CHILD") == "" {
		c := child(t, "no locks", newStore(t).file.Path())
		c.Args = append(c.Args, "-test.run=^TestNoLocks$")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	path := os.Getenv("VERBATIM_STORE_DB")
	if err := refuseLocks(syscall.ENOLCK); err != nil {
		t.Fatal(err)
	}
	var said []string
	_, old := Open(ctx, path, sqlite.OnLock(func(line string) { said = append(said, line) }))
	_, fresh := Create(ctx, path+".new")
	for _, line := range append(said, fmt.Sprint(old), fmt.Sprint(fresh)) {
		if !strings.Contains(line, "is on a file system without locks") {
			t.Error(line)
		}
	}
}

// refuseLocks makes all locks of files fail in this process.
func refuseLocks(errno syscall.Errno) error {
	const (
		load, equal, ret = 0x20, 0x15, 0x06 // instructions of BPF
		allow, fail      = 0x7fff0000, 0x00050000
	)
	filter := []syscall.SockFilter{
		{Code: load, K: 0}, {Code: equal, Jf: 4, K: syscall.SYS_FCNTL}, // the number of the call
		{Code: load, K: 24}, {Code: equal, Jt: 1, K: 37}, {Code: equal, Jf: 1, K: syscall.F_SETLK}, // its second argument: F_OFD_SETLK
		{Code: ret, K: fail | uint32(errno)}, {Code: ret, K: allow},
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, 38, 1, 0, 0, 0, 0); e != 0 { // PR_SET_NO_NEW_PRIVS
		return e
	}
	call := map[string]uintptr{"amd64": 317, "arm64": 277}[runtime.GOARCH]
	if _, _, e := syscall.RawSyscall(call, 1, 1, uintptr(unsafe.Pointer(&program))); e != 0 { // seccomp, for all threads
		return e
	}
	return nil
}
