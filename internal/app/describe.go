package app

import (
	"context"
	"errors"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
)

// Describe finds the kind of an error, and what to do about it. Errors of other packages
// say the first with a method Misuse, the second with a method Hint.
func Describe(err error) (kind errkind.Kind, hint string) {
	var own *errkind.Error
	var f *verbatim.Failure
	var file *sqlite.Error
	var unsaved *store.Unsaved
	var hinted interface{ Hint() string }
	var misuse interface{ Misuse() bool }
	switch {
	case errors.As(err, &own):
		kind, hint = own.Kind, own.Hint
	case errors.As(err, &unsaved):
		hint = unsaved.Hint()
		if errors.Is(err, errkind.ErrInterrupted) {
			kind = errkind.Interrupted
		}
	case errors.Is(err, context.Canceled), errors.Is(err, errkind.ErrInterrupted):
		kind = errkind.Interrupted
	case errors.As(err, &f):
		hint = f.Hint
	case errors.As(err, &file):
		hint = file.Hint
		if file.Kind.Misuse() {
			kind = errkind.Usage
		}
	}
	if own == nil && errors.As(err, &misuse) && misuse.Misuse() {
		kind = errkind.Usage
	}
	if hint == "" && errors.As(err, &hinted) {
		hint = hinted.Hint()
	}
	if hint == "" && errors.As(err, &file) { // within a failure
		hint = file.Hint
	}
	return kind, hint
}
