package run

import (
	"context"
	"sync"
	"time"
)

// letGo is how many positions a lane must be behind for the others not to wait for it.
const letGo = 64

// The shortest and longest time that a lane waits for others before one request.
const (
	minPatience = 2 * time.Millisecond
	maxPatience = 10 * time.Second
)

// A turns keeps lanes in step, so that a time in which a network or a server was slow affects the same
// items of all. A lane starts a position only when the others have started those before it. But it
// waits no longer than it takes for a request of its own, and not at all for a lane that is letGo
// positions behind. So lanes of about the same speed proceed item by item. A much slower one delays
// the others by a bounded time in all, and one that hangs does not delay them.
type turns struct {
	mu      sync.Mutex
	lanes   []turn
	waiting int
	changed chan struct{} // closed when lanes change while someone waits
}

// A turn is the position that a lane starts next.
type turn struct {
	next int64
	gone bool
}

func newTurns(n int) *turns {
	return &turns{lanes: make([]turn, n), changed: make(chan struct{})}
}

// wait returns when lane me may start the position seq, after patience, or when ctx is done.
func (t *turns) wait(ctx context.Context, me int, seq int64, patience time.Duration) {
	if len(t.lanes) == 1 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.move(me, turn{next: seq})
	if t.mustWait(me, seq) {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		for over := false; !over && t.mustWait(me, seq); {
			changed := t.changed
			t.waiting++
			t.mu.Unlock()
			select {
			case <-changed:
			case <-timer.C:
				over = true
			case <-ctx.Done():
				over = true
			}
			t.mu.Lock()
			t.waiting--
		}
	}
	t.move(me, turn{next: seq + 1})
}

// mustWait reports whether lane me has to wait for another one that has not started a position before seq.
func (t *turns) mustWait(me int, seq int64) bool {
	for i, o := range t.lanes {
		if i != me && !o.gone && o.next < seq && seq-o.next < letGo {
			return true
		}
	}
	return false
}

// leave removes a lane: no other lane waits for it any more.
func (t *turns) leave(me int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.move(me, turn{gone: true})
}

func (t *turns) move(me int, to turn) {
	t.lanes[me] = to
	if t.waiting > 0 {
		close(t.changed)
		t.changed = make(chan struct{})
	}
}
