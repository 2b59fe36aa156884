//go:build unix && !linux

package command

import "syscall"

// groupAttr puts a command into a process group of its own. So a Ctrl-C on the terminal reaches only
// this program, and processes that the command starts can be killed with it.
func groupAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
