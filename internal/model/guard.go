package model

import (
	"fmt"
	"io"
	"os/exec"
)

// A guard is a small process that outlives this one. When this one ends, even by SIGKILL, the input of
// the guard ends, and it kills the process groups of the children that are running. The zero value
// guards nothing.
type guard struct {
	process *exec.Cmd
	in      io.WriteCloser
}

// startGuard starts a guard. If that is not possible, such as without a shell, it returns the zero
// value. Most children still end when their input ends.
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

// watch adds the process group of a running command to those that the guard kills.
func (g guard) watch(c *exec.Cmd) { g.send('+', c) }

// forget removes the process group of a command. It must be called before the command is waited for:
// after that the number may be that of another group.
func (g guard) forget(c *exec.Cmd) { g.send('-', c) }

func (g guard) send(sign rune, c *exec.Cmd) {
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
