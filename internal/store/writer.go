package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

const (
	unitBytes = 64 << 10 // a record takes another unit of room for each of these
	wordBytes = 8        // the size of an element of a list, roughly
)

// GroupSize is the most records that may be queued or in a transaction at a time.
const GroupSize = sqlite.MaxPending

// A Saved is a record that was committed.
type Saved struct {
	Run      int64
	Record   verbatim.Record
	Replaced verbatim.Outcome // of the record that was replaced; "" for none
}

// A Writer saves records of the runs whose leases it holds. It commits the queued records as soon
// as it is free: few records are saved soon, and many share a commit. A kill can lose the records
// that were Put and not yet reported as saved, at most GroupSize.
//
// While another process has locked the file, the Writer waits. A Writer that cannot go on writes
// the queued records to a file of their own (rescue.go).
type Writer struct {
	s        *Store
	c        *sqlite.Conn
	inserter *inserter
	saved    func([]Saved)
	leases   map[int64]*lease
	runs     map[int64]savedRun
	beaten   time.Time // when loop renewed the leases last

	room *semaphore.Weighted
	ctx  context.Context // done when the Writer stops, which ends every wait for room
	stop context.CancelCauseFunc
	work chan struct{} // wakes loop
	// patience is done lockGrace after the caller's context: then nothing waits for a lock any
	// longer.
	patience context.Context

	loops    sync.WaitGroup
	done     chan struct{} // closed when the loops have ended
	finished sync.Once
	result   error // of Close

	mu    sync.Mutex
	queue []*Entry
	// postings are changes of reservations. They are saved before the records of queue.
	postings []*posting
	closed   bool
	inHand   []*Entry // only for loop: removed from queue, and not committed yet
}

// Put queues a record of a claimed run; it blocks while GroupSize others are queued. The record and
// what it points to must not change any more. An error means that the record is not saved:
// newEntry refuses it, or the Writer has stopped, or ctx is done.
func (w *Writer) Put(ctx context.Context, run int64, rec verbatim.Record) error {
	w.s.file.AddPending(1)
	units := queueUnits(&rec)
	if err := w.acquire(ctx, units); err != nil {
		w.s.file.AddPending(-1)
		return err
	}
	// Records are encoded only now, when they have room: thousands may wait for it.
	e, err := w.entry(run, rec)
	if err != nil {
		w.s.file.AddPending(-1)
		w.room.Release(units)
		return err
	}
	e.Room = units
	return w.enqueue(e)
}

// PutNow is Put without waiting for room, for a record that Put has refused because the Writer has
// stopped or ctx is done. Close saves the record with the other queued ones, in the database or in
// the file that it writes instead.
func (w *Writer) PutNow(run int64, rec verbatim.Record) error {
	e, err := w.entry(run, rec)
	if err != nil {
		return err
	}
	w.s.file.AddPending(1)
	return w.enqueue(e)
}

func (w *Writer) entry(run int64, rec verbatim.Record) (*Entry, error) {
	if w.leases[run] == nil {
		return nil, fmt.Errorf("run %d is not claimed by this writer", run)
	}
	e, err := newEntry(run, rec)
	return &e, err
}

// checkClaimed returns an error if the run is not claimed, or the reason if the Writer has
// stopped.
func (w *Writer) checkClaimed(run int64) error {
	if w.leases[run] == nil {
		return fmt.Errorf("run %d is not claimed by this writer", run)
	}
	return context.Cause(w.ctx)
}

func (w *Writer) enqueue(e *Entry) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fmt.Errorf("run %d: the writer is closed", e.Run)
	}
	w.queue = append(w.queue, e)
	w.wake()
	return nil
}

// wake wakes loop. The caller holds w.mu.
func (w *Writer) wake() {
	select {
	case w.work <- struct{}{}:
	default:
	}
}

// queueUnits returns the units of room that a record takes. Long texts take more, so that the room
// bounds the bytes of the queue as well.
func queueUnits(rec *verbatim.Record) int64 {
	n := 0
	if it := rec.Item; it != nil {
		n = textSize(it.Prompt) + len(it.Want.Text) + wordBytes*len(it.Want.List)
	}
	if r := rec.Reply; r != nil {
		n += len(r.Text) + len(r.Reasoning)
	}
	return min(1+int64(n)/unitBytes, GroupSize)
}

// acquire waits for n units of room, until ctx is done or the Writer stops.
func (w *Writer) acquire(ctx context.Context, n int64) error {
	if w.room.TryAcquire(n) {
		return context.Cause(w.ctx)
	}
	w.s.file.AddBlocked(1)
	defer w.s.file.AddBlocked(-1)
	both, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(w.ctx, func() { cancel(context.Cause(w.ctx)) })()
	if w.room.Acquire(both, n) != nil {
		return context.Cause(both)
	}
	return nil
}

// Done returns a channel that is closed when the Writer has stopped, by Close or by an error.
func (w *Writer) Done() <-chan struct{} { return w.ctx.Done() }

// Err returns the error that stopped the Writer; nil while it works and after Close.
func (w *Writer) Err() error {
	if err := context.Cause(w.ctx); !errors.Is(err, errClosed) {
		return err
	}
	return nil
}

var errClosed = errors.New("the writer is closed")
