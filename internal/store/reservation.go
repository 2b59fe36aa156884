package store

import (
	"context"
	"time"

	"verbatim"
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
