package sqlite

import (
	"fmt"
	"os"
)

// checkHardLinks returns the error of writing to a file that has several names; nil where it
// has one. SQLite names the log after the name that it was given: two processes that use
// two names of one file do not see each other's logs and locks on them, and destroy it.
func checkHardLinks(path, abs string) error {
	info, err := os.Stat(abs)
	if err != nil {
		return nil // there is no file yet, or the next step says what is wrong
	}
	n := nameCount(info)
	if n < 2 {
		return nil
	}
	return &Error{Kind: ReadOnly, Path: path,
		What: fmt.Sprintf("has %d names (hard links); a write under one of them damages what another process writes under another one", n),
		Hint: "remove the other names (`find DIRECTORY -samefile FILE` lists them), or copy the file and name the copy with --db"}
}
