package store

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"verbatim/internal/store/sqlite"
)

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
