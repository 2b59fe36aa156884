package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// encodeTest is the JSON of what a run is asked for, the two fields apart that
// say how the asking ended; NULL where the whole plan is to be answered. Equal
// tests have equal texts: that is how Begin tells runs apart.
func encodeTest(t *verbatim.Test) (any, error) {
	if t == nil {
		return nil, nil
	}
	asked := *t
	asked.Verdict, asked.Closed = "", time.Time{}
	b, err := json.Marshal(asked)
	if err != nil {
		return nil, fmt.Errorf("test of the run: %w", err)
	}
	return string(b), nil
}

// scanTest reads the columns test, verdict and closed of a run.
func scanTest(r *sqlite.Rows) (*verbatim.Test, error) {
	body, verdict, closed := r.Bytes(), r.Text(), moment(r.OptInt())
	if body == nil {
		return nil, nil
	}
	t := &verbatim.Test{}
	if err := json.Unmarshal(body, t); err != nil {
		return nil, sqlite.UnreadableError(r.Path, "the test of a run", err)
	}
	t.Verdict, t.Closed = verdict, closed
	return t, nil
}

// CloseTest closes the open test of a run with its verdict, at the time now. From
// then on Begin starts another run for such a test, and Write refuses this one. A
// run without a test, a closed test (a *Closed error) and an empty verdict are
// errors, and nothing is changed. Like a record, a verdict is on the disk when
// CloseTest returns.
func (s *Store) CloseTest(ctx context.Context, run int64, verdict string, now time.Time) error {
	if verdict = clean(verdict); verdict == "" {
		return fmt.Errorf("run %d: a test is closed with a verdict, and this one is empty", run)
	}
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		known, err := readRun(ctx, c, run)
		switch {
		case err != nil:
			return err
		case known.Test == nil:
			return fmt.Errorf("run %s is no test: its whole plan is to be answered", known.Name)
		}
		if err := checkTestOpen(known); err != nil {
			return err
		}
		return conclude(c, run, verdict, now)
	})
}

func conclude(c *sqlite.Conn, run int64, verdict string, now time.Time) error {
	_, _, err := c.Exec(`UPDATE run SET verdict = ?, closed = ? WHERE id = ?`, verdict, instant(now), run)
	return err
}

// checkTestOpen returns a *Closed error where the run is a closed test.
func checkTestOpen(run verbatim.Run) error {
	if run.Test != nil && run.Test.Verdict != "" {
		return &TestClosed{Run: run.Name, Test: *run.Test}
	}
	return nil
}
