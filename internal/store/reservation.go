package store

import (
	"context"
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/store/rows"
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
	p := &rows.Posting{Run: r.run, Position: rows.PositionKey(r.run, seq), N: n, Amount: amount, Created: time.Now(), Committed: make(chan struct{})}
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
	select { // the last commit may be the one
	case <-p.Committed:
		return nil
	default:
		return context.Cause(r.w.ctx)
	}
}

// Release removes the reservation of an attempt that is certainly not on the bill.
// It does not wait for the commit: a row that a kill leaves counts as spent.
func (r Reservations) Release(seq int64, n int) {
	r.w.post(&rows.Posting{Run: r.run, Position: rows.PositionKey(r.run, seq), N: n}) // a Writer that has stopped leaves the row
}

// Charge saves attempts that no record of this call will hold, such as those of a
// warm-up request, and removes their reservations.
func (r Reservations) Charge(seq int64, attempts []verbatim.Attempt) error {
	return r.w.post(&rows.Posting{Run: r.run, Position: rows.PositionKey(r.run, seq), Attempts: attempts})
}

// post queues a posting.
func (w *Writer) post(p *rows.Posting) error {
	if w.leases[p.Run] == nil {
		return fmt.Errorf("run %d is not claimed by this writer", p.Run)
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
