package sqlite

import (
	"fmt"
	"os"
)

// checkHardLinks returns an error if a file has several names. SQLite names the log after the name
// of the database. Two processes that use two names of one file have two logs, and damage it.
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
