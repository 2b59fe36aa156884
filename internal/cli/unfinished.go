package cli

import (
	"context"
	"sync"
	"time"

	"verbatim/internal/app"
)

// grace is how long a command that is interrupted has to end by itself.
const grace = time.Second

// unfinished is what a command has begun and has to remove where it does not end by
// itself: files without their names, unpacked files.
type unfinished struct {
	mu      sync.Mutex
	last    int
	remove  map[int]func()
	handled int // parts of the command that handle interrupts themselves
}

// add has remove called when the command is ended from outside, until forget is called.
func (u *unfinished) add(remove func()) (forget func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.remove == nil {
		u.remove = map[int]func(){}
	}
	u.last++
	key := u.last
	u.remove[key] = remove
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.remove, key)
	}
}

// removeAll removes everything. What is added later stays: the process ends now.
func (u *unfinished) removeAll() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, remove := range u.remove {
		remove()
	}
	u.remove = nil
}

// handle says that interrupts are handled elsewhere until done is called.
func (u *unfinished) handle() (done func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.handled++
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.handled--
	}
}

func (u *unfinished) handledElsewhere() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.handled > 0
}

// watch ends the context at an interrupt that nothing else handles. A command that has
// not ended after grace, or that is interrupted once more, is ended from outside, after
// what it has begun is removed. release must be called.
func (env *Env) watch(parent context.Context) (ctx context.Context, release func()) {
	signals, unsubscribe := env.Interrupts()
	ctx, cancel := context.WithCancelCause(parent)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
			case <-done:
				return
			}
			if env.unfinished.handledElsewhere() {
				continue
			}
			cancel(app.ErrInterrupted)
			select {
			case <-done:
				return
			case <-signals:
			case <-time.After(grace):
			}
			env.unfinished.removeAll()
			env.Exit(exitInterrupted)
			return
		}
	}()
	return ctx, func() {
		close(done)
		unsubscribe()
		cancel(nil)
	}
}
