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

// SQLite's own wait for locks can neither be interrupted nor reported, and it looks
// again only ten times a second. So the connections return at once, and retryLocked waits.
const (
	readPatience = 10 * time.Second       // how long a statement waits that does not begin a write transaction
	firstPoll    = 500 * time.Microsecond // pause before the second look at a lock; it doubles
	usualPoll    = 4 * time.Millisecond   // shorter than the pauses of writers, so that none is missed
	slowPoll     = 25 * time.Millisecond  // after slowAfter
	slowAfter    = 10 * time.Second

	noticeAfter = 2 * time.Second // how long a wait is not worth a line
	noticeEvery = time.Minute
)

// MaxPending is how many replies may wait to be saved or be in a transaction, all together.
const MaxPending = 256

// busy reports whether SQLite could not do something because of a lock that
// another connection holds. A view that is out of date is useless: waiting does not help.
func busy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY && e.Code() != sqlite3.SQLITE_BUSY_SNAPSHOT
}

func nextPoll(pause, waited time.Duration) time.Duration {
	if waited > slowAfter {
		return slowPoll
	}
	return min(2*pause, usualPoll)
}

// A lockNotice says in lines for a person that a File waits for a lock. One line
// is enough however many goroutines wait. A nil lockNotice says nothing.
type lockNotice struct {
	path    string
	say     func(string) // nil: lines are not wanted
	pending atomic.Int64 // replies that Writers have been given and have not committed
	blocked atomic.Int64 // of them, those that wait for room in a Writer

	mu       sync.Mutex
	waiting  int       // goroutines
	since    time.Time // when the first of them began
	last     time.Time // of the newest line; zero: none about this wait
	saidFull bool
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

// tick says something when it is due: after noticeAfter, when sending pauses, and
// then every noticeEvery.
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

// end says that the lock is gone, if there was a line about it.
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
