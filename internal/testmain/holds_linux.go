package testmain

import "syscall"

// noExec is the flag of a file system from which no program can be started.
const noExec = 0x8

// holdsPrograms reports whether the folder has so many free bytes, for programs too.
func holdsPrograms(folder string, room uint64) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(folder, &s) == nil && s.Flags&noExec == 0 && s.Bavail*uint64(s.Bsize) >= room
}
