//go:build linux || darwin || freebsd || netbsd || openbsd

package scratch

import (
	"os"
	"syscall"
)

// openMode opens an unfinished file that may be there: its lock says whether a process
// writes it.
const openMode = os.O_RDWR | os.O_CREATE

// locks reports whether lock means anything here.
const locks = true

// lock locks a file until it is closed, and reports whether no other process has.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
