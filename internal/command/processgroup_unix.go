//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// setProcessGroup puts the command into a process group of its own.
func setProcessGroup(c *exec.Cmd) { c.SysProcAttr = groupAttr() }

// killGroup ends the command and what it started. The command must not have been
// waited for.
func killGroup(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// guardCommand returns the process of a guard, in a session of its own: no signal of
// a terminal and none to our process group reaches it.
func guardCommand() *exec.Cmd {
	c := exec.Command("/bin/sh", "-c", guardScript)
	c.Dir, c.Env = "/", []string{}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return c
}

// guardScript reads "+ GROUP" and "- GROUP" until its input ends, and kills the
// groups that are left. It uses nothing but builtins of the shell.
const guardScript = `trap '' HUP INT TERM
groups=' '
while read -r sign group; do
	case $sign in
	+) groups="$groups$group " ;;
	-) case $groups in *" $group "*) groups="${groups%% $group *} ${groups#* $group }" ;; esac ;;
	esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
`
