package store

import (
	"context"
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// A run under a budget saves the worst-case cost of each request before it sends
// it. The row is removed in the transaction that saves the record of the position. A
// row that outlives its process is a request that may have been billed: the next
// Writer of the run makes it a failed attempt, whose cost counts as spent. Until
// then the row itself counts.

// Reservations saves the reservations of one run, through its Writer. It is safe for
// concurrent use.
type Reservations struct {
	w   *Writer
	run int64
}

// Reservations returns the reservations of a claimed run.
func (w *Writer) Reservations(run int64) Reservations { return Reservations{w, run} }

// Reserve saves the worst-case cost of attempt n at the request with this sequence
// number. It returns when the row is on the disk; many share a commit. After an
// error the row may be there or not: call Release unless the request is sent.
func (r Reservations) Reserve(ctx context.Context, seq int64, n int, amount verbatim.Money) error {
	p := &posting{run: r.run, place: positionKey(r.run, seq), n: n, amount: amount, created: time.Now(), committed: make(chan struct{})}
	if err := r.w.post(p); err != nil {
		return err
	}
	select {
	case <-p.committed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-r.w.ctx.Done():
	}
	select { // the last commit may be the one
	case <-p.committed:
		return nil
	default:
		return context.Cause(r.w.ctx)
	}
}

// Release removes the reservation of an attempt that is certainly not on the bill.
// It does not wait for the commit: a row that a kill leaves counts as spent.
func (r Reservations) Release(seq int64, n int) {
	r.w.post(&posting{run: r.run, place: positionKey(r.run, seq), n: n}) // a Writer that has stopped leaves the row
}

// Charge saves attempts that no record of this call will hold, such as those of a
// warm-up request, and removes their reservations.
func (r Reservations) Charge(seq int64, attempts []verbatim.Attempt) error {
	return r.w.post(&posting{run: r.run, place: positionKey(r.run, seq), attempts: attempts})
}

// A posting is a change of reservations that waits for its commit.
type posting struct {
	run, place int64
	n          int
	amount     verbatim.Money
	created    time.Time
	attempts   []verbatim.Attempt // what replaces the reservations of the same numbers
	committed  chan struct{}      // closed by the commit; nil: no caller waits
}

// post queues a posting.
func (w *Writer) post(p *posting) error {
	if w.leases[p.run] == nil {
		return fmt.Errorf("run %d is not claimed by this writer", p.run)
	}
	if err := context.Cause(w.ctx); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errClosed
	}
	w.postings = append(w.postings, p)
	w.wake()
	return nil
}

// post writes a posting, inside a transaction.
func (k *inserter) post(p *posting) error {
	switch {
	case p.committed != nil:
		k.reserved[p.place] = true
		_, _, err := k.c.Exec(`INSERT INTO reservation (place, n, amount, created) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET amount = min(amount + excluded.amount, ?)`, p.place, p.n, int64(p.amount), p.created.UnixNano(), int64(verbatim.MaxMoney))
		return err
	case p.attempts == nil:
		_, _, err := k.c.Exec(`DELETE FROM reservation WHERE place = ? AND n = ?`, p.place, p.n)
		return err
	}
	if err := k.charge(p.place, p.attempts); err != nil {
		return err
	}
	for _, a := range p.attempts {
		if _, _, err := k.c.Exec(`DELETE FROM reservation WHERE place = ? AND n = ?`, p.place, a.N); err != nil {
			return err
		}
	}
	return nil
}

// removeReservations removes the reservations of a position whose record is saved.
func (k *inserter) removeReservations(place int64) error {
	if !k.reserved[place] {
		return nil
	}
	delete(k.reserved, place)
	_, _, err := k.c.Exec(`DELETE FROM reservation WHERE place = ?`, place)
	return err
}

// charge adds attempts to those of a position, whether it has a record or not.
func (k *inserter) charge(place int64, list []verbatim.Attempt) error {
	found, err := k.moveInlineAttempt(place)
	if err != nil {
		return err
	}
	if !found {
		k.tried[place] = true
	}
	return k.attempts(place, list, true)
}

// moveInlineAttempt moves the one attempt that a reply's row holds into the table of attempts, so
// that others can stand next to it. It reports whether the position has a record.
func (k *inserter) moveInlineAttempt(place int64) (found bool, err error) {
	var n, start, wait, total, took, status, bytes *int64
	found, err = k.c.QueryOne(context.Background(), func(r *sqlite.Rows) {
		n, start, wait, total, took, status, bytes = r.OptInt(), r.OptInt(), r.OptInt(), r.OptInt(), r.OptInt(), r.OptInt(), r.OptInt()
	}, `SELECT try, start, try_wait, try_total, total, try_status, try_bytes FROM reply WHERE place = ?`, place)
	if err != nil || n == nil {
		return found, err
	}
	if total == nil {
		total = took
	}
	_, _, err = k.c.Exec(`INSERT INTO attempt (place, k, n, start, total, wait, status, class, bytes, request_id)
		SELECT ?, (SELECT count(*) FROM attempt WHERE place = ?), ?, ?, ?, ?, ?, ?, ?, (SELECT request_id FROM answer WHERE place = ?)`,
		place, place, n, start, total, wait, status, 0, bytes, place) // class 0: it succeeded
	if err == nil {
		_, _, err = k.c.Exec(`UPDATE reply SET try = NULL, try_wait = NULL, try_total = NULL, try_status = NULL, try_bytes = NULL WHERE place = ?`, place)
	}
	return found, err
}

// recoverReservations makes attempts of the reservations that outlived the process that made
// them. The lease is ours: no other process saves anything of the run.
func (k *inserter) recoverReservations(ctx context.Context, run int64) error {
	open, err := readReservations(ctx, k.c, run)
	if err != nil || len(open) == 0 {
		return err
	}
	for _, o := range open {
		if err := k.charge(o.place, []verbatim.Attempt{o.attempt}); err != nil {
			return err
		}
	}
	first, last := span(run)
	_, _, err = k.c.Exec(`DELETE FROM reservation WHERE place BETWEEN ? AND ?`, first, last)
	return err
}

// An openReservation is the attempt that a reservation is if its process has ended.
type openReservation struct {
	place   int64
	attempt verbatim.Attempt
}

// readReservations lists the open reservations of a run by place and number.
func readReservations(ctx context.Context, c *sqlite.Conn, run int64) (open []openReservation, err error) {
	first, last := span(run)
	err = c.QueryEach(ctx, func(r *sqlite.Rows) {
		place, n, amount, created := r.Int(), int(r.Int()), verbatim.Money(r.Int()), r.OptInt()
		open = append(open, openReservation{place, verbatim.Attempt{N: n, Start: moment(created), Class: verbatim.Transport, Cost: &amount,
			Err: "the program ended while the request was in flight: it may have been billed"}})
	}, `SELECT place, n, amount, created FROM reservation WHERE place BETWEEN ? AND ? ORDER BY place, n`, first, last)
	return open, err
}

// loadAttempted reads which positions of a run have attempts and no record.
func (k *inserter) loadAttempted(ctx context.Context, run int64) error {
	first, last := span(run)
	return k.c.QueryEach(ctx, func(r *sqlite.Rows) { k.tried[r.Int()] = true }, selectAttemptsOnly, first, last)
}

// selectAttemptsOnly lists the positions with attempts and without a record, and the highest
// number of an attempt at each.
const selectAttemptsOnly = `SELECT place, max(n) FROM attempt a WHERE place BETWEEN ? AND ?
	AND NOT EXISTS (SELECT 1 FROM reply WHERE reply.place = a.place) GROUP BY place`
