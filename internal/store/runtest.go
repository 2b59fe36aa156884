package store

import (
	"context"
	"fmt"
	"time"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// CloseTest closes the open test of a run with its verdict, at the time now. From then on, Begin
// begins another run for such a test, and Write refuses this one. A run without a test, a closed
// test (a *testClosed error) and an empty verdict are errors, and nothing is changed. When
// CloseTest returns, the verdict is committed.
func (s *Store) CloseTest(ctx context.Context, run int64, verdict string, now time.Time) error {
	return s.CloseTestWithState(ctx, run, verdict, "", now)
}

// CloseTestWithState is CloseTest with the state of the test, from which a later test continues.
func (s *Store) CloseTestWithState(ctx context.Context, run int64, verdict, state string, now time.Time) error {
	if verdict = clean(verdict); verdict == "" {
		return fmt.Errorf("run %d: a test is closed with a verdict, and this one is empty", run)
	}
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		known, err := readRun(ctx, c, run)
		switch {
		case err != nil:
			return err
		case known.Test == nil:
			return fmt.Errorf("run %s is not a test: only a test is closed with a verdict", known.Name)
		}
		if err := checkTestOpen(known); err != nil {
			return err
		}
		known.Test.Verdict, known.Test.Closed, known.Test.State = verdict, now, state
		return saveVerdict(c, run, *known.Test)
	})
}

// Tests returns the runs whose test is of a kind, of one model or, with model "", of all, the
// oldest first. It reads no records: its time depends only on the number of runs.
func (s *Store) Tests(ctx context.Context, kind, model string) ([]verbatim.Run, error) {
	var found []verbatim.Run
	err := s.file.View(func(c *sqlite.Conn) error {
		saved, err := sqlite.QueryList(ctx, c, scanRun, selectRun+` WHERE run.test IS NOT NULL AND (run.model = ? OR ? = '') ORDER BY run.id`, model, model)
		for i := range saved {
			if saved[i].Run.Test.Kind == kind {
				found = append(found, saved[i].Run)
			}
		}
		return err
	})
	return found, err
}
