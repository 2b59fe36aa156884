package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"verbatim"
	"verbatim/internal/store/lease"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

const (
	unitBytes = 64 << 10 // a record counts once more for each of these
	wordBytes = 8        // what an element of a list counts for
)

// GroupSize is how many records may wait or be in a transaction, all together.
const GroupSize = sqlite.MaxPending

// Saved is a record whose transaction has been committed to the disk.
type Saved struct {
	Run      int64
	Record   verbatim.Record
	Replaced verbatim.Outcome // of the record whose position it took; "" for a new position
}

// A Writer keeps records of the runs that it holds the leases of. It commits
// what waits as soon as it is free, so that few records cost little time and
// many share a commit. All that it has been given and has not yet reported as
// saved, at most GroupSize records, is what a kill can lose.
//
// While another process has locked the file, the Writer waits. A Writer that cannot
// go on writes what it has been given and has not saved into a file of its own:
// rescue.go.
type Writer struct {
	s        *Store
	c        *sqlite.Conn
	inserter *rows.Inserter
	saved    func([]Saved)
	leases   map[int64]*lease.Lease
	runs     map[int64]rows.SavedRun
	beaten   time.Time // when loop renewed them last

	room *semaphore.Weighted
	ctx  context.Context // ends when the Writer does: frees who waits for room
	stop context.CancelCauseFunc
	work chan struct{}
	// patience ends LockGrace after the caller's context: a lock is not waited for any
	// longer then.
	patience context.Context

	loops    sync.WaitGroup
	done     chan struct{} // closed when the loops have ended
	finished sync.Once
	result   error // of Close

	mu    sync.Mutex
	queue []*rows.Entry
	// postings are changes of reservations, which are made before the records of queue
	// are saved.
	postings []*rows.Posting
	closed   bool
	inHand   []*rows.Entry // loop's: taken from the queue, and not committed yet
}

// Put hands a record of a claimed run over and returns while it waits for its
// commit; it blocks while GroupSize others wait. The record and what it points to
// must not change any more. An error means that the record is not saved: it
// contradicts itself, or the Writer has stopped, or ctx is done.
func (w *Writer) Put(ctx context.Context, run int64, rec verbatim.Record) error {
	w.s.file.AddPending(1)
	units := queueUnits(&rec)
	if err := w.acquire(ctx, units); err != nil {
		w.s.file.AddPending(-1)
		return err
	}
	// What waits for room is not encoded yet: thousands may wait.
	e, err := w.entry(run, rec)
	if err != nil {
		w.s.file.AddPending(-1)
		w.room.Release(units)
		return err
	}
	e.Room = units
	return w.enqueue(e)
}

// PutNow is Put without waiting for room, for what Put has refused since the Writer has
// stopped or ctx is done: Close saves the record with the others that wait, in the
// database or in the file that it writes in its place.
func (w *Writer) PutNow(run int64, rec verbatim.Record) error {
	e, err := w.entry(run, rec)
	if err != nil {
		return err
	}
	w.s.file.AddPending(1)
	return w.enqueue(e)
}

func (w *Writer) entry(run int64, rec verbatim.Record) (*rows.Entry, error) {
	if w.leases[run] == nil {
		return nil, fmt.Errorf("run %d is not claimed by this writer", run)
	}
	e, err := rows.NewEntry(run, rec)
	return &e, err
}

func (w *Writer) enqueue(e *rows.Entry) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fmt.Errorf("run %d: the writer is closed", e.Run)
	}
	w.queue = append(w.queue, e)
	w.wake()
	return nil
}

// wake says that something waits; the lock is held.
func (w *Writer) wake() {
	select {
	case w.work <- struct{}{}:
	default:
	}
}

// queueUnits is how much room the entry of a record takes: long texts take more, so that
// what waits is bounded in bytes as well.
func queueUnits(rec *verbatim.Record) int64 {
	n := 0
	if it := rec.Item; it != nil {
		n = rows.TextSize(it.Prompt) + len(it.Want.Text) + wordBytes*len(it.Want.List)
	}
	if r := rec.Reply; r != nil {
		n += len(r.Text) + len(r.Reasoning)
	}
	return min(1+int64(n)/unitBytes, GroupSize)
}

// acquire waits for room until ctx or the Writer is done.
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

// Done is closed when the Writer has stopped, by Close or by an error.
func (w *Writer) Done() <-chan struct{} { return w.ctx.Done() }

// Err returns why the Writer stopped; nil while it works and after Close.
func (w *Writer) Err() error {
	if err := context.Cause(w.ctx); !errors.Is(err, errClosed) {
		return err
	}
	return nil
}

var errClosed = errors.New("the writer is closed")
