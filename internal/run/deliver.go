package run

import (
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// tokens counts what the server says that replies took.
type tokens struct{ prompt, completion int64 }

// request asks, grades and hands the record to the store. Its frame is on the stack of
// every request in flight: what runs after the wait has a function of its own.
func (l *lane) request(r *verbatim.Request) {
	begun := time.Now()
	reply := new(verbatim.Reply)
	err := attempt(l.e.abort, l.Model, r, reply)
	l.save(r, reply, err, begun)
}

// save makes the record of what came back of a request that was asked then, and hands
// it to the store. Where nothing came because everything was stopped, the position is as
// if it had not been asked.
func (l *lane) save(r *verbatim.Request, reply *verbatim.Reply, failed error, begun time.Time) {
	var rec verbatim.Record
	ok := failed == nil || l.e.abort.Err() == nil && !(l.over.Err() != nil && unsent(failed))
	if ok {
		rec = l.gradeReply(r, reply, failed, begun, time.Since(begun))
	}
	l.mu.Lock()
	l.flight--
	l.service += (time.Since(begun) - l.service) / 8
	l.mu.Unlock()
	if ok && rec.Failure != nil && final(rec.Failure) {
		l.fail(rec.Failure)
	}
	if ok {
		err := l.e.writer.Put(l.e.abort, l.Run.N, rec)
		if err == nil {
			return // deliver gets it
		}
		if l.e.writer.Err() != nil || l.e.abort.Err() != nil {
			if err = l.e.writer.PutNow(l.Run.N, rec); err == nil {
				return // it is paid for: Close saves it
			}
		}
		l.fail(err) // this record alone cannot be saved
	}
	l.mu.Lock()
	l.out--
	l.mu.Unlock()
	l.signal()
}

// deliver takes a record that is saved.
func (l *lane) deliver(k store.Saved) {
	l.mu.Lock()
	l.pending = append(l.pending, k.Record)
	l.out--
	switch {
	case k.Replaced == "":
	case l.again.Has(k.Record.Seq):
		l.tally[k.Replaced]--
	default:
		l.before[k.Replaced]--
	}
	l.tally[k.Record.Outcome]++
	unanswered := l.giveUpUnanswered(&k.Record)
	if r := k.Record.Reply; r != nil {
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

// inBatches reports whether the lane hands its requests over in batches.
func (l *lane) inBatches() bool { return l.Batch != nil && l.Batch.Submit }

// runCheck ends the lane if its Check says so.
func (l *lane) runCheck() {
	if l.Check != nil {
		if err := l.Check(); err != nil {
			l.fail(err)
		}
	}
}

func (t *tokens) add(u verbatim.Usage) {
	if u.Prompt != nil {
		t.prompt += *u.Prompt
	}
	if u.Completion != nil {
		t.completion += *u.Completion
	}
}

func (l *lane) signal() {
	select {
	case l.notify <- struct{}{}:
	default:
	}
}

// fail ends the lane; the first reason stands.
func (l *lane) fail(err error) {
	l.mu.Lock()
	if l.err == nil {
		l.err = err
	}
	l.mu.Unlock()
	l.end()
}

// settled reports whether all that was started is saved or given up.
func (l *lane) settled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out == 0
}

// done reports whether the lane has come to its Source's end.
func (l *lane) done() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.finished && l.err == nil
}

func (l *lane) result() LaneResult {
	l.mu.Lock()
	defer l.mu.Unlock()
	return LaneResult{Tally: l.tally, Finished: l.ended, Unsupported: l.unsupported, Stopped: !l.finished && l.err == nil, Err: l.err}
}
