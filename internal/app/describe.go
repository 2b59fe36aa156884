package app

import (
	"context"
	"errors"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
)

// Describe returns the kind of an error, and what to do about it. An error of another package
// states its kind with a method Misuse() bool, and its hint with a method Hint() string.
func Describe(err error) (kind errkind.Kind, hint string) {
	var hinted interface{ Hint() string }
	var misuse interface{ Misuse() bool }
	own, isOwn := errors.AsType[*errkind.Error](err)
	unsaved, isUnsaved := errors.AsType[*store.Unsaved](err)
	failed, isFailure := errors.AsType[*verbatim.Failure](err)
	file, isFile := errors.AsType[*sqlite.Error](err)
	switch {
	case isOwn:
		kind, hint = own.Kind, own.Hint
	case isUnsaved:
		hint = unsaved.Hint()
		if errors.Is(err, errkind.ErrInterrupted) {
			kind = errkind.Interrupted
		}
	case errors.Is(err, context.Canceled), errors.Is(err, errkind.ErrInterrupted):
		kind = errkind.Interrupted
	case isFailure:
		hint = failed.Hint
	case isFile:
		hint = file.Hint
		if file.Kind.Misuse() {
			kind = errkind.Usage
		}
	}
	if !isOwn && errors.As(err, &misuse) && misuse.Misuse() {
		kind = errkind.Usage
	}
	if hint == "" && errors.As(err, &hinted) {
		hint = hinted.Hint()
	}
	if hint == "" && isFile { // it may be within a failure
		hint = file.Hint
	}
	return kind, hint
}
