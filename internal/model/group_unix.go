//go:build unix

package model

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the command into a process group of its own: a Ctrl-C on the
// terminal then reaches only us, and what the command starts can end with it.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the command and what it started. The command must not have been
// waited for.
func killGroup(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
