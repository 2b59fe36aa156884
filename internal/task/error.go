package task

import "fmt"

// An Error is a fault in what was asked for. It says what to do instead.
type Error struct {
	message, hint string
}

func (e *Error) Error() string { return e.message }

// Hint says what to do instead.
func (e *Error) Hint() string { return e.hint }

// Misuse marks the error as the caller's.
func (e *Error) Misuse() bool { return true }

func misuse(hint, format string, args ...any) error {
	return &Error{fmt.Sprintf(format, args...), hint}
}
