package store

import (
	"context"
	"fmt"
	"time"

	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// CloseTest closes the open test of a run with its verdict, at the time now. From
// then on Begin starts another run for such a test, and Write refuses this one. A
// run without a test, a closed test (a *Closed error) and an empty verdict are
// errors, and nothing is changed. Like a record, a verdict is on the disk when
// CloseTest returns.
func (s *Store) CloseTest(ctx context.Context, run int64, verdict string, now time.Time) error {
	if verdict = rows.Clean(verdict); verdict == "" {
		return fmt.Errorf("run %d: a test is closed with a verdict, and this one is empty", run)
	}
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		known, err := rows.ReadRun(ctx, c, run)
		switch {
		case err != nil:
			return err
		case known.Test == nil:
			return fmt.Errorf("run %s is no test: its whole plan is to be answered", known.Name)
		}
		if err := rows.CheckTestOpen(known); err != nil {
			return err
		}
		return rows.SaveVerdict(c, run, verdict, now)
	})
}
