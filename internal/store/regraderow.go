package store

import (
	"context"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// Regrade replaces the grade of a position with an answer. It reads the old one from the database,
// because another process may have regraded the record.
func (k *inserter) regrade(ctx context.Context, position int64, g *verbatim.Grade) error {
	grader, outcome, err := k.grade(position, g)
	if err != nil {
		return err
	}
	old := tallyKey{run: position >> 32}
	var it savedItem
	var trial int
	if _, err := k.c.QueryOne(ctx, func(r *sqlite.Rows) {
		old.grader, old.outcome, trial = r.Int(), r.Int(), int(r.Int())
		it = savedItem{ID: r.Int(), Tail: r.Raw(), Series: r.Int(), facts: r.Int(), grader: r.Int()}
	}, `SELECT r.grader, r.outcome, r.trial, i.id, i.tail, i.series, i.facts, i.grader FROM reply r JOIN item i ON i.id = r.item WHERE place = ?`, position); err != nil {
		return err
	}
	brief := k.brief(position, it, trial, outcome, g)
	if k.Words.Err != nil {
		return k.Words.Err
	}
	k.tally[old]--
	k.tally[tallyKey{old.run, grader, outcome}]++
	_, _, err = k.c.Exec(`UPDATE reply SET grader = ?, outcome = ?, brief = ? WHERE place = ?`, grader, outcome, brief, position)
	return err
}
