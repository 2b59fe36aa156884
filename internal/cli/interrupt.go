package cli

import (
	"context"
	"os"
	"syscall"

	"verbatim/internal/app"
)

// handleInterrupts is env.Interrupts for a command that ends by itself.
func (env *Env) handleInterrupts() (<-chan os.Signal, func()) {
	done := env.unfinished.handle()
	signals, unsubscribe := env.Interrupts()
	return signals, func() {
		unsubscribe()
		done()
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
					cancelStop(app.ErrInterrupted)
					if env.ErrWidth > 0 {
						writeNote(env, "") // the meter's line stays above
					}
					writeNote(env, "Finishing what is in flight and keeping it; Ctrl-C again stops now.")
				case s != syscall.SIGHUP:
					cancelAbort(app.ErrInterrupted)
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
