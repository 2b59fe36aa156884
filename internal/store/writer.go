package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"verbatim"
	"verbatim/internal/store/jsonlines"
	"verbatim/internal/store/lease"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

const (
	groupTime = 20 * time.Millisecond // how long a transaction takes records in before it commits
	unitBytes = 64 << 10              // a record counts once more for each of these
	wordBytes = 8                     // what an element of a list counts for
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

// Write claims the runs and starts a Writer for them. Each must exist; one that
// a live process holds is a *lease.Held error, a test that is closed a *TestClosed one, and
// then none is claimed. A finished run is unfinished again. The Writer calls saved after every commit, from one
// goroutine and in the order of the commits; it waits for saved to return.
//
// The Writer outlives ctx; but when ctx is done, a lock of another process is waited
// for no longer than some seconds.
func (s *Store) Write(ctx context.Context, saved func([]Saved), runs ...int64) (*Writer, error) {
	return s.WriteWithin(ctx, ctx, saved, runs...)
}

// WriteWithin is Write that gives up when begin is done before the runs are claimed,
// because another process has locked the file or a holder has to be watched.
func (s *Store) WriteWithin(ctx, begin context.Context, saved func([]Saved), runs ...int64) (*Writer, error) {
	if err := jsonlines.RemoveLeftovers(begin, s.file); err != nil {
		return nil, err
	}
	w := &Writer{
		s: s, saved: saved,
		room: semaphore.NewWeighted(GroupSize),
		work: make(chan struct{}, 1), done: make(chan struct{}),
	}
	var err error
	if w.c, err = s.file.Acquire(); err != nil {
		return nil, err
	}
	err = lease.ClaimRuns(begin, s.file, func(dead lease.DeadHolders) error {
		w.leases, w.runs, w.inserter = map[int64]*lease.Lease{}, map[int64]rows.SavedRun{}, rows.NewInserter(w.c)
		return s.file.Update(begin, func(c *sqlite.Conn) error {
			for _, run := range runs {
				if err := w.claim(ctx, c, run, dead); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		s.file.Release(w.c)
		return nil, err
	}
	if len(runs) > 0 {
		s.file.SetAnchor(w.c, runs[0])
	}
	outlived := context.WithoutCancel(ctx)
	w.ctx, w.stop = context.WithCancelCause(outlived)
	var giveUp context.CancelCauseFunc
	w.patience, giveUp = context.WithCancelCause(outlived)
	context.AfterFunc(ctx, func() {
		time.AfterFunc(lease.LockGrace, func() { giveUp(context.Cause(ctx)) })
	})
	w.loops.Go(w.loop)
	w.loops.Go(w.heartbeat)
	go func() {
		w.loops.Wait()
		close(w.done)
	}()
	return w, nil
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

// Close commits what waits, gives the leases back and returns the error that
// stopped the Writer, if one did. Where records could not be saved, or the database is
// not where it was, the error is an *Unsaved and says where they are.
func (w *Writer) Close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.work)
	}
	w.mu.Unlock()
	<-w.done
	w.finished.Do(func() { w.result = w.releaseLeases() })
	return w.result
}

// releaseLeases gives the leases back, or rescues what the database did not take. The loops
// have ended.
func (w *Writer) releaseLeases() error {
	defer w.s.file.Release(w.c)
	pending := append(w.inHand, w.queue...)
	w.s.file.AddPending(-len(pending))
	err := w.Err()
	if err == nil {
		err = w.s.file.CheckMoved() // the last commit counts only if it is in the file that the user has
	}
	if err == nil {
		return w.release(w.patience)
	}
	if e := w.rescue(err, pending); e != nil {
		err = e
	}
	ctx, cancel := context.WithTimeout(context.Background(), lease.LockGrace)
	defer cancel()
	w.release(ctx) // what can be done: the process ends soon, and the lease with it
	return err
}

// loop is the one goroutine that writes records.
func (w *Writer) loop() {
	for {
		select {
		case <-w.ctx.Done():
			return
		case _, open := <-w.work:
			rested := time.Now()
			for w.waiting() {
				if err := w.commit(); err != nil {
					w.stop(w.s.file.ExplainError(err))
					return
				}
				if time.Since(rested) > lease.SliceTime && w.waiting() {
					time.Sleep(lease.YieldTime)
					rested = time.Now()
				}
			}
			if !open {
				w.stop(errClosed)
				return
			}
		}
	}
}

func (w *Writer) waiting() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue) > 0 || len(w.postings) > 0
}

// next takes what waits.
func (w *Writer) next() ([]*rows.Posting, []*rows.Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	postings, group := w.postings, w.queue
	w.postings, w.queue = nil, nil
	return postings, group
}

// commit keeps what waits, and what comes while it is at it, in one transaction.
func (w *Writer) commit() error {
	g := &commitGroup{w: w}
	err := w.c.Write(w.patience, func() error {
		begun := time.Now()
		g.checked = nil
		for time.Since(begun) < groupTime { // what comes finds room for GroupSize in all
			postings, more := w.next()
			if len(postings)+len(more) == 0 {
				break
			}
			w.inHand = append(w.inHand, more...)
			if err := g.add(postings, more); err != nil {
				return err
			}
		}
		if err := w.renewWhenDue(begun); err != nil {
			return err
		}
		if err := w.inserter.FlushCounts(); err != nil {
			return err
		}
		return w.s.file.CheckMoved()
	})
	if err != nil {
		return err
	}
	clear(w.inHand)
	w.inHand = w.inHand[:0]
	w.s.file.AddPending(-len(g.saved))
	for _, p := range g.posted {
		if p.Committed != nil {
			close(p.Committed)
		}
	}
	w.room.Release(g.units)
	if w.saved != nil && len(g.saved) > 0 {
		w.saved(g.saved)
	}
	return nil
}
