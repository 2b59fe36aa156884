package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// The times after which a holder renews its lease, and after which it counts as dead.
const (
	beatEvery = 5 * time.Second  // how often the holder of a run renews its lease
	deadAfter = 30 * time.Second // the silence after which it is watched
	watchTime = 6 * time.Second  // how long it is watched: longer than beatEvery
)

// A Held error says that a live process writes the run.
type Held struct {
	Run   string // its name
	PID   int
	Host  string
	Since time.Time // when the process began
	Beat  time.Time // when it renewed the lease last
}

// Error names the run and the process.
func (e *Held) Error() string {
	return fmt.Sprintf("run %s is being written by process %d on %s since %s",
		e.Run, e.PID, e.Host, e.Since.Local().Format(time.DateTime))
}

// Hint says how the run becomes free.
func (e *Held) Hint() string {
	return fmt.Sprintf("wait for it or stop it; a process that does not report for %v counts as dead", deadAfter)
}

// holderDead reports whether a holder was on this machine and has ended. So a run can be continued
// at once after a kill.
func holderDead(held Held, machine string) bool {
	return machine == thisMachine() && !processExists(held.PID)
}

// holderAlive reports whether a holder counts as alive: it is not certainly dead, and its silence
// is shorter than deadAfter. A beat in the future, after a clock was set, counts by its distance.
func holderAlive(held Held, machine string, now time.Time) bool {
	return !holderDead(held, machine) && now.Sub(held.Beat).Abs() < deadAfter
}

// processExists reports whether a process of this machine exists.
func processExists(pid int) bool {
	p, err := os.FindProcess(pid) // fails on Windows when it does not exist
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0)) // Windows has no signal 0 and returns another error
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH) && !processEnded(pid)
}

// processEnded reports whether /proc shows a process as ended. It does so until its parent has
// waited for it, which in a container may never happen.
func processEnded(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// The name before the state is in brackets and may hold anything.
	_, state, _ := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
	return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
}

// thisMachine identifies the processes that a process id can mean here: by the host, its boot and,
// on Linux, the namespace of a container.
func thisMachine() string {
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return fmt.Sprintf("%s %s %s", host, strings.TrimSpace(string(boot)), space)
}
