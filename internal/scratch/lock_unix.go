//go:build linux || darwin || freebsd || netbsd || openbsd

package scratch

import (
	"os"
	"syscall"
)

// openMode opens an unfinished file that may exist already: its lock says whether another process
// writes it.
const openMode = os.O_RDWR | os.O_CREATE

// locks reports whether lock can lock on this system.
const locks = true

// lock locks a file until it is closed. It returns false if another process has locked it.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
