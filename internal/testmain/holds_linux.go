package testmain

import "syscall"

// noExec is the flag of a file system from which no program can be started.
const noExec = 0x8

// holdsPrograms reports whether the folder has at least this many free bytes, and programs can be
// started from it.
func holdsPrograms(folder string, bytes uint64) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(folder, &s) == nil && s.Flags&noExec == 0 && s.Bavail*uint64(s.Bsize) >= bytes
}
