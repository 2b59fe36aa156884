package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
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

// Write claims the runs and starts a Writer for them. A run that does not exist (an *UnknownRun),
// that a live process holds (a *Held) or whose test is closed (a *testClosed) is an error,
// and then none is claimed. A finished run is unfinished again. After every commit the Writer calls
// saved, from one goroutine and in the order of the commits, and waits for it to return.
//
// The Writer outlives ctx. After ctx is done it waits at most lockGrace for a lock of another
// process.
func (s *Store) Write(ctx context.Context, saved func([]Saved), runs ...int64) (*Writer, error) {
	return s.WriteWithin(ctx, ctx, saved, runs...)
}

// WriteWithin is Write that gives up if begin is done before the runs are claimed. Another process
// may have locked the file, or a silent holder has to be watched.
func (s *Store) WriteWithin(ctx, begin context.Context, saved func([]Saved), runs ...int64) (*Writer, error) {
	if err := removeLeftovers(begin, s.file); err != nil {
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
	err = claimRuns(begin, s.file, func(dead deadHolders) error {
		w.leases, w.runs, w.inserter = map[int64]*lease{}, map[int64]savedRun{}, newInserter(w.c)
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
		time.AfterFunc(lockGrace, func() { giveUp(context.Cause(ctx)) })
	})
	w.loops.Go(w.loop)
	w.loops.Go(w.heartbeat)
	go func() {
		w.loops.Wait()
		close(w.done)
	}()
	return w, nil
}

// Close commits the queued records, releases the leases, and returns the error that stopped the
// Writer, if any. If records could not be saved, or the database is no longer at its path, it is
// an *Unsaved, which says where they are.
func (w *Writer) Close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.work)
	}
	w.mu.Unlock()
	<-w.done
	w.finished.Do(func() { w.result = w.finish() })
	return w.result
}

// finish releases the leases, and rescues the records that the database did not take. The loops
// have ended.
func (w *Writer) finish() error {
	defer w.s.file.Release(w.c)
	pending := append(w.inHand, w.queue...)
	w.s.file.AddPending(-len(pending))
	err := w.Err()
	if err == nil {
		err = w.s.file.CheckMoved() // the last commit counts only if it is in the file at the user's path
	}
	if err == nil {
		return w.release(w.patience)
	}
	if e := w.rescue(err, pending); e != nil {
		err = e
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockGrace)
	defer cancel()
	w.release(ctx) // an error does not matter: the leases end with the process
	return err
}

// loop commits queued records and postings until the Writer is closed or fails. It is the only
// goroutine that does.
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
				if time.Since(rested) > sliceTime && w.waiting() {
					time.Sleep(yieldTime)
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

// waiting reports whether records or postings are queued.
func (w *Writer) waiting() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue) > 0 || len(w.postings) > 0
}

// next removes the queued postings and records and returns them.
func (w *Writer) next() ([]*posting, []*Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	postings, group := w.postings, w.queue
	w.postings, w.queue = nil, nil
	return postings, group
}

// groupTime is how long a transaction accepts records before it commits.
const groupTime = 20 * time.Millisecond

// commit saves the queued records, and those that are queued meanwhile, in one transaction.
func (w *Writer) commit() error {
	g := &commitGroup{w: w}
	err := w.c.Write(w.patience, func() error {
		begun := time.Now()
		g.checked = nil
		for time.Since(begun) < groupTime { // the room for GroupSize records bounds them too
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
		if err := w.inserter.flushCounts(); err != nil {
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

// A commitGroup collects what one transaction of a Writer saves.
type commitGroup struct {
	w       *Writer
	checked []int64 // runs whose leases were checked
	saved   []Saved
	posted  []*posting
	units   int64 // of the Writer's room that the records take
}

// add saves postings and records. It checks the leases of their runs first: after another process
// has taken a run over, "the lease is lost" explains more than "the position has an answer".
func (g *commitGroup) add(postings []*posting, more []*Entry) error {
	for _, p := range postings {
		if err := g.check(p.Run); err != nil {
			return err
		}
		if err := g.w.inserter.Post(p); err != nil {
			return err
		}
	}
	g.posted = append(g.posted, postings...)
	for _, e := range more {
		if err := g.check(e.Run); err != nil {
			return err
		}
	}
	return g.w.inserter.insertAll(more, func(e *Entry, replaced verbatim.Outcome) {
		g.units += e.Room
		g.saved = append(g.saved, Saved{e.Run, e.Rec, replaced})
	})
}

// check returns an error unless this process may write the run.
func (g *commitGroup) check(run int64) error {
	if slices.Contains(g.checked, run) {
		return nil
	}
	g.checked = append(g.checked, run)
	return g.w.leases[run].Check(context.Background(), g.w.c)
}

// claim takes the lease of a run, remembers the run for a rescue, and turns the reservations of
// its last holder into attempts.
func (w *Writer) claim(ctx context.Context, c *sqlite.Conn, run int64, dead deadHolders) error {
	l, err := claim(ctx, c, run, time.Now(), dead)
	if err != nil {
		return err
	}
	w.leases[run] = l
	known, err := readSavedRun(ctx, c, run)
	if err == nil {
		err = checkTestOpen(known.Run)
	}
	if err == nil {
		_, _, err = c.Exec(`UPDATE run SET ended = NULL WHERE id = ?`, run)
	}
	if err != nil {
		return err
	}
	w.runs[run] = known
	k := newInserter(c)
	if err := k.recoverReservations(ctx, run); err != nil {
		return err
	}
	if err := k.loadAttempted(ctx, run); err != nil {
		return err
	}
	maps.Copy(w.inserter.Tried, k.Tried)
	return nil
}

// renewWhenDue renews all leases within the transaction, every beatEvery. While a process writes
// all the time, heartbeat seldom gets the write lock.
func (w *Writer) renewWhenDue(now time.Time) error {
	if now.Sub(w.beaten) < beatEvery {
		return nil
	}
	w.beaten = now
	return w.renew(w.c)
}

// renew renews all leases within a write transaction.
func (w *Writer) renew(c *sqlite.Conn) error {
	for _, l := range w.leases {
		if err := l.renew(context.Background(), c, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// movedEvery is how often a Writer checks that its database is still at its path. Every commit
// checks it as well.
const movedEvery = time.Second

// heartbeat renews the leases until the Writer stops, and checks that the database is still at its
// path. It has a goroutine and a connection of its own, so that a slow commit does not look like
// the end of the process. A lock may delay it: claimRuns watches a holder that has been
// silent for long before it takes the run over.
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
		if err == nil && n%int(beatEvery/movedEvery) == 0 {
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
