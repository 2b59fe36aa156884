package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// A Tally is the number of positions of a run by outcome. It leaves out positions without a
// record.
type Tally map[verbatim.Outcome]int64

// Answered returns the number of positions with an answer.
func (t Tally) Answered() (n int64) {
	for o, k := range t {
		if o.Answered() {
			n += k
		}
	}
	return n
}

// Saved returns the number of positions with a record.
func (t Tally) Saved() (n int64) {
	for _, k := range t {
		n += k
	}
	return n
}

// Begin returns the newest run with the Plan, Model, Params, Origin and Test of want, finished or
// not; existed is true then. Without one, or if fresh is set, it saves a new run and returns it.
// Tests are equal if their Kind, Baseline and Settings are; a run with a closed test is never
// returned. A new run gets a number and a name; its Started is that of want, or now if that is
// zero, and its test is open. Two processes that begin the same run at the same time get the same
// one, and only one of them can write it.
func (s *Store) Begin(ctx context.Context, want verbatim.Run, fresh bool) (run verbatim.Run, existed bool, err error) {
	err = s.file.Update(ctx, func(c *sqlite.Conn) error {
		params, err := json.Marshal(want.Params)
		if err != nil {
			return fmt.Errorf("parameters of the run: %w", err)
		}
		test, err := encodeTest(want.Test)
		if err != nil {
			return err
		}
		if _, err := insertPlan(ctx, c, want.Plan); err != nil {
			return err
		}
		var id int64
		if !fresh {
			_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { id = r.Int() }, `
				SELECT max(run.id) FROM run JOIN plan ON plan.id = run.plan
				WHERE hash = ? AND model = ? AND params = ? AND origin = ? AND test IS ? AND verdict IS NULL`,
				want.Plan.Hash, want.Model, string(params), want.Origin, test)
			if err != nil {
				return err
			}
		}
		if existed = id != 0; !existed {
			if want.Started.IsZero() {
				want.Started = time.Now()
			}
			if want.Test != nil {
				asked := *want.Test
				asked.Verdict, asked.Closed = "", time.Time{}
				want.Test = &asked
			}
			if id, err = addRun(ctx, c, want, newToken()); err != nil {
				return err
			}
		}
		run, err = readRun(ctx, c, id)
		return err
	})
	return run, existed, err
}

// A RunSummary is a run with its progress.
type RunSummary struct {
	verbatim.Run
	Tally Tally
	Out   int64 // the number of positions in pending batches
	Lease *Held // the process that writes the run now; nil without one
}

// Runs returns the runs, the oldest first. Its time does not depend on the number of replies.
func (s *Store) Runs(ctx context.Context) ([]RunSummary, error) {
	var runs []RunSummary
	err := s.file.View(func(c *sqlite.Conn) error {
		saved, err := sqlite.QueryList(ctx, c, scanRun, selectRun+` ORDER BY run.id`)
		if err != nil {
			return err
		}
		at := map[int64]int{}
		for i := range saved {
			at[saved[i].Run.N] = i
			runs = append(runs, RunSummary{Run: saved[i].Run, Tally: Tally{}})
		}
		err = c.QueryEach(ctx, func(r *sqlite.Rows) {
			if i, ok := at[r.Int()]; ok {
				runs[i].Tally[Decode(outcomes, r.Int())] += r.Int()
			}
		}, `SELECT run, outcome, sum(n) FROM tally WHERE n > 0 GROUP BY run, outcome`)
		if err != nil {
			return err
		}
		err = c.QueryEach(ctx, func(r *sqlite.Rows) {
			if i, ok := at[r.Int()]; ok {
				runs[i].Out = r.Int()
			}
		}, `SELECT run, sum(n) FROM batch WHERE state < ? GROUP BY run`, phaseOver)
		if err != nil {
			return err
		}
		now := time.Now()
		return c.QueryEach(ctx, func(r *sqlite.Rows) {
			i, ok := at[r.Int()]
			l := Held{PID: int(r.Int()), Host: r.Text(), Since: time.Unix(0, r.Int()), Beat: time.Unix(0, r.Int())}
			if ok && holderAlive(l, r.Text(), now) {
				l.Run = runs[i].Name
				runs[i].Lease = &l
			}
		}, `SELECT run, pid, host, since, beat, machine FROM lease`)
	})
	return runs, err
}

// Tally returns the Tally of a run.
func (s *Store) Tally(ctx context.Context, run int64) (Tally, error) {
	t := Tally{}
	err := s.file.With(func(c *sqlite.Conn) error { return readTally(ctx, c, run, t) })
	return t, err
}

func readTally(ctx context.Context, c *sqlite.Conn, run int64, t Tally) error {
	return c.QueryEach(ctx, func(r *sqlite.Rows) { t[Decode(outcomes, r.Int())] += r.Int() },
		`SELECT outcome, sum(n) FROM tally WHERE run = ? AND n > 0 GROUP BY outcome`, run)
}

// End marks the run as finished at the time now, unless it has a record without an answer, whose
// position is sent again when the run is continued, or a pending batch. unsupported is the number
// of records without an answer because the model does not support the item: these do not count.
// End reports whether the run is finished.
func (s *Store) End(ctx context.Context, run, unsupported int64, now time.Time) (bool, error) {
	ended := false
	err := s.file.Update(ctx, func(c *sqlite.Conn) error {
		t := Tally{}
		if err := readTally(ctx, c, run, t); err != nil {
			return err
		}
		out, err := c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM batch WHERE run = ? AND state < ?`, run, phaseOver)
		if ended = t.Answered()+unsupported == t.Saved() && !out && err == nil; !ended {
			return err
		}
		_, _, err = c.Exec(`UPDATE run SET ended = ? WHERE id = ? AND ended IS NULL`, now.UnixNano(), run)
		return err
	})
	return ended, err
}
