package store

import (
	"context"
	"maps"
	"time"

	"verbatim/internal/store/lease"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// claim takes the lease of a run, notes what a rescue needs to know of it, and makes
// attempts of what its last holder had in flight.
func (w *Writer) claim(ctx context.Context, c *sqlite.Conn, run int64, dead lease.DeadHolders) error {
	l, err := lease.Claim(ctx, c, run, time.Now(), dead)
	if err != nil {
		return err
	}
	w.leases[run] = l
	known, uid, err := rows.ReadRunUID(ctx, c, run)
	if err == nil {
		err = rows.CheckTestOpen(known)
	}
	if err == nil {
		_, _, err = c.Exec(`UPDATE run SET ended = NULL WHERE id = ?`, run)
	}
	if err != nil {
		return err
	}
	w.runs[run] = rows.SavedRun{Run: known, UID: uid}
	k := rows.NewInserter(c)
	if err := k.RecoverReservations(ctx, run); err != nil {
		return err
	}
	if err := k.LoadAttempted(ctx, run); err != nil {
		return err
	}
	maps.Copy(w.inserter.Tried, k.Tried)
	return nil
}

// renewWhenDue says, inside the transaction, that we are alive when that is due: a process that
// writes all the time leaves beat little chance to.
func (w *Writer) renewWhenDue(now time.Time) error {
	if now.Sub(w.beaten) < lease.BeatEvery {
		return nil
	}
	w.beaten = now
	return w.renew(w.c)
}

// renew renews all leases, inside a write transaction.
func (w *Writer) renew(c *sqlite.Conn) error {
	for _, l := range w.leases {
		if err := l.Renew(context.Background(), c, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// movedEvery is how often a Writer looks whether its database is still where it was.
// Every commit looks as well.
const movedEvery = time.Second

// heartbeat says that the runs are being worked on, and makes sure that the database is
// still where it was. It has a goroutine and a connection of its own: a slow kept must
// not look like death. A lock delays a beat, and holds no run back: claim watches
// a holder that has not reported for long.
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
		if err == nil && n%int(lease.BeatEvery/movedEvery) == 0 {
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
