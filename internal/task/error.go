package task

import (
	"errors"
	"fmt"
)

// An Error is a request that cannot be met. Its Hint says what to do instead.
type questionError struct {
	err  error
	hint string
}

func (e *questionError) Error() string { return e.err.Error() }

// Unwrap returns the cause, where there is one.
func (e *questionError) Unwrap() error { return errors.Unwrap(e.err) }

// Hint says what to do instead.
func (e *questionError) Hint() string { return e.hint }

// misuse marks the error as the caller's.
func (e *questionError) Misuse() bool { return true }

// misuse returns the error of a request that cannot be met. hint says what to do instead.
func misuse(hint, format string, args ...any) error {
	return &questionError{fmt.Errorf(format, args...), hint}
}

// tooMany returns the error of a list that needs n different items where there are only most. what names
// the items, with args as in fmt.Sprintf.
func tooMany(n, most int, what string, args ...any) error {
	args = append([]any{n}, args...)
	return misuse(fmt.Sprintf("ask for fewer: there are %d", most), "there are not %d "+what, args...)
}
