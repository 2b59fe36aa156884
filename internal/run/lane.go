package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/bitset"
	"verbatim/internal/store"
)

// A lane asks one model what one Source wants.
type lane struct {
	Lane
	e         *engine
	index     int
	source    verbatim.Source
	positions *store.Positions
	slots     chan struct{}   // one token for each request in flight
	over      context.Context // done: the lane asks nothing more
	end       context.CancelFunc
	asks      sync.WaitGroup
	// work has the requests that hold a slot; workers take them. A goroutine for
	// each request would grow its stack again each time.
	work    chan verbatim.Request
	workers int
	asked   bitset.Set         // positions of this call
	charged map[int64]int      // by position, the number of the last attempt that positions does not count
	waiting []verbatim.Request // for a batch
	// collected are positions of batches that were handed to the store by this call.
	collected bitset.Set
	notify    chan struct{} // something was saved, or given up

	mu       sync.Mutex
	pending  []verbatim.Record // saved, and not yet told to the Source
	out      int               // requests that were started and are neither saved nor given up
	flight   int               // of them, those that the model has
	service  time.Duration     // how long the model takes, smoothed
	warming  bool
	finished bool // the Source wants no more
	ended    bool // and the store says the same of the run
	err      error
	answered bool // something was, in this call or before
	// unsupported are the requests of this call that the model cannot take.
	unsupported int64
	again       bitset.Set  // positions that this call has a record of and asks once more
	lost        int         // requests of this call without an answer, while nothing was
	before      store.Tally // what was saved when the lane began, less what was replaced since
	tally       store.Tally // what was saved since
	tokens      tokens
}

func newLane(e *engine, index int) *lane {
	l := &lane{Lane: e.Lanes[index], e: e, index: index, notify: make(chan struct{}, 1), tally: store.Tally{}, charged: map[int64]int{}}
	l.Jobs = max(l.Jobs, 1)
	if l.InFlight < 1 {
		l.InFlight = l.Jobs
	}
	l.slots = make(chan struct{}, l.Jobs)
	l.work = make(chan verbatim.Request, l.Jobs)
	l.over, l.end = context.WithCancel(e.stop)
	return l
}

// open makes the Source; the run is claimed.
func (l *lane) open(ctx context.Context) (err error) {
	if l.positions, err = l.e.Store.Positions(ctx, l.Run.N); err != nil {
		return err
	}
	if l.before, err = l.e.Store.Tally(ctx, l.Run.N); err != nil {
		return err
	}
	l.answered = l.before.Answered() > 0
	if l.source, err = l.Source(l.positions); err != nil {
		return err
	}
	if l.Claimed != nil {
		if err := l.Claimed(l.e.writer); err != nil {
			return err
		}
	}
	return l.hold(ctx)
}

// run asks until the Source has enough, the lane is over or asking is stopped,
// and waits until everything it has asked is saved or given up.
func (l *lane) run() {
	defer l.end()
	if l.Over != nil {
		defer context.AfterFunc(l.over, l.Over)()
	}
	if l.Batch != nil {
		if err := l.recover(l.e.abort); err != nil {
			l.fail(err)
		}
	}
	if l.inBatches() {
		if err := l.batches(); err != nil {
			l.fail(err)
		}
	} else {
		l.runCheck()
		l.warm()
		l.ask()
		if l.Batch != nil {
			// Where an error has ended the lane, what is done already is saved all the same.
			l.collect(l.over.Err() != nil && l.e.stop.Err() == nil)
		}
	}
	l.e.turns.leave(l.index)
	close(l.work)
	l.asks.Wait()
	for !l.settled() {
		select {
		case <-l.notify:
		case <-l.e.writer.Done():
			return
		}
	}
	if !l.done() {
		return
	}
	l.mu.Lock()
	unsupported := l.unsupported
	l.mu.Unlock()
	ended, err := l.e.Store.End(l.e.abort, l.Run.N, unsupported, time.Now())
	if err != nil {
		l.e.cancel(err)
	}
	l.mu.Lock()
	l.ended = ended
	l.mu.Unlock()
}

// warm asks the warm-up requests.
func (l *lane) warm() {
	if len(l.Warmup) == 0 {
		return
	}
	l.setWarming(true)
	defer l.setWarming(false)
	var group sync.WaitGroup
	for _, r := range l.Warmup {
		select {
		case l.slots <- struct{}{}:
		case <-l.over.Done():
		}
		if l.over.Err() != nil {
			break
		}
		r.Attempt = max(r.Attempt, l.positions.Attempts(r.Seq)+1)
		group.Go(func() {
			defer func() { <-l.slots }()
			var reply verbatim.Reply
			err := attempt(l.over, l.Model, &r, &reply)
			var f *verbatim.Failure
			if e := l.charge(r, reply, err); e != nil {
				l.fail(e)
			}
			if errors.As(err, &f) && final(f) && l.over.Err() == nil {
				l.fail(f)
			}
		})
	}
	group.Wait()
}

// charge saves what a warm-up request cost, which no record will hold.
func (l *lane) charge(r verbatim.Request, reply verbatim.Reply, err error) error {
	attempts := slices.Clone(reply.Attempts)
	var f *verbatim.Failure
	if errors.As(err, &f) {
		attempts = slices.Clone(f.Attempts)
	}
	if n := len(attempts); n > 0 && err == nil {
		last := &attempts[n-1]
		last.Err = "a warm-up request: its reply is not saved"
		if reply.Cost != nil {
			last.Cost = reply.Cost
		}
	}
	if !slices.ContainsFunc(attempts, func(a verbatim.Attempt) bool { return a.Cost != nil && *a.Cost > 0 }) {
		return nil
	}
	l.mu.Lock()
	l.charged[r.Seq] = attempts[len(attempts)-1].N
	l.mu.Unlock()
	return l.e.writer.Reservations(l.Run.N).Charge(r.Seq, attempts)
}

// ask starts what the Source wants.
func (l *lane) ask() {
	for {
		requests, err := l.next()
		if err != nil {
			l.fail(err)
		}
		if len(requests) == 0 {
			return
		}
		for _, r := range requests {
			if err := l.check(&r); err != nil {
				l.fail(err)
				return
			}
			if !l.start(r) {
				return
			}
		}
	}
}

// next gets the next requests from the Source. None means that the lane is at
// its end, with or without an error.
func (l *lane) next() (requests []verbatim.Request, err error) {
	defer func() {
		if p := recover(); p != nil {
			requests, err = nil, fmt.Errorf("the source panicked: %v", p)
		}
	}()
	for !l.halted() {
		done, idle := l.take()
		requests, err := l.source.Next(done)
		if err != nil || len(requests) > 0 {
			return requests, err
		}
		if requests == nil {
			l.mu.Lock()
			l.finished = true
			l.mu.Unlock()
			return nil, nil
		}
		if idle {
			return nil, errors.New("the source waits for answers, and nothing is in flight")
		}
		select {
		case <-l.notify:
		case <-l.over.Done():
		}
	}
	return nil, nil
}

// take empties the mail, in planned order, and reports whether there is nothing
// that could bring more of it.
func (l *lane) take() (done []verbatim.Record, idle bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	done, l.pending = l.pending, nil
	slices.SortFunc(done, func(a, b verbatim.Record) int { return int(a.Seq - b.Seq) })
	return done, l.out == 0
}

// check refuses what a Source must not ask, and counts on from earlier tries.
func (l *lane) check(r *verbatim.Request) error {
	switch {
	case r.Item == nil:
		return fmt.Errorf("the source asks place %d without an item", r.Seq)
	case r.Seq < 0 || r.Seq > store.MaxSeq:
		return fmt.Errorf("the source asks place %d, which no run has", r.Seq)
	case l.positions.Answered(r.Seq):
		return fmt.Errorf("the source asks place %d, item %q, which has an answer", r.Seq, r.Item.ID)
	case !l.asked.Add(r.Seq):
		return fmt.Errorf("the source asks place %d, item %q, twice", r.Seq, r.Item.ID)
	}
	r.Attempt = max(r.Attempt, l.positions.Attempts(r.Seq)+1, l.charged[r.Seq]+1)
	return nil
}

// start waits for a free slot and for the lane's turn, and asks. It reports
// false when the lane is over.
func (l *lane) start(r verbatim.Request) bool {
	for l.noAnswerYet() || l.full() {
		select {
		case <-l.notify:
		case <-l.over.Done():
			return false
		}
	}
	select {
	case l.slots <- struct{}{}:
	case <-l.over.Done():
		return false
	}
	l.e.turns.wait(l.over, l.index, r.Seq, l.patience())
	if l.halted() {
		<-l.slots
		return false
	}
	l.mu.Lock()
	l.out++
	l.flight++
	l.mu.Unlock()
	l.work <- r // there is room for as many as there are slots
	if l.workers < l.Jobs {
		l.workers++
		l.asks.Go(l.serve)
	}
	return true
}

// serve asks what is to be asked, until nothing more is.
func (l *lane) serve() {
	r := new(verbatim.Request)
	for *r = range l.work {
		l.request(r)
		*r = verbatim.Request{} // its prompt is not needed any more
		<-l.slots
	}
}

// noAnswerYet reports whether as much is in flight as there may be before the first
// answer.
func (l *lane) noAnswerYet() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Patience > 0 && !l.answered && l.out >= l.Jobs+l.Patience
}

// halted reports whether nothing more is to be sent. The end of abort comes to over
// through a goroutine of its own, and requests fail before that.
func (l *lane) halted() bool { return l.over.Err() != nil || l.e.abort.Err() != nil }

// full reports whether as much is in flight or waits for its commit as a kill may lose.
func (l *lane) full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out >= l.InFlight+store.GroupSize
}

// giveUpUnanswered gives an endpoint up that has answered nothing yet; the lock is held.
func (l *lane) giveUpUnanswered(rec *verbatim.Record) error {
	if rec.Failure != nil && rec.Failure.Class == verbatim.Unsupported {
		l.unsupported++
		return nil
	}
	if l.answered = l.answered || rec.Outcome.Answered(); l.answered || l.Patience == 0 {
		return nil
	}
	if l.lost++; l.lost < l.Patience {
		return nil
	}
	err := fmt.Errorf("none of the first %d requests was answered", l.lost)
	if rec.Failure != nil {
		err = fmt.Errorf("%w: %w", err, rec.Failure)
	}
	return err
}

func (l *lane) setWarming(on bool) {
	l.mu.Lock()
	l.warming = on
	l.mu.Unlock()
	l.e.teller.tell()
}
