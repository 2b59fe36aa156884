package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"verbatim/internal/store/sqlite"
)

// A Lease is the right of one process to write a run. The token identifies the process: after a
// long silence another process may have taken the run over.
type lease struct {
	run   int64
	token string
}

// deadHolders are the last beats of dead holders by run, in nanoseconds since 1970. A holder is
// dead if its last beat is older than deadAfter and it has not renewed its lease within watchTime.
type deadHolders map[int64]int64

// A staleLease error says that the holder of a run has been silent for deadAfter. It may be alive:
// a lock can have prevented it from renewing its lease.
type staleLease struct {
	run, beat int64
	held      Held
}

// Error is that of the Held error.
func (e *staleLease) Error() string { return e.held.Error() }

// claim takes the lease of a run for this process, within a write transaction. If another process
// has it, and is not in dead, it returns a *Held or a *staleLease error.
func claim(ctx context.Context, c *sqlite.Conn, run int64, now time.Time, dead deadHolders) (*lease, error) {
	held, machine, err := readHolder(ctx, c, run)
	if err != nil {
		return nil, err
	}
	switch {
	case held == nil || holderDead(*held, machine):
	case holderAlive(*held, machine, now):
		return nil, held
	case dead[run] != held.Beat.UnixNano():
		return nil, &staleLease{run, held.Beat.UnixNano(), *held}
	}
	l := &lease{run: run, token: newToken()}
	host, _ := os.Hostname() // only for people, who have the process id too
	_, _, err = c.Exec(`INSERT OR REPLACE INTO lease (run, token, pid, host, machine, since, beat) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		run, l.token, os.Getpid(), host, thisMachine(), now.UnixNano(), now.UnixNano())
	return l, err
}

// readHolder returns the holder of a run and its machine; nil without one. An incoming run has no
// name: the holder has its number then.
func readHolder(ctx context.Context, c *sqlite.Conn, run int64) (held *Held, machine string, err error) {
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) {
		held = &Held{PID: int(r.Int()), Host: r.Text(), Since: time.Unix(0, r.Int()), Beat: time.Unix(0, r.Int())}
		machine, held.Run = r.Text(), cmp.Or(r.Text(), fmt.Sprint(run))
	}, `SELECT pid, host, since, beat, machine, run.name FROM lease LEFT JOIN run ON run.id = lease.run WHERE lease.run = ?`, run)
	return held, machine, err
}

// claimRuns calls work, which claims runs, and calls it again after a silent holder was watched
// and is dead. work must change nothing when it fails.
func claimRuns(ctx context.Context, f *sqlite.File, work func(dead deadHolders) error) error {
	dead := deadHolders{}
	for {
		err := work(dead)
		quiet, ok := errors.AsType[*staleLease](err)
		if !ok {
			return err
		}
		reported, err := watch(ctx, f, quiet)
		if err != nil {
			return err
		}
		if reported {
			return &quiet.held
		}
		dead[quiet.run] = quiet.beat
	}
}

// watch returns whether the holder of a run renews its lease within watchTime. Time in which the
// file is locked does not count: the holder renews its lease as soon as the lock is gone.
func watch(ctx context.Context, f *sqlite.File, quiet *staleLease) (reported bool, err error) {
	const looks = 60
	for n := 0; n < looks && !reported; {
		select {
		case <-time.After(watchTime / looks):
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
		begun := time.Now()
		err := f.Update(ctx, func(c *sqlite.Conn) error {
			var beat int64
			_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { beat = r.Int() }, `SELECT beat FROM lease WHERE run = ?`, quiet.run)
			reported = beat != quiet.beat
			return err
		})
		if err != nil {
			return false, err
		}
		if n++; time.Since(begun) > watchTime/looks { // the file was locked
			n = 0
		}
	}
	return reported, nil
}

// Check returns an error unless the lease is still ours, within a write transaction.
func (l *lease) Check(ctx context.Context, c *sqlite.Conn) error {
	var token string
	_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { token = r.Text() }, `SELECT token FROM lease WHERE run = ?`, l.run)
	if err == nil && token != l.token {
		err = l.takenOver(ctx, c)
	}
	return err
}

// Renew renews the lease within a write transaction. It is an error if the lease is not ours.
func (l *lease) renew(ctx context.Context, c *sqlite.Conn, now time.Time) error {
	n, _, err := c.Exec(`UPDATE lease SET beat = ? WHERE run = ? AND token = ?`, now.UnixNano(), l.run, l.token)
	if err == nil && n == 0 {
		err = l.takenOver(ctx, c)
	}
	return err
}

// takenOver returns the error of a lease that another process has taken over.
func (l *lease) takenOver(ctx context.Context, c *sqlite.Conn) error {
	held, _, err := readHolder(ctx, c, l.run)
	switch {
	case err != nil:
		return err
	case held == nil:
		return fmt.Errorf("this process was silent for more than %v and has lost its run: another process continued it and has ended", deadAfter)
	}
	return fmt.Errorf("this process was silent for more than %v and has lost its run: %w", deadAfter, held)
}

// Release deletes the lease, if it is still ours.
func (l *lease) Release(c *sqlite.Conn) error {
	_, _, err := c.Exec(`DELETE FROM lease WHERE run = ? AND token = ?`, l.run, l.token)
	return err
}

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

// newToken returns a random name of 32 hexadecimal digits.
func newToken() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
