//go:build unix

package sqlite

import (
	"os"
	"syscall"
)

// nameCount returns how many names (hard links) a file has.
func nameCount(info os.FileInfo) int {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return int(stat.Nlink)
}
