package store

import (
	"context"
	"fmt"
)

// verifyHint is what to do about a damaged file.
const verifyHint = "`verbatim runs --verify` says what is damaged; keep a copy of the file and bring back a backup, or save what can be read with SQLite's `.recover`"

// savedCount returns how many records of a run were saved, by the counts that every
// commit keeps.
func (c *conn) savedCount(ctx context.Context, run int64) (n int64, err error) {
	_, err = c.one(ctx, func(r *rows) { n = r.int() }, `SELECT sum(n) FROM tally WHERE run = ?`, run)
	return n, err
}

// checkCompleteRange makes sure that the n records of the positions from first to last are all
// that were saved, where no place of the run is outside of them.
func (c *conn) checkCompleteRange(ctx context.Context, run, first, last, n int64) error {
	begin, end := span(run)
	if first > begin {
		return nil
	}
	if last < end {
		more, err := c.one(ctx, func(*rows) {}, `SELECT 1 FROM reply WHERE place > ? AND place <= ? LIMIT 1`, last, end)
		if more || err != nil {
			return err
		}
	}
	return c.checkComplete(ctx, run, n)
}

// checkComplete makes sure that the n records that were read of a run are all that were saved.
func (c *conn) checkComplete(ctx context.Context, run, n int64) error {
	want, err := c.savedCount(ctx, run)
	if err == nil && want != n {
		err = c.incomplete(ctx, run, want, n)
	}
	return err
}

// incomplete says that a run has other records than were saved.
func (c *conn) incomplete(ctx context.Context, run, want, n int64) error {
	name := fmt.Sprintf("run %d", run)
	if known, err := c.run(ctx, run); err == nil {
		name += " (" + known.Name + ")"
	}
	return c.damage("%s has %d records, and %d can be read", name, want, n)
}

// damage says what is damaged.
func (c *conn) damage(format string, args ...any) error {
	return &Error{Kind: Corrupt, Path: c.path, What: "the database is damaged: " + fmt.Sprintf(format, args...), Hint: verifyHint}
}

// checkCompleteGrades makes sure that the grades that were read of a run, by their grader
// versions, are all that were saved.
func (c *conn) checkCompleteGrades(ctx context.Context, run int64, read map[string]int64) error {
	var wrong error
	err := c.each(ctx, func(r *rows) {
		grader, want := r.str(), r.int()
		if n := read[grader]; n != want && wrong == nil {
			wrong = c.damage("run %d has %d grades by %s, and %d can be read", run, want, grader, n)
		}
		delete(read, grader)
	}, `SELECT text, n FROM graded JOIN word ON word.id = grader WHERE run = ?`, run)
	if err == nil {
		err = wrong
	}
	if err != nil {
		return err
	}
	for grader, n := range read {
		return c.damage("run %d has %d grades by %s that are not counted", run, n, grader)
	}
	return nil
}
