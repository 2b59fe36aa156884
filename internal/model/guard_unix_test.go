//go:build unix

package model

import (
	"os/exec"
	"testing"
	"time"
)

// TestGuard has every shell of this machine guard three groups, of which one is
// taken back.
func TestGuard(t *testing.T) {
	tried := 0
	for _, shell := range [][]string{{"sh"}, {"dash"}, {"bash"}, {"busybox", "sh"}, {"ksh"}, {"zsh"}} {
		path, err := exec.LookPath(shell[0])
		if err != nil {
			continue
		}
		tried++
		c := guardCommand()
		c.Path, c.Args = path, append(append([]string{}, shell...), "-c", guardScript)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		g := guard{c, in}
		ended := make([]chan error, 3)
		var sleepers []*exec.Cmd
		for i := range ended {
			s := exec.Command("sleep", "60")
			setProcessGroup(s)
			if err := s.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Process.Kill() })
			g.watch(s)
			ended[i] = make(chan error, 1)
			go func() { ended[i] <- s.Wait() }()
			sleepers = append(sleepers, s)
		}
		g.forget(sleepers[1])
		time.Sleep(20 * time.Millisecond)
		for i := range ended {
			if len(ended[i]) > 0 {
				t.Errorf("%v: group %d is killed too early", shell, i)
			}
		}
		g.close()
		for _, i := range []int{0, 2} {
			select {
			case <-ended[i]:
			case <-time.After(5 * time.Second):
				t.Errorf("%v: group %d is left", shell, i)
			}
		}
		if len(ended[1]) > 0 {
			t.Errorf("%v: the group that was taken back is killed", shell)
		}
	}
	if tried == 0 {
		t.Skip("there is no shell")
	}
	(guard{}).forget(nil)
	guard{}.close()
}
