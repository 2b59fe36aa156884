package input

import "fmt"

// A FileError is a mistake in a file that the user wrote. It repeats no value that may be a key.
type FileError struct {
	File   string
	Line   int    // from 1; 0 for the whole file
	Column int    // in characters, from 1; 0 for the whole line
	Reason string // what is wrong
	Advice string // what to write instead
}

// Error returns "file:line:column: reason", from which editors open the place.
func (e *FileError) Error() string {
	at := e.File
	if e.Line > 0 {
		at += fmt.Sprintf(":%d", e.Line)
		if e.Column > 0 {
			at += fmt.Sprintf(":%d", e.Column)
		}
	}
	return at + ": " + e.Reason
}

// Hint returns the advice.
func (e *FileError) Hint() string { return e.Advice }

// Misuse reports that it is a usage error.
func (e *FileError) Misuse() bool { return true }
