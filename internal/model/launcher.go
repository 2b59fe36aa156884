package model

import (
	"os/exec"
	"sync"
)

// A launcher starts the children of a command. A guard watches them, from the first start to the end of
// the last child.
type launcher struct {
	guarded  bool // the guard was started
	guard    guard
	children sync.WaitGroup
}

// start starts a child. It must not be called at the same time as stop, or after it. Call childEnded
// when the child has been waited for.
func (l *launcher) start(c *exec.Cmd) error {
	if !l.guarded {
		l.guard, l.guarded = startGuard(), true
	}
	if err := c.Start(); err != nil {
		return err
	}
	l.children.Add(1)
	l.guard.watch(c)
	return nil
}

// childEnded notes that a child has been waited for.
func (l *launcher) childEnded() { l.children.Done() }

// stop ends the guard when the last child has ended.
func (l *launcher) stop() {
	go func() {
		l.children.Wait()
		l.guard.close()
	}()
}
