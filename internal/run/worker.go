package run

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"verbatim"
)

// open reads what is saved of the run, which is claimed, and makes the Source.
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

// run sends requests until the Source has no more or the lane is over, and waits until all of them are
// saved or given up.
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
			// After an error, results that the provider has already are saved all the same.
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

// warm sends the warm-up requests and waits for them.
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
			if e := l.charge(r.Seq, &reply, err); e != nil {
				l.fail(e)
			}
			if f, ok := errors.AsType[*verbatim.Failure](err); ok && final(f) && l.over.Err() == nil {
				l.fail(f)
			}
		})
	}
	group.Wait()
}

// charge saves the cost of a warm-up request, which has no record.
func (l *lane) charge(seq int64, reply *verbatim.Reply, err error) error {
	attempts := slices.Clone(reply.Attempts)
	if f, ok := errors.AsType[*verbatim.Failure](err); ok {
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
	l.charged[seq] = attempts[len(attempts)-1].N
	l.mu.Unlock()
	return l.e.writer.Reservations(l.Run.N).Charge(seq, attempts)
}

// ask starts the requests of the Source.
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

// start waits for a free slot and for the lane's turn, and gives the request to a worker. It reports
// false if the lane is over.
func (l *lane) start(r verbatim.Request) bool {
	for l.full() {
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

// serve is a worker: it sends requests until there are no more.
func (l *lane) serve() {
	r := new(verbatim.Request)
	for *r = range l.work {
		l.request(r)
		*r = verbatim.Request{} // its prompt is not needed any more
		<-l.slots
	}
}
