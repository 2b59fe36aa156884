//go:build !unix

package sqlite

import "os"

// nameCount returns 1: the system does not say with a file how many names it has.
func nameCount(os.FileInfo) int { return 1 }
