package input

import "fmt"

// A NameError says that a name is at fault, and what to type instead.
type NameError struct {
	Name   string // without secrets
	Reason string
	Advice string
}

// Error says which name and why.
func (e *NameError) Error() string { return fmt.Sprintf("model %q: %s", e.Name, e.Reason) }

// Hint says what to do about it.
func (e *NameError) Hint() string { return e.Advice }

// Misuse reports that the caller is at fault and not the world.
func (e *NameError) Misuse() bool { return true }
