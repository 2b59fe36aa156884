package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/store"
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
	if !l.settle() {
		return
	}
	if err := l.withdraw(); err != nil {
		l.fail(err)
	}
	if !l.done() {
		return
	}
	l.mu.Lock()
	unsupported := l.unsupported + l.cut
	l.mu.Unlock()
	ended, err := l.e.Store.End(l.e.abort, l.Run.N, unsupported, time.Now())
	if err != nil {
		l.e.cancel(err)
	}
	l.mu.Lock()
	l.ended = ended
	l.mu.Unlock()
}

// settle waits until all requests that were started are saved or given up. It reports false if the store
// has failed.
func (l *lane) settle() bool {
	for !l.settled() {
		select {
		case <-l.notify:
		case <-l.e.writer.Done():
			return false
		}
	}
	return true
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
			skipped, err := l.check(&r)
			if err != nil {
				l.fail(err)
				return
			}
			if !skipped && !l.start(r) {
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

// unsent reports whether err is the error of a request that was not sent.
func unsent(err error) bool {
	f, ok := errors.AsType[*verbatim.Failure](err)
	return !ok || len(f.Attempts) == 0
}

// gradeReply returns the record of a request: with the graded reply, or with the failure err. The
// request was sent at begun and took took.
func (l *lane) gradeReply(r *verbatim.Request, reply *verbatim.Reply, err error, begun time.Time, took time.Duration) verbatim.Record {
	rec := verbatim.Record{Seq: r.Seq, Item: r.Item, Trial: r.Trial, Prompt: r.Prompt, MaxTokens: r.MaxTokens}
	if err != nil {
		rec.Failure = failure(err)
		rec.Outcome = outcome(rec.Failure)
		if len(rec.Failure.Attempts) == 0 && rec.Outcome != verbatim.Skipped {
			rec.Failure.Attempts = []verbatim.Attempt{{N: r.Attempt, Start: begun, Total: took,
				Status: rec.Failure.Status, Class: rec.Failure.Class, Err: err.Error()}}
		}
		return rec
	}
	if reply.Times.Start.IsZero() {
		reply.Times.Start, reply.Times.Total = begun, took
	}
	rec.Reply = reply
	if f := l.learn(r.Item, r.Prompt, reply.Usage); f != nil {
		return ungraded(rec, r.Attempt, f)
	}
	grade, err := judge(l.e.Grade, r.Item, reply)
	if err != nil {
		return ungraded(rec, r.Attempt, &verbatim.Failure{Class: verbatim.Content, Who: "grader", Err: err})
	}
	rec.Grade, rec.Outcome = &grade, grade.Outcome
	return rec
}

// ungraded returns a record whose reply is no answer, because of f. n is the number of its attempt if
// the reply has none. The reply was paid
// for, and its text is saved with the attempt.
func ungraded(rec verbatim.Record, n int, f *verbatim.Failure) verbatim.Record {
	reply := rec.Reply
	if f.Attempts = slices.Clone(reply.Attempts); len(f.Attempts) == 0 {
		f.Attempts = []verbatim.Attempt{{N: n, Start: reply.Times.Start, Total: reply.Times.Total}}
	}
	last := &f.Attempts[len(f.Attempts)-1]
	last.Class, last.Err, last.Partial = f.Class, f.Err.Error(), reply.Text
	if reply.Cost != nil {
		last.Cost = reply.Cost
	}
	rec.Reply, rec.Grade, rec.Failure, rec.Outcome = nil, nil, f, outcome(f)
	return rec
}

// attempt sends a request to a model, which writes *reply. A panic of the model is a failure of this
// request alone.
func attempt(ctx context.Context, m verbatim.Model, r *verbatim.Request, reply *verbatim.Reply) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	return m.Ask(ctx, r, reply)
}

// panicked returns the failure of a model that panicked with the value p.
func panicked(p any) error {
	return &verbatim.Failure{Class: verbatim.Content, Who: "model", Hint: "this is a defect of verbatim: please report it", Err: fmt.Errorf("panic: %v", p)}
}

// judge grades a reply. The error is a panic of the grader, or a grade that no grader may give.
func judge(grade func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade, it *verbatim.Item, r *verbatim.Reply) (g verbatim.Grade, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("grading item %q: panic: %v", it.ID, p)
		}
	}()
	g = grade(it, r.Text, r.Finish)
	if !g.Outcome.Answered() || g.Grader == "" {
		err = fmt.Errorf("grading item %q: a grade by %q says %q", it.ID, g.Grader, g.Outcome)
	}
	return g, err
}

// failure returns a copy of the *verbatim.Failure that err is. Any other error becomes one of class
// transport or deadline.
func failure(err error) *verbatim.Failure {
	if f, ok := errors.AsType[*verbatim.Failure](err); ok {
		return new(*f) // attempts may be added to the copy
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &verbatim.Failure{Class: verbatim.Deadline, Err: err}
	}
	return &verbatim.Failure{Class: verbatim.Transport, Err: err}
}

// outcome returns the outcome of a request with a failure. It is skipped if the model cannot take its
// prompt, or if the budget or the endpoint ended before it was sent: then it has no attempt.
func outcome(f *verbatim.Failure) verbatim.Outcome {
	switch {
	case f.Class == verbatim.Cut:
		return verbatim.CutOff
	case f.Class.Skips(), final(f) && len(f.Attempts) == 0:
		return verbatim.Skipped
	}
	return verbatim.Errored
}

// final reports whether a failure ends its lane: all further requests would fail too.
func final(f *verbatim.Failure) bool {
	return f.Class == verbatim.Quota || f.Class == verbatim.Auth
}

// request sends a request, grades the reply and hands the record to the store. Its frame is on the
// stack of every request in flight. So everything after the wait is in a function of its own.
func (l *lane) request(r *verbatim.Request) {
	begun := time.Now()
	reply := new(verbatim.Reply)
	err := attempt(l.e.abort, l.Model, r, reply)
	l.save(r, reply, err, begun)
}

// save makes the record of a request that was sent at begun, and hands it to the store. If the request
// failed because everything is stopped, it has no record.
func (l *lane) save(r *verbatim.Request, reply *verbatim.Reply, failed error, begun time.Time) {
	var rec verbatim.Record
	hasRecord := failed == nil || l.e.abort.Err() == nil && !(l.over.Err() != nil && unsent(failed))
	if hasRecord {
		rec = l.gradeReply(r, reply, failed, begun, time.Since(begun))
	}
	l.mu.Lock()
	l.flight--
	l.service += (time.Since(begun) - l.service) / 8
	l.mu.Unlock()
	if hasRecord {
		if rec.Failure != nil && final(rec.Failure) {
			l.fail(rec.Failure)
		}
		err := l.put(rec)
		if err == nil {
			return // deliver is called when it is saved
		}
		l.fail(err)
	}
	l.mu.Lock()
	l.out--
	l.mu.Unlock()
	l.signal()
}

// put hands a record to the store. If the store has failed or the run is stopped, the record is queued
// for Close, because the reply was paid for.
func (l *lane) put(rec verbatim.Record) error {
	err := l.e.writer.Put(l.e.abort, l.Run.N, rec)
	if err != nil && (l.e.writer.Err() != nil || l.e.abort.Err() != nil) {
		return l.e.writer.PutNow(l.Run.N, rec)
	}
	return err
}

// hand hands a record to the store that is not of a request in flight.
func (l *lane) hand(rec verbatim.Record) error {
	l.mu.Lock()
	l.out++
	l.mu.Unlock()
	err := l.e.writer.Put(l.e.abort, l.Run.N, rec)
	if err != nil {
		l.mu.Lock()
		l.out--
		l.mu.Unlock()
	}
	return err
}

// deliver counts a record that is saved, and keeps it for the Source.
func (l *lane) deliver(s store.Saved) {
	l.mu.Lock()
	l.pending = append(l.pending, s.Record)
	l.out--
	switch {
	case s.Replaced == "":
	case l.again.Has(s.Record.Seq):
		l.tally[s.Replaced]--
	default:
		l.before[s.Replaced]--
	}
	l.tally[s.Record.Outcome]++
	unanswered := l.giveUpUnanswered(&s.Record)
	if r := s.Record.Reply; r != nil {
		l.tokens.add(r.Usage)
	}
	l.mu.Unlock()
	if unanswered != nil {
		l.fail(unanswered)
	}
	if !l.inBatches() {
		l.runCheck()
	}
	l.signal()
}
