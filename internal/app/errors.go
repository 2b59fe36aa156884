package app

import (
	"context"
	"errors"
	"fmt"

	"verbatim"
	"verbatim/internal/store"
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

// UsageError returns an Error that the user can avoid.
func UsageError(hint, format string, args ...any) error {
	return &Error{Kind: Usage, Err: fmt.Errorf(format, args...), Hint: hint}
}

// RuntimeError returns an Error that depends on the machine, the network or the model.
func RuntimeError(hint, format string, args ...any) error {
	return &Error{Kind: Failed, Err: fmt.Errorf(format, args...), Hint: hint}
}

// ErrInterrupted is the cause of a context that the user ended.
var ErrInterrupted = errors.New("interrupted")

func interrupted(ctx context.Context) bool { return context.Cause(ctx) == ErrInterrupted }

// Describe finds the kind of an error, and what to do about it. Errors of other packages
// say the first with a method Misuse, the second with a method Hint.
func Describe(err error) (kind Kind, hint string) {
	var own *Error
	var f *verbatim.Failure
	var file *store.Error
	var unsaved *store.Unsaved
	var hinted interface{ Hint() string }
	var misuse interface{ Misuse() bool }
	switch {
	case errors.As(err, &own):
		kind, hint = own.Kind, own.Hint
	case errors.As(err, &unsaved):
		hint = unsaved.Hint()
		if errors.Is(err, ErrInterrupted) {
			kind = Interrupted
		}
	case errors.Is(err, context.Canceled), errors.Is(err, ErrInterrupted):
		kind = Interrupted
	case errors.As(err, &f):
		hint = f.Hint
	case errors.As(err, &file):
		hint = file.Hint
		if file.Kind.Misuse() {
			kind = Usage
		}
	}
	if own == nil && errors.As(err, &misuse) && misuse.Misuse() {
		kind = Usage
	}
	if hint == "" && errors.As(err, &hinted) {
		hint = hinted.Hint()
	}
	if hint == "" && errors.As(err, &file) { // within a failure
		hint = file.Hint
	}
	return kind, hint
}
