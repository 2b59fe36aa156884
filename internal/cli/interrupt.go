package cli

import (
	"context"
	"errors"
	"os"
	"syscall"
)

// errInterrupted is the cause of a context that a person ended.
var errInterrupted = errors.New("interrupted")

// handleInterrupts is env.Interrupts for a command that ends by itself.
func (env *Env) handleInterrupts() (<-chan os.Signal, func()) {
	done := env.unfinished.handle()
	signals, unsubscribe := env.Interrupts()
	return signals, func() {
		unsubscribe()
		done()
	}
}

// interruptible returns two contexts: the first interrupt ends stop, which means
// that nothing more is asked, and the second one ends abort, which means that
// what is in flight is given up. A closed terminal sends SIGHUP more than once, from
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
					cancelStop(errInterrupted)
					if env.ErrWidth > 0 {
						writeNote(env, "") // the meter's line stays above
					}
					writeNote(env, "Finishing what is in flight and keeping it; Ctrl-C again stops now.")
				case s != syscall.SIGHUP:
					cancelAbort(errInterrupted)
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
