package sqlite

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite's own wait for a lock cannot be interrupted or reported, and tries only ten times a second.
// So SQLite does not wait, and retryLocked does.
const (
	readPatience = 10 * time.Second       // the longest wait of a statement, except one that begins a write transaction
	firstPoll    = 500 * time.Microsecond // pause before the second try; it doubles
	usualPoll    = 4 * time.Millisecond   // the longest pause, shorter than the pauses of writers
	slowPoll     = 25 * time.Millisecond  // pause after slowAfter
	slowAfter    = 10 * time.Second

	noticeAfter = 2 * time.Second // shorter waits are not reported
	noticeEvery = time.Minute
)

// MaxPending is the most replies that may wait to be saved or be in a transaction at a time.
const MaxPending = 256

// busy reports whether another connection's lock is the cause of an error. SQLITE_BUSY_SNAPSHOT is
// another cause: the view is out of date, and waiting does not help.
func busy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_BUSY && e.Code() != sqlite3.SQLITE_BUSY_SNAPSHOT
}

// nextPoll returns the pause after a pause, when so much time was waited in all.
func nextPoll(pause, waited time.Duration) time.Duration {
	if waited > slowAfter {
		return slowPoll
	}
	return min(2*pause, usualPoll)
}

// A lockNotice reports in lines for a person that a File waits for a lock. It reports the wait of
// several goroutines once. A nil lockNotice reports nothing.
type lockNotice struct {
	path    string
	say     func(string) // nil: lines are not wanted
	pending atomic.Int64 // the number of replies that wait to be saved
	blocked atomic.Int64 // the number of those that wait for room in a Writer

	mu       sync.Mutex
	waiting  int       // the number of goroutines
	since    time.Time // when the first of them began
	last     time.Time // when the last line of this wait was reported; zero: none was
	saidFull bool      // the last line said that sending has paused
}

func (n *lockNotice) begin(now time.Time) {
	if n == nil || n.say == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.waiting++; n.waiting == 1 {
		n.since, n.last, n.saidFull = now, time.Time{}, false
	}
}

// tick reports the wait after noticeAfter, when sending pauses, and then every noticeEvery.
func (n *lockNotice) tick(now time.Time) {
	if n == nil || n.say == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	waited, full := now.Sub(n.since), n.blocked.Load() > 0
	if waited < noticeAfter || !n.last.IsZero() && now.Sub(n.last) < noticeEvery && (n.saidFull || !full) {
		return
	}
	n.last, n.saidFull = now, full
	line := fmt.Sprintf("%s is locked by another process (%v)", n.path, waited.Round(time.Second))
	switch pending := n.pending.Load(); {
	case full:
		line += fmt.Sprintf(": %d replies wait to be saved, and sending has paused. Both go on when the lock is gone; nothing is lost.", pending)
	case pending > 0:
		line += fmt.Sprintf(": %d replies wait to be saved; sending pauses when %d wait. Nothing is lost.", pending, MaxPending)
	default:
		line += "; waiting for it."
	}
	n.say(line)
}

// end reports that the lock is gone, if the wait was reported.
func (n *lockNotice) end(gone bool) {
	if n == nil || n.say == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.waiting--; n.waiting == 0 && gone && !n.last.IsZero() {
		n.say(fmt.Sprintf("%s: the lock is gone after %v.", n.path, time.Since(n.since).Round(time.Second)))
	}
}
