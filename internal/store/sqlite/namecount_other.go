//go:build !unix

package sqlite

import "os"

// nameCount returns 1: on this system, os.FileInfo lacks the number of names.
func nameCount(os.FileInfo) int { return 1 }
