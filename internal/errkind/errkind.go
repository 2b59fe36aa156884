// Package errkind tells errors of usage from errors at run time: the first have another
// exit code. Every error may have a hint on what to do.
package errkind

import (
	"context"
	"errors"
	"fmt"
)

// A Kind is what an error means for the caller.
type Kind int

// The kinds.
const (
	Failed      Kind = iota // input or output, network, a lock, a full disk, requests without an answer
	Usage                   // flags, names, files in the wrong format, a database of another version
	Interrupted             // by the user
)

// An Error is an error of a known kind, with what to do about it.
type Error struct {
	Kind    Kind
	Err     error
	Details []string // each on a line of its own below Err
	Hint    string
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Usagef returns an Error that the user can avoid.
func Usagef(hint, format string, args ...any) error {
	return &Error{Kind: Usage, Err: fmt.Errorf(format, args...), Hint: hint}
}

// Runtimef returns an Error that depends on the machine, the network or the model.
func Runtimef(hint, format string, args ...any) error {
	return &Error{Kind: Failed, Err: fmt.Errorf(format, args...), Hint: hint}
}

// Damagedf returns an Error about saved data that contradict each other.
func Damagedf(format string, args ...any) error {
	return Runtimef("`verbatim runs --verify` says whether the database is damaged; export a file once more from its source", format, args...)
}

// ErrInterrupted is the cause of a context that the user ended.
var ErrInterrupted = errors.New("interrupted")

// IsInterrupted reports whether the user ended a context.
func IsInterrupted(ctx context.Context) bool { return context.Cause(ctx) == ErrInterrupted }
