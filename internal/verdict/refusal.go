package verdict

import "fmt"

// A Refusal says that two runs cannot be compared, or that a run cannot be what it
// was named for, and why.
type Refusal struct {
	RunA, RunB string // the names of two runs; empty where Why says it all
	Field      string // what is wrong: "edition", "seed", "prompt", "grader", "items", "run"
	// A and B are what each run has there, where values differ; else Why says what
	// is wrong.
	A, B string
	Why  string
	Do   string // what to do instead
}

// Error names both runs, the field and what each of them has there.
func (r *Refusal) Error() string {
	if r.RunA == "" {
		return r.Why
	}
	s := fmt.Sprintf("%s and %s cannot be compared: ", r.RunA, r.RunB)
	if r.Why != "" {
		return s + r.Why
	}
	return fmt.Sprintf("%sthe %s differs: %s in the first, %s in the second", s, r.Field, r.A, r.B)
}

// Hint says what to do instead.
func (r *Refusal) Hint() string { return r.Do }

// Misuse reports that the caller chose what cannot be compared.
func (r *Refusal) Misuse() bool { return true }

// A brokenRecord error says that a record contradicts itself.
type brokenRecord struct {
	seq  int64
	item string
	why  string
}

func (e *brokenRecord) Error() string {
	if e.item == "" {
		return fmt.Sprintf("place %d: %s", e.seq, e.why)
	}
	return fmt.Sprintf("item %s: %s", e.item, e.why)
}
