package run

import (
	"context"
	"sync"
	"time"
)

// letGo is how many positions a lane may be behind before the others take no more
// notice of it.
const letGo = 64

// The shortest and longest time that a lane waits for others before one request.
const (
	minPatience = 2 * time.Millisecond
	maxPatience = 10 * time.Second
)

// Turns keep lanes in step, so that an hour in which a network or a server was
// slow is the same hour for all of them. A lane starts a position only when the
// others have started theirs before it, but it waits no longer than it needs for
// a request itself, and not at all for a lane that is letGo positions behind. So
// lanes of about the same speed go item by item; a much slower one costs the
// others a delay that is bounded once and for all; one that hangs is let go.
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

// wait returns when lane me may start the position seq, or patience is over, or ctx
// is done.
func (t *turns) wait(ctx context.Context, me int, seq int64, patience time.Duration) {
	if len(t.lanes) == 1 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.move(me, turn{next: seq})
	if t.held(me, seq) {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		for over := false; !over && t.held(me, seq); {
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

// held reports whether another lane has still to start a position before seq.
func (t *turns) held(me int, seq int64) bool {
	for i, o := range t.lanes {
		if i != me && !o.gone && o.next < seq && seq-o.next < letGo {
			return true
		}
	}
	return false
}

// leave takes a lane out: no other lane waits for it any more.
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
