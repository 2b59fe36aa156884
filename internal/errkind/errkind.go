// Package errkind distinguishes usage errors from errors at run time, which have another exit code.
// Every error may have a hint on what to do. Make them with Usagef and Runtimef.
package errkind

import (
	"context"
	"errors"
	"fmt"
)

// A Kind is a kind of error. Each has an exit code of its own.
type Kind int

// The kinds.
const (
	Failed      Kind = iota // input or output, network, a lock, a full disk, requests without an answer
	Usage                   // flags, names, files in the wrong format, a database of another version
	Interrupted             // by the user
)

// An Error is an error of a known kind.
type Error struct {
	Kind    Kind
	Err     error
	Details []string // each on a line of its own below Err
	Hint    string   // what to do; "": nothing to say
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Usagef returns an Error of kind Usage. hint says what to do; the rest is as in fmt.Errorf.
func Usagef(hint, format string, args ...any) error {
	return &Error{Kind: Usage, Err: fmt.Errorf(format, args...), Hint: hint}
}

// Runtimef returns an Error of kind Failed: it depends on the machine, the network or the model. hint
// says what to do, "" for nothing; the rest is as in fmt.Errorf.
func Runtimef(hint, format string, args ...any) error {
	return &Error{Kind: Failed, Err: fmt.Errorf(format, args...), Hint: hint}
}

// Damagedf is Runtimef for saved data that contradict each other.
func Damagedf(format string, args ...any) error {
	return Runtimef("`verbatim runs --verify` says whether the database is damaged; export a file once more from its source", format, args...)
}

// ErrInterrupted is the cause of a context that the user ended.
var ErrInterrupted = errors.New("interrupted")

// IsInterrupted reports whether the user ended a context.
func IsInterrupted(ctx context.Context) bool { return context.Cause(ctx) == ErrInterrupted }
