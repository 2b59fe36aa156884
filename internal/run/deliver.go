package run

import (
	"time"

	"verbatim"
	"verbatim/internal/store"
)

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
