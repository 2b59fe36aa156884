package verdict

import (
	"fmt"

	"verbatim"
)

// A judged is what a test needs to know of a record.
type judged struct {
	answered  bool
	skipped   bool // never sent
	right     bool
	undecided bool
	unscored  bool // the score is undefined and counts 0
	score     float64
	label     string
	item      string
}

// judge reads a record. One that contradicts itself is an error.
func judge(rec *verbatim.Record, score Score) (judged, error) {
	if rec.Item == nil {
		return judged{}, fmt.Errorf("place %d: a record without an item", rec.Seq)
	}
	j := judged{item: rec.Item.ID, answered: rec.Outcome.Answered(), skipped: rec.Outcome == verbatim.Skipped}
	if !j.answered {
		return j, nil
	}
	if rec.Grade == nil {
		return j, fmt.Errorf("item %s: its outcome is %s, and it has no grade", rec.Item.ID, rec.Outcome)
	}
	j.right, j.label, j.undecided = rec.Grade.Strict, rec.Grade.Label, undecidedLimit(rec)
	value, ok := score(rec.Item, rec.Grade)
	if j.unscored = !ok; ok {
		j.score = value
	}
	return j, nil
}

// undecidedLimit reports whether the token limit ended an answer that could still
// have become right: it says nothing yet, or how a right one begins. Whatever a
// run has more of these than another, its rates are too low by.
func undecidedLimit(rec *verbatim.Record) bool {
	return rec.Outcome == verbatim.Limit && !rec.Grade.Strict && rec.Grade.Detail == couldFollow
}
