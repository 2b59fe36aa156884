package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"verbatim/internal/errkind"
)

// A Handler handles the interrupts of one command.
type interruptHandler struct {
	Signals  func() (<-chan os.Signal, func()) // processSignals, except in tests
	Stopping func()                            // prints that requests in flight are finished
	End      func()                            // ends the process at once

	handlers atomic.Int32 // calls of Handle that have not ended
}

// processSignals starts to deliver the signals that interrupt the process: Ctrl-C, SIGTERM, and the
// SIGHUP of a closed terminal, except under nohup. The second result ends the delivery. From the
// first call on, a pipe without a reader is an error of writing and does not end the process:
// answers of requests in flight can still be saved.
func processSignals() (<-chan os.Signal, func()) {
	c := make(chan os.Signal, 4)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return c, func() { signal.Stop(c) }
}

// Handle is Signals for a command that handles interrupts itself. Until the second result is
// called, Watch does not act on them.
func (h *interruptHandler) Handle() (<-chan os.Signal, func()) {
	h.handlers.Add(1)
	signals, unsubscribe := h.Signals()
	return signals, func() {
		unsubscribe()
		h.handlers.Add(-1)
	}
}

// grace is the time that an interrupted command has to end by itself, and the time within which
// signals count as sent together.
const grace = time.Second

// Contexts returns two contexts. The first interrupt ends stop: nothing more is sent. The second
// one ends abort: requests in flight are given up. release must be called.
//
// Several signals can be one interrupt. A closed terminal sends SIGHUP more than once, from the
// shell and from the kernel. A supervisor may send SIGTERM and SIGHUP together, and they arrive in
// any order.
func (h *interruptHandler) contexts(parent context.Context) (stop, abort context.Context, release func()) {
	signals, unsubscribe := h.Handle()
	abort, cancelAbort := context.WithCancelCause(parent)
	stop, cancelStop := context.WithCancelCause(abort)
	go func() {
		var first os.Signal
		var stopped time.Time
		for {
			select {
			case s := <-signals:
				together := first == syscall.SIGHUP && s == syscall.SIGTERM && time.Since(stopped) < grace
				switch {
				case first == nil:
					first, stopped = s, time.Now()
					cancelStop(errkind.ErrInterrupted)
					h.Stopping()
				case s != syscall.SIGHUP && !together:
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

// Watch returns a context that ends at an interrupt which nothing else handles. If release is not
// called within the grace time, or before another interrupt, Watch calls End.
func (h *interruptHandler) watch(parent context.Context) (ctx context.Context, release func()) {
	signals, unsubscribe := h.Signals()
	ctx, cancel := context.WithCancelCause(parent)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
			case <-done:
				return
			}
			if h.handlers.Load() > 0 {
				continue
			}
			cancel(errkind.ErrInterrupted)
			select {
			case <-done:
				return
			case <-signals:
			case <-time.After(grace):
			}
			h.End()
			return
		}
	}()
	return ctx, func() {
		close(done)
		unsubscribe()
		cancel(nil)
	}
}
