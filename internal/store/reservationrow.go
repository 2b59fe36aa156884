package store

import (
	"context"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// A Posting is a change of the reservations of a position that waits for its commit:
//   - with Committed: attempt N reserves Amount
//   - with Attempts: these attempts are saved, and their reservations are removed
//   - with neither: the reservation of attempt N is removed
type posting struct {
	Run, Position int64
	N             int
	Amount        verbatim.Money
	Created       time.Time
	Attempts      []verbatim.Attempt
	Committed     chan struct{} // closed by the commit
}

// Post saves a posting within a transaction.
func (k *inserter) Post(p *posting) error {
	switch {
	case p.Committed != nil:
		k.reserved[p.Position] = true
		_, _, err := k.c.Exec(`INSERT INTO reservation (place, n, amount, created) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET amount = min(amount + excluded.amount, ?)`, p.Position, p.N, int64(p.Amount), p.Created.UnixNano(), int64(verbatim.MaxMoney))
		return err
	case p.Attempts == nil:
		_, _, err := k.c.Exec(`DELETE FROM reservation WHERE place = ? AND n = ?`, p.Position, p.N)
		return err
	}
	if err := k.chargeAttempts(p.Position, p.Attempts); err != nil {
		return err
	}
	for _, a := range p.Attempts {
		if _, _, err := k.c.Exec(`DELETE FROM reservation WHERE place = ? AND n = ?`, p.Position, a.N); err != nil {
			return err
		}
	}
	return nil
}

// removeReservations removes the reservations of a position whose record is saved.
func (k *inserter) removeReservations(position int64) error {
	if !k.reserved[position] {
		return nil
	}
	delete(k.reserved, position)
	_, _, err := k.c.Exec(`DELETE FROM reservation WHERE place = ?`, position)
	return err
}

// ChargeAttempts adds attempts to those of a position, with or without a record.
func (k *inserter) chargeAttempts(position int64, list []verbatim.Attempt) error {
	found, err := k.moveInlineAttempt(position)
	if err != nil {
		return err
	}
	if !found {
		k.Tried[position] = true
	}
	return k.Attempts(position, list, true)
}

// MoveInlineAttempt moves the attempt that the row of a reply holds to the table attempt, so that
// others can be added. It reports whether the position has a record.
func (k *inserter) moveInlineAttempt(position int64) (found bool, err error) {
	var n, start, wait, total, took, status, bytes *int64
	found, err = k.c.QueryOne(context.Background(), func(r *sqlite.Rows) {
		n, start, wait, total, took, status, bytes = r.OptInt(), r.OptInt(), r.OptInt(), r.OptInt(), r.OptInt(), r.OptInt(), r.OptInt()
	}, `SELECT try, start, try_wait, try_total, total, try_status, try_bytes FROM reply WHERE place = ?`, position)
	if err != nil || n == nil {
		return found, err
	}
	if total == nil {
		total = took
	}
	_, _, err = k.c.Exec(`INSERT INTO attempt (place, k, n, start, total, wait, status, class, bytes, request_id)
		SELECT ?, (SELECT count(*) FROM attempt WHERE place = ?), ?, ?, ?, ?, ?, ?, ?, (SELECT request_id FROM answer WHERE place = ?)`,
		position, position, n, start, total, wait, status, 0, bytes, position) // class 0: it succeeded
	if err == nil {
		_, _, err = k.c.Exec(`UPDATE reply SET try = NULL, try_wait = NULL, try_total = NULL, try_status = NULL, try_bytes = NULL WHERE place = ?`, position)
	}
	return found, err
}

// RecoverReservations turns the reservations of a run, whose process has ended, into attempts.
// The caller holds the lease of the run.
func (k *inserter) recoverReservations(ctx context.Context, run int64) error {
	open, err := readReservations(ctx, k.c, run)
	if err != nil || len(open) == 0 {
		return err
	}
	for _, o := range open {
		if err := k.chargeAttempts(o.Position, []verbatim.Attempt{o.Attempt}); err != nil {
			return err
		}
	}
	first, last := span(run)
	_, _, err = k.c.Exec(`DELETE FROM reservation WHERE place BETWEEN ? AND ?`, first, last)
	return err
}

// An openReservation is a reservation as the attempt that it becomes when its process has ended.
type openReservation struct {
	Position int64
	Attempt  verbatim.Attempt
}

// readReservations returns the reservations of a run in the order of positions and attempts.
func readReservations(ctx context.Context, c *sqlite.Conn, run int64) (open []openReservation, err error) {
	first, last := span(run)
	err = c.QueryEach(ctx, func(r *sqlite.Rows) {
		position, n, amount, created := r.Int(), int(r.Int()), verbatim.Money(r.Int()), r.OptInt()
		open = append(open, openReservation{position, verbatim.Attempt{N: n, Start: moment(created), Class: verbatim.Transport, Cost: &amount,
			Err: "the program ended while the request was in flight: it may have been billed"}})
	}, `SELECT place, n, amount, created FROM reservation WHERE place BETWEEN ? AND ? ORDER BY place, n`, first, last)
	return open, err
}

// LoadAttempted adds the positions of a run with attempts and without a record to k.Tried.
func (k *inserter) loadAttempted(ctx context.Context, run int64) error {
	first, last := span(run)
	return k.c.QueryEach(ctx, func(r *sqlite.Rows) { k.Tried[r.Int()] = true }, selectAttemptsOnly, first, last)
}

// selectAttemptsOnly selects the keys of positions with attempts and without a record, and the
// highest number of an attempt at each.
const selectAttemptsOnly = `SELECT place, max(n) FROM attempt a WHERE place BETWEEN ? AND ?
	AND NOT EXISTS (SELECT 1 FROM reply WHERE reply.place = a.place) GROUP BY place`
