package store

import (
	"context"
	"math"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// A run under a budget saves the worst-case cost of each request before it sends it. The
// transaction that saves the record of the position removes the reservation. A reservation that
// outlives its process is a request that may have been billed. The next Writer of the run turns it
// into a failed attempt, whose cost counts as spent. Until then the reservation counts.

// reservations saves the reservations of one run by its Writer. It is safe for concurrent use.
type reservations struct {
	w   *Writer
	run int64
}

// reservations returns the reservations of a claimed run.
func (w *Writer) Reservations(run int64) reservations { return reservations{w, run} }

// Reserve saves the worst-case cost of attempt n at a position. It returns when the reservation
// is committed. After an error it may be saved or not: call Release unless the request is sent.
func (r reservations) Reserve(ctx context.Context, seq int64, n int, amount verbatim.Money) error {
	p := &posting{Run: r.run, Position: positionKey(r.run, seq), N: n, Amount: amount, Created: time.Now(), Committed: make(chan struct{})}
	if err := r.w.post(p); err != nil {
		return err
	}
	select {
	case <-p.Committed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-r.w.ctx.Done():
	}
	select { // the last commit of the Writer may have saved it
	case <-p.Committed:
		return nil
	default:
		return context.Cause(r.w.ctx)
	}
}

// Release removes the reservation of an attempt that is certainly not billed. It does not wait for
// the commit. A reservation that stays, since the Writer has stopped, counts as spent.
func (r reservations) Release(seq int64, n int) {
	r.w.post(&posting{Run: r.run, Position: positionKey(r.run, seq), N: n})
}

// Charge saves attempts that no record will hold, such as those of a warm-up request, and removes
// their reservations.
func (r reservations) Charge(seq int64, attempts []verbatim.Attempt) error {
	return r.w.post(&posting{Run: r.run, Position: positionKey(r.run, seq), Attempts: attempts})
}

// post queues a posting.
func (w *Writer) post(p *posting) error {
	if err := w.checkClaimed(p.Run); err != nil {
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

// A Spending is the cost of a run.
type Spending struct {
	Replies verbatim.Money // the known costs of replies
	// Attempts is the most that may have been billed in addition to Replies: for failed attempts,
	// replies of unknown cost, warm-up requests, and reservations of requests in flight or of a
	// process that was killed.
	Attempts verbatim.Money
	Unpriced int64 // the number of replies of unknown cost
}

// Total returns the maximum cost, without the unpriced replies.
func (s Spending) Total() verbatim.Money { return addSaturated(s.Replies, s.Attempts) }

// addSaturated returns the sum, or the largest Money if that is smaller.
func addSaturated(a, b verbatim.Money) verbatim.Money {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Spending returns the cost of a run. Each call adds it up from the records, in a second or less
// for a million of them.
func (s *Store) Spending(ctx context.Context, run int64) (spent Spending, err error) {
	err = s.file.View(func(c *sqlite.Conn) error {
		spent, err = readSpending(ctx, c, run)
		return err
	})
	return spent, err
}

// sumCost adds up the column cost in three parts, so that no sum of up to MaxSeq rows overflows:
// dollars, millionths of a dollar, and millionths of these.
const sumCost = `sum(cost / 1000000000000), sum(cost % 1000000000000 / 1000000), sum(cost % 1000000)`

// sumReserved is sumCost of the column amount.
var sumReserved = strings.ReplaceAll(sumCost, "cost", "amount")

// readCost reads the columns of sumCost.
func readCost(r *sqlite.Rows) verbatim.Money {
	dollars, millionths, rest := r.Int(), r.Int(), r.Int()
	if dollars > math.MaxInt64/int64(verbatim.Dollar) || millionths > math.MaxInt64/1_000_000 {
		return math.MaxInt64
	}
	return addSaturated(addSaturated(verbatim.Money(dollars)*verbatim.Dollar, verbatim.Money(millionths)*1_000_000), verbatim.Money(rest))
}

// Unrecorded returns the number and the maximum cost of the attempts of a run that have no record
// and may have been billed: those in flight when a process was killed, and those in flight now.
// The cost is a part of Spending.Attempts.
func (s *Store) Unrecorded(ctx context.Context, run int64) (n int64, most verbatim.Money, err error) {
	first, last := span(run)
	err = s.file.View(func(c *sqlite.Conn) error {
		for _, sql := range []string{
			`SELECT ` + sumCost + `, count(cost) FROM attempt a WHERE place BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM reply WHERE reply.place = a.place)`,
			`SELECT ` + sumReserved + `, count(*) FROM reservation WHERE place BETWEEN ? AND ?`,
		} {
			_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { most = addSaturated(most, readCost(r)); n += r.Int() }, sql, first, last)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return n, most, err
}

func readSpending(ctx context.Context, c *sqlite.Conn, run int64) (s Spending, err error) {
	first, last := span(run)
	var n int64
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) {
		s.Replies = readCost(r)
		s.Unpriced, n = r.Int(), r.Int()
	}, `SELECT `+sumCost+`, count(finish) - count(cost), count(*) FROM reply WHERE place BETWEEN ? AND ?`, first, last)
	if err == nil {
		err = checkComplete(ctx, c, run, n) // a budget counts on all of them
	}
	if err != nil {
		return s, err
	}
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) { s.Attempts = readCost(r) },
		`SELECT `+sumCost+` FROM attempt WHERE place BETWEEN ? AND ?`, first, last)
	if err != nil {
		return s, err
	}
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) { s.Attempts = addSaturated(s.Attempts, readCost(r)) },
		`SELECT `+sumReserved+` FROM reservation WHERE place BETWEEN ? AND ?`, first, last)
	return s, err
}
