package command

import "syscall"

// groupAttr puts the command into a process group of its own: a Ctrl-C on the
// terminal then reaches only us, and what the command starts can end with it. The
// kernel kills it when the thread that started it ends.
func groupAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
