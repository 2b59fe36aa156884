package store

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestLeaseOfAnotherMachine: its processes cannot be looked up, so silence
// decides.
func TestLeaseOfAnotherMachine(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		machine string
		pid     int
		beat    time.Duration
		alive   bool
	}{
		{"elsewhere", 1, 0, true},
		{"elsewhere", 1, -deadAfter + time.Second, true},
		{"elsewhere", 1, -deadAfter, false},
		{"elsewhere", 1, 2 * deadAfter, false}, // its clock was set back since
		{thisMachine(), os.Getpid(), 0, true},
		{thisMachine(), os.Getpid(), -deadAfter, false},
		{thisMachine(), deadPID(t), 0, false},
	} {
		if got := holderAlive(Held{PID: c.pid, Beat: now.Add(c.beat)}, c.machine, now); got != c.alive {
			t.Errorf("%+v: alive %v", c, got)
		}
	}
}

// deadPID is the id of a process that has ended.
func deadPID(t *testing.T) int {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^$")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return c.Process.Pid
}

// TestEnded: a process that was killed counts as ended before its parent has waited for
// it.
func TestEnded(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("this system does not tell the state of a process")
	}
	c := exec.Command("sleep", "60")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if !processExists(c.Process.Pid) {
		t.Error("a running process counts as ended")
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if !processExists(c.Process.Pid) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if processExists(c.Process.Pid) {
		t.Error("a killed process counts as running until its parent waits for it")
	}
	c.Wait()
}
