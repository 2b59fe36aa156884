package input

import "fmt"

// A NameError is a mistake in the name of a model.
type NameError struct {
	Name   string // without secrets
	Reason string // what is wrong
	Advice string // what to write instead
}

// Error returns the name and the reason.
func (e *NameError) Error() string { return fmt.Sprintf("model %q: %s", e.Name, e.Reason) }

// Hint returns the advice.
func (e *NameError) Hint() string { return e.Advice }

// Misuse reports that it is a usage error.
func (e *NameError) Misuse() bool { return true }
