package verdict

import "fmt"

// A Refusal is the error of two runs that cannot be compared, or of a run that cannot be
// used as asked.
type Refusal struct {
	RunA, RunB string // the names of two runs; empty if Why is the whole message
	Field      string // what is wrong: "edition", "seed", "prompt", "grader", "items", "run"
	A, B       string // the values of Field in the two runs, if these differ
	Why        string // what is wrong, if A and B do not say it
	Do         string // what to do instead
}

// Error names both runs, the field and its two values, or says Why.
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

// Misuse reports that this is a usage error.
func (r *Refusal) Misuse() bool { return true }

// A brokenRecord error is about a record that contradicts itself.
type brokenRecord struct {
	seq  int64
	item string
	why  string
}

func (e *brokenRecord) Error() string {
	if e.item == "" {
		return fmt.Sprintf("position %d: %s", e.seq, e.why)
	}
	return fmt.Sprintf("item %s: %s", e.item, e.why)
}
