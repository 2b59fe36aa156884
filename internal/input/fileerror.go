package input

import "fmt"

// A FileError says what is wrong in a file that the user wrote, where, and what
// to write instead. It repeats no value that may be a key.
type FileError struct {
	File   string
	Line   int // from 1; 0 where it concerns the whole file
	Column int // in characters, from 1; 0 where it concerns the line
	Reason string
	Advice string
}

// Error says where and what, in the form that editors jump to.
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

// Hint says what to do about it.
func (e *FileError) Hint() string { return e.Advice }

// Misuse reports that the caller is at fault and not the world.
func (e *FileError) Misuse() bool { return true }
