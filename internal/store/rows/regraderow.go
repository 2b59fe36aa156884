package rows

import (
	"context"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// Regrade saves another grade of a position with an answer. The record shows it from now on,
// unless it shows the grade of a newer version of the same grader.
func (k *Inserter) Regrade(ctx context.Context, position int64, g *verbatim.Grade) error {
	by, err := k.AddGrade(ctx, position, g)
	if err != nil {
		return err
	}
	name, version := SplitGrader(g.Grader)
	if byName, byVersion := SplitGrader(by); name == byName && version < byVersion {
		return nil
	}
	return k.promote(ctx, position, g)
}

// AddGrade saves a grade in addition to those of other versions, and returns the grader whose
// grade the record shows.
func (k *Inserter) AddGrade(ctx context.Context, position int64, g *verbatim.Grade) (by string, err error) {
	version := k.Words.Id(g.Grader) // grade returns the error
	had, err := k.c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM grade WHERE place = ? AND grader = ?`, position, version)
	if err != nil {
		return "", err
	}
	if _, _, err := k.grade(position, g); err != nil {
		return "", err
	}
	if !had {
		k.tally[tallyKey{position >> 32, version, -1}]++
	}
	_, err = k.c.QueryOne(ctx, func(r *sqlite.Rows) { by = r.Text() }, `SELECT text FROM reply JOIN word ON word.id = grader WHERE place = ?`, position)
	return by, err
}

// promote makes a saved grade the one that the record shows. It reads the grade that is shown now
// from the database, because another process may have regraded the record.
func (k *Inserter) promote(ctx context.Context, position int64, g *verbatim.Grade) error {
	outcome, err := CodeOf(Outcomes, g.Outcome)
	if err != nil {
		return err
	}
	grader := k.Words.Id(g.Grader)
	old := tallyKey{run: position >> 32}
	var it SavedItem
	var trial int
	if _, err := k.c.QueryOne(ctx, func(r *sqlite.Rows) {
		old.grader, old.outcome, trial = r.Int(), r.Int(), int(r.Int())
		it = SavedItem{ID: r.Int(), Tail: r.Raw(), Series: r.Int(), facts: r.Int(), grader: r.Int()}
	}, `SELECT r.grader, r.outcome, r.trial, i.id, i.tail, i.series, i.facts, i.grader FROM reply r JOIN item i ON i.id = r.item WHERE place = ?`, position); err != nil {
		return err
	}
	brief := k.Brief(position, it, trial, outcome, g)
	if k.Words.Err != nil {
		return k.Words.Err
	}
	k.tally[old]--
	k.tally[tallyKey{old.run, grader, outcome}]++
	_, _, err = k.c.Exec(`UPDATE reply SET grader = ?, outcome = ?, brief = ? WHERE place = ?`, grader, outcome, brief, position)
	return err
}
