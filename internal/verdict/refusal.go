package verdict

import "fmt"

// A Refusal says that two runs cannot be compared, and why: a field in which
// they differ, with what each has there, and what to do about it.
type Refusal struct {
	Field string // what differs: "edition", "seed", "prompt", …
	A, B  string // what each run has there; empty where no values differ
	Why   string // a sentence without a full stop
	Do    string // what to do instead
}

// Error says why.
func (r *Refusal) Error() string {
	if r.A == "" && r.B == "" {
		return r.Why
	}
	return fmt.Sprintf("%s: %s is %s here and %s there", r.Why, r.Field, r.A, r.B)
}

// Hint says what to do instead.
func (r *Refusal) Hint() string { return r.Do }

// Misuse reports that the caller chose what cannot be compared.
func (r *Refusal) Misuse() bool { return true }
