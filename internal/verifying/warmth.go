package verifying

import (
	"verbatim"
	"verbatim/internal/verdict/verification"
)

// A warmth is the warm-ups of a round, with the records that earlier commands saved of them.
type warmth struct {
	up      *verification.WarmUp // nil: none
	records [2][]verbatim.Record
}

// saved reports whether a saved record of a side is a warm-up, and remembers it.
func (w *warmth) saved(side int, rec *verbatim.Record) bool {
	if w.up == nil || w.up.Counts(rec) {
		return false
	}
	w.records[side] = append(w.records[side], *rec)
	return true
}

// source returns a Source of a side with the warm-ups.
func (w *warmth) source(side int, test verbatim.Source) verbatim.Source {
	if w.up == nil {
		return test
	}
	return w.up.Source(test, w.records[side])
}
