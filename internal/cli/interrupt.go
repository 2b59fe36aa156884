package cli

import (
	"context"
	"os"
	"syscall"
	"time"

	"verbatim/internal/errkind"
)

// handleInterrupts is env.Interrupts for a command that ends by itself.
func (env *Env) handleInterrupts() (<-chan os.Signal, func()) {
	env.handlers.Add(1)
	signals, unsubscribe := env.Interrupts()
	return signals, func() {
		unsubscribe()
		env.handlers.Add(-1)
	}
}

// interruptible returns two contexts. The first interrupt ends stop, which means that
// nothing more is sent. The second one ends abort, which means that requests in flight are
// given up. A closed terminal sends SIGHUP more than once, from
// the shell and from the kernel: that is one interrupt. release must be called.
func (env *Env) interruptible(parent context.Context) (stop, abort context.Context, release func()) {
	signals, unsubscribe := env.handleInterrupts()
	abort, cancelAbort := context.WithCancelCause(parent)
	stop, cancelStop := context.WithCancelCause(abort)
	go func() {
		for stopping := false; ; {
			select {
			case s := <-signals:
				switch {
				case !stopping:
					stopping = true
					cancelStop(errkind.ErrInterrupted)
					if env.ErrWidth > 0 {
						writeNote(env, "") // the meter's line stays above
					}
					writeNote(env, "Finishing what is in flight and keeping it; Ctrl-C again stops now.")
				case s != syscall.SIGHUP:
					cancelAbort(errkind.ErrInterrupted)
					return
				}
			case <-abort.Done():
				return
			}
		}
	}()
	return stop, abort, func() {
		unsubscribe()
		cancelAbort(nil)
	}
}

// grace is how long a command that is interrupted has to end by itself.
const grace = time.Second

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
			if env.handlers.Load() > 0 {
				continue
			}
			cancel(errkind.ErrInterrupted)
			select {
			case <-done:
				return
			case <-signals:
			case <-time.After(grace):
			}
			env.unfinished.RemoveAll()
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
