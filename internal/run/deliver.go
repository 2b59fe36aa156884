package run

import (
	"time"

	"verbatim"
	"verbatim/internal/store"
)

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
