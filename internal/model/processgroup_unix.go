//go:build unix

package model

import (
	"os/exec"
	"syscall"
)

// setProcessGroup puts the command into a process group of its own. So a Ctrl-C on the terminal reaches
// only this program, and processes that the command starts can be killed with it.
func setProcessGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the command and the processes of its group. The command must not have been waited
// for.
func killGroup(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// guardCommand returns the command of a guard. It is in a session of its own, so that it gets neither
// the signals of a terminal nor those to the process group of this program.
func guardCommand() *exec.Cmd {
	c := exec.Command("/bin/sh", "-c", guardScript)
	c.Dir, c.Env = "/", []string{}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return c
}

// guardScript reads "+ GROUP" and "- GROUP" until its input ends, and kills the groups that are left.
// It uses only builtins of the shell.
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
