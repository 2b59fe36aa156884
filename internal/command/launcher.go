package command

import (
	"os/exec"
	"runtime"
	"sync"
)

// A launcher starts the children of a command, all on one thread that lives as long as any of them. On
// Linux the kernel kills a child when the thread that started it ends, and the Go runtime may end a
// thread at any time. A guard watches the children. The thread and the guard begin with the first
// start.
type launcher struct {
	starts   chan func()
	guard    guard
	children sync.WaitGroup
}

// start starts a child. It must not be called at the same time as stop, or after it. Call childEnded
// when the child has been waited for.
func (l *launcher) start(c *exec.Cmd) error {
	if l.starts == nil {
		l.starts = make(chan func())
		l.guard = startGuard()
		go l.run(l.starts)
	}
	started := make(chan error)
	l.starts <- func() { started <- c.Start() }
	err := <-started
	if err == nil {
		l.children.Add(1)
		l.guard.watch(c)
	}
	return err
}

func (l *launcher) run(starts <-chan func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for f := range starts {
		f()
	}
	l.children.Wait()
	l.guard.close()
}

// childEnded notes that a child has been waited for.
func (l *launcher) childEnded() { l.children.Done() }

// stop ends the thread and the guard when the last child has ended.
func (l *launcher) stop() {
	if l.starts != nil {
		close(l.starts)
		l.starts = nil
	}
}
