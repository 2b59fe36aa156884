package command

import (
	"fmt"
	"io"
	"os/exec"
)

// A guard is a small process that outlives this one however it ends, SIGKILL
// included: it then kills the process groups of the children that were running.
// It knows that we have ended because its input ends. The zero value guards nothing.
type guard struct {
	process *exec.Cmd
	in      io.WriteCloser
}

// startGuard starts a guard. Where that is not possible, such as without a shell,
// it guards nothing: the children still end with their input.
func startGuard() guard {
	c := guardCommand()
	if c == nil {
		return guard{}
	}
	in, err := c.StdinPipe()
	if err != nil || c.Start() != nil {
		return guard{}
	}
	return guard{c, in}
}

// watch has the group of a running command killed when we end.
func (g guard) watch(c *exec.Cmd) { g.tell('+', c) }

// forget must be called before the command is waited for: after that its number may
// be another's.
func (g guard) forget(c *exec.Cmd) { g.tell('-', c) }

func (g guard) tell(sign rune, c *exec.Cmd) {
	if g.in != nil {
		fmt.Fprintf(g.in, "%c %d\n", sign, c.Process.Pid)
	}
}

// close ends the guard. No child may be left.
func (g guard) close() {
	if g.in != nil {
		g.in.Close()
		g.process.Wait()
	}
}
