package store

import (
	"context"
	"maps"
	"time"

	"verbatim/internal/store/sqlite"
)

// claim takes the lease of a run, remembers the run for a rescue, and turns the reservations of
// its last holder into attempts.
func (w *Writer) claim(ctx context.Context, c *sqlite.Conn, run int64, dead deadHolders) error {
	l, err := claim(ctx, c, run, time.Now(), dead)
	if err != nil {
		return err
	}
	w.leases[run] = l
	known, err := readSavedRun(ctx, c, run)
	if err == nil {
		err = checkTestOpen(known.Run)
	}
	if err == nil {
		_, _, err = c.Exec(`UPDATE run SET ended = NULL WHERE id = ?`, run)
	}
	if err != nil {
		return err
	}
	w.runs[run] = known
	k := newInserter(c)
	if err := k.recoverReservations(ctx, run); err != nil {
		return err
	}
	if err := k.loadAttempted(ctx, run); err != nil {
		return err
	}
	maps.Copy(w.inserter.Tried, k.Tried)
	return nil
}

// renewWhenDue renews all leases within the transaction, every beatEvery. While a process writes
// all the time, heartbeat seldom gets the write lock.
func (w *Writer) renewWhenDue(now time.Time) error {
	if now.Sub(w.beaten) < beatEvery {
		return nil
	}
	w.beaten = now
	return w.renew(w.c)
}

// renew renews all leases within a write transaction.
func (w *Writer) renew(c *sqlite.Conn) error {
	for _, l := range w.leases {
		if err := l.renew(context.Background(), c, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// movedEvery is how often a Writer checks that its database is still at its path. Every commit
// checks it as well.
const movedEvery = time.Second

// heartbeat renews the leases until the Writer stops, and checks that the database is still at its
// path. It has a goroutine and a connection of its own, so that a slow commit does not look like
// the end of the process. A lock may delay it: claimRuns watches a holder that has been
// silent for long before it takes the run over.
func (w *Writer) heartbeat() {
	ticker := time.NewTicker(movedEvery)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-w.ctx.Done():
			return
		case <-ticker.C:
		}
		err := w.s.file.CheckMoved()
		if err == nil && n%int(beatEvery/movedEvery) == 0 {
			err = w.s.file.Update(w.ctx, w.renew)
		}
		if err != nil && w.ctx.Err() == nil {
			w.stop(w.s.file.ExplainError(err))
			return
		}
	}
}

// release gives the leases back.
func (w *Writer) release(ctx context.Context) error {
	return w.s.file.Update(ctx, func(c *sqlite.Conn) error {
		for _, l := range w.leases {
			if err := l.Release(c); err != nil {
				return err
			}
		}
		return nil
	})
}
