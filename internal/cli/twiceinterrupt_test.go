package cli

import (
	"context"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestContexts sends signals with pauses. The first one ends stop. Whether a second one ends abort
// depends on the kinds of both and on the time between them.
func TestContexts(t *testing.T) {
	for _, c := range []struct {
		name    string
		signals []os.Signal
		pause   time.Duration
		aborts  bool
	}{
		{"Ctrl-C", []os.Signal{os.Interrupt}, 0, false},
		{"Ctrl-C twice", []os.Signal{os.Interrupt, os.Interrupt}, 0, true},
		{"a closed terminal", []os.Signal{syscall.SIGHUP, syscall.SIGHUP}, 0, false},
		{"a closed terminal, and a hangup later", []os.Signal{syscall.SIGHUP, syscall.SIGHUP}, time.Minute, false},
		{"SIGTERM and SIGHUP together", []os.Signal{syscall.SIGTERM, syscall.SIGHUP}, 0, false},
		{"the same in the other order", []os.Signal{syscall.SIGHUP, syscall.SIGTERM}, 0, false},
		{"a closed terminal, and SIGTERM later", []os.Signal{syscall.SIGHUP, syscall.SIGTERM}, grace, true},
		{"a closed terminal, and Ctrl-C", []os.Signal{syscall.SIGHUP, os.Interrupt}, 0, true},
		{"SIGTERM twice", []os.Signal{syscall.SIGTERM, syscall.SIGTERM}, 0, true},
		{"SIGHUP and SIGTERM together, and SIGTERM", []os.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGTERM}, grace / 2, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			signals := make(chan os.Signal)
			noted := 0
			h := interruptHandler{Signals: func() (<-chan os.Signal, func()) { return signals, func() {} }, Stopping: func() { noted++ }}
			stop, abort, release := h.contexts(context.Background())
			defer release()
			if stop.Err() != nil || abort.Err() != nil {
				t.Fatalf("%s: a context ends before a signal", c.name)
			}
			for i, s := range c.signals {
				if i > 0 {
					time.Sleep(c.pause)
				}
				signals <- s
			}
			synctest.Wait()
			if stop.Err() == nil || (abort.Err() != nil) != c.aborts || noted != 1 {
				t.Errorf("%s: stop %v, abort %v, noted %d times", c.name, stop.Err(), abort.Err(), noted)
			}
		})
	}
}
