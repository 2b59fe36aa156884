package store

import (
	"context"
	"fmt"

	"verbatim/internal/store/sqlite"
)

// savedCount returns the number of records of a run by the table tally, which every commit
// updates.
func savedCount(ctx context.Context, c *sqlite.Conn, run int64) (n int64, err error) {
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) { n = r.Int() }, `SELECT sum(n) FROM tally WHERE run = ?`, run)
	return n, err
}

// checkCompleteRange compares n, the number of records that were read from the keys first to
// last, with savedCount. It does so only if no record of the run is outside of these keys.
func checkCompleteRange(ctx context.Context, c *sqlite.Conn, run, first, last, n int64) error {
	begin, end := span(run)
	if first > begin {
		return nil
	}
	if last < end {
		more, err := c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM reply WHERE place > ? AND place <= ? LIMIT 1`, last, end)
		if more || err != nil {
			return err
		}
	}
	return checkComplete(ctx, c, run, n)
}

// checkComplete returns a Corrupt error unless n, the number of records that were read of a
// run, is savedCount.
func checkComplete(ctx context.Context, c *sqlite.Conn, run, n int64) error {
	want, err := savedCount(ctx, c, run)
	if err == nil && want != n {
		err = incompleteError(ctx, c, run, want, n)
	}
	return err
}

// incompleteError returns the Corrupt error of a run with want saved records, of which n can be
// read.
func incompleteError(ctx context.Context, c *sqlite.Conn, run, want, n int64) error {
	name := fmt.Sprintf("run %d", run)
	if known, err := readRun(ctx, c, run); err == nil {
		name += " (" + known.Name + ")"
	}
	return c.CorruptError("%s has %d records, and %d can be read", name, want, n)
}
