package lease

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// How a holder shows that it is alive, and when it counts as dead.
const (
	BeatEvery = 5 * time.Second  // how often the holder of a run says that it is alive
	DeadAfter = 30 * time.Second // after what silence it is watched before it counts as dead
	// WatchTime is how long it is watched: longer than BeatEvery.
	WatchTime = 6 * time.Second
)

// A Held error says that a live process works on the run.
type Held struct {
	Run   string // its name
	PID   int
	Host  string
	Since time.Time // when it began
	Beat  time.Time // when it last said that it is alive
}

// Error names the run and who holds it.
func (e *Held) Error() string {
	return fmt.Sprintf("run %s is being written by process %d on %s since %s",
		e.Run, e.PID, e.Host, e.Since.Local().Format(time.DateTime))
}

// Hint says what to do about it.
func (e *Held) Hint() string {
	return fmt.Sprintf("wait for it or stop it; a process that does not report for %v counts as dead", DeadAfter)
}

// holderDead reports whether the holder is certainly dead: a process of this machine is
// looked up, so that a run can be continued at once after a kill.
func holderDead(held Held, machine string) bool {
	return machine == thisMachine() && !processExists(held.PID)
}

// HolderAlive reports whether the holder still works, as far as the file tells: a process of
// another machine has until its silence has lasted. A beat in the future means that a
// clock was set, and counts by its distance.
func HolderAlive(held Held, machine string, now time.Time) bool {
	return !holderDead(held, machine) && now.Sub(held.Beat).Abs() < DeadAfter
}

// processExists reports whether a process of this machine exists.
func processExists(pid int) bool {
	p, err := os.FindProcess(pid) // fails on Windows when it does not exist
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0)) // not there on Windows, which then says neither of these
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH) && !processEnded(pid)
}

// processEnded reports whether a process has ended and is only waited for by its parent,
// where /proc has it: in a container its parent may never wait for it.
func processEnded(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// The name before the state is in brackets and may hold anything.
	_, state, _ := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
	return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
}

// thisMachine names where process ids mean what they mean here: the host, its
// boot and, on Linux, the namespace of a container.
func thisMachine() string {
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return fmt.Sprintf("%s %s %s", host, strings.TrimSpace(string(boot)), space)
}
