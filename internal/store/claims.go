package store

import (
	"context"
	"errors"
	"maps"
	"time"
)

// claim takes the lease of a run, and makes attempts of what its last holder had in
// flight.
func (w *Writer) claim(ctx context.Context, c *conn, run int64) error {
	l, err := claim(ctx, c, run, time.Now())
	if err != nil {
		return err
	}
	w.leases[run] = l
	known, err := c.run(ctx, run)
	if err == nil {
		err = stillOpen(known)
	}
	if err == nil {
		_, _, err = c.exec(`UPDATE run SET ended = NULL WHERE id = ?`, run)
	}
	if err != nil {
		return err
	}
	k := newKeeper(c)
	if err := k.recover(ctx, run); err != nil {
		return err
	}
	if err := k.recall(ctx, run); err != nil {
		return err
	}
	maps.Copy(w.keeper.tried, k.tried)
	return nil
}

// ours makes sure, inside the transaction, that the runs are still leased to us,
// and says that we are alive when that is due: a process that writes all the
// time leaves beat little chance to.
func (w *Writer) ours(runs []int64, now time.Time) error {
	for _, run := range runs {
		if err := w.leases[run].check(context.Background(), w.c); err != nil {
			return err
		}
	}
	if now.Sub(w.beaten) < leaseBeat {
		return nil
	}
	w.beaten = now
	return w.renew(w.c)
}

// renew renews all leases, inside a write transaction.
func (w *Writer) renew(c *conn) error {
	for _, l := range w.leases {
		if err := l.renew(context.Background(), c, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// beat says that the runs are being worked on. It has a goroutine and a
// connection of its own: a slow kept must not look like death. Where another
// process holds the file for long, the next beat will do.
func (w *Writer) beat() {
	ticker := time.NewTicker(leaseBeat)
	defer ticker.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-ticker.C:
		}
		err := w.s.update(w.renew)
		var e *Error
		if err != nil && !(errors.As(err, &e) && e.Kind == Locked) {
			w.stop(err)
			return
		}
	}
}

// end gives the leases back when the Writer has stopped.
func (w *Writer) end() {
	defer close(w.done)
	w.loops.Wait()
	w.s.give(w.c)
	err := w.s.update(func(c *conn) error {
		for _, l := range w.leases {
			if err := l.release(c); err != nil {
				return err
			}
		}
		return nil
	})
	if w.Err() == nil {
		w.released = err
	}
}
