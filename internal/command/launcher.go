package command

import (
	"os/exec"
	"runtime"
	"sync"
)

// A launcher starts the children of a command, all on one thread that lives as long
// as any of them: on Linux the kernel kills a child when the thread that started it
// ends, and threads of Go end when they like. It also has a guard watch them. It
// begins with the first start.
type launcher struct {
	starts   chan func()
	guard    guard
	children sync.WaitGroup
}

// start starts a child. It must not be called at the same time as stop, or after it.
// gone must be called when the child has been waited for.
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

// childEnded says that a child has been waited for.
func (l *launcher) childEnded() { l.children.Done() }

// stop lets the launcher end with the last child.
func (l *launcher) stop() {
	if l.starts != nil {
		close(l.starts)
		l.starts = nil
	}
}
