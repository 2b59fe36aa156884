package task

import (
	"errors"
	"fmt"
)

// An Error is a request that cannot be met. Its Hint says what to do instead.
type QuestionError struct {
	err  error
	hint string
}

func (e *QuestionError) Error() string { return e.err.Error() }

// Unwrap returns the cause, where there is one.
func (e *QuestionError) Unwrap() error { return errors.Unwrap(e.err) }

// Hint says what to do instead.
func (e *QuestionError) Hint() string { return e.hint }

// Misuse marks the error as the caller's.
func (e *QuestionError) Misuse() bool { return true }

// Misuse returns the error of a request that cannot be met. hint says what to do instead.
func Misuse(hint, format string, args ...any) error {
	return &QuestionError{fmt.Errorf(format, args...), hint}
}

// TooMany returns the error of a list that needs n different items where there are only most. what names
// the items, with args as in fmt.Sprintf.
func TooMany(n, most int, what string, args ...any) error {
	args = append([]any{n}, args...)
	return Misuse(fmt.Sprintf("ask for fewer: there are %d", most), "there are not %d "+what, args...)
}
