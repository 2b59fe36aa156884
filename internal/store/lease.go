package store

import (
	"bytes"
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

const (
	leaseBeat = 5 * time.Second  // how often the holder of a run says that it is alive
	leaseDead = 30 * time.Second // after what silence it is watched before it counts as dead
	// leaseWatch is how long it is watched: longer than leaseBeat.
	leaseWatch = 6 * time.Second
)

// A lease is the right of one process to write a run. The token makes it this
// one's: after a long silence another process may hold the run, and then
// no row of ours fits any more.
type lease struct {
	run   int64
	token string
}

// staleLeases are beats that were too old and were watched for leaseWatch without a new
// one, by run: their holders are dead.
type staleLeases map[int64]int64

// A staleLease error says that a run is leased to a process that has not reported for
// leaseDead, and of which it is not certain that it is dead: a lock may have kept it
// from reporting.
type staleLease struct {
	run, beat int64
	held      LeaseHeld
}

func (e *staleLease) Error() string { return e.held.Error() }

// claim takes the lease of run for this process, or returns a *LeaseHeld or a *silent
// error. It runs inside a write transaction.
func claim(ctx context.Context, c *sqlite.Conn, run int64, now time.Time, dead staleLeases) (*lease, error) {
	held := LeaseHeld{Run: fmt.Sprint(run)}
	var machine string
	var beat int64
	found, err := c.QueryOne(ctx, func(r *sqlite.Rows) {
		held.PID, held.Host, held.Since = int(r.Int()), r.Text(), time.Unix(0, r.Int())
		beat, machine = r.Int(), r.Text()
		if name := r.Text(); name != "" {
			held.Run = name
		}
	}, `SELECT pid, host, since, beat, machine, run.name FROM lease LEFT JOIN run ON run.id = lease.run WHERE lease.run = ?`, run)
	if err != nil {
		return nil, err
	}
	held.Beat = time.Unix(0, beat)
	switch {
	case !found || holderDead(held, machine):
	case holderAlive(held, machine, now):
		return nil, &held
	case dead[run] != beat:
		return nil, &staleLease{run, beat, held}
	}
	l := &lease{run: run, token: unique()}
	host, _ := os.Hostname() // only for people: without a name the pid has to do
	_, _, err = c.Exec(`INSERT OR REPLACE INTO lease (run, token, pid, host, machine, since, beat) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		run, l.token, os.Getpid(), host, thisMachine(), now.UnixNano(), now.UnixNano())
	return l, err
}

// claiming does work that claims runs, and again after it has watched a holder that
// has not reported for long. work leaves nothing behind when it fails.
func (s *Store) claiming(ctx context.Context, work func(dead staleLeases) error) error {
	dead := staleLeases{}
	for {
		err := work(dead)
		var quiet *staleLease
		if !errors.As(err, &quiet) {
			return err
		}
		reported, err := s.watch(ctx, quiet)
		if err != nil {
			return err
		}
		if reported {
			return &quiet.held
		}
		dead[quiet.run] = quiet.beat
	}
}

// watch reports whether the holder of a run reports within leaseWatch, of which only
// the time counts in which it could have: a holder that a lock has kept from reporting
// does so as soon as the lock is gone.
func (s *Store) watch(ctx context.Context, quiet *staleLease) (reported bool, err error) {
	const looks = 60
	for n := 0; n < looks && !reported; {
		select {
		case <-time.After(leaseWatch / looks):
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
		begun := time.Now()
		err := s.file.Update(ctx, func(c *sqlite.Conn) error {
			var beat int64
			_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { beat = r.Int() }, `SELECT beat FROM lease WHERE run = ?`, quiet.run)
			reported = beat != quiet.beat
			return err
		})
		if err != nil {
			return false, err
		}
		if n++; time.Since(begun) > leaseWatch/looks { // the file was locked
			n = 0
		}
	}
	return reported, nil
}

// lost reports whether the holder is certainly dead: a process of this machine is
// looked up, so that a run can be continued at once after a kill.
func holderDead(held LeaseHeld, machine string) bool {
	return machine == thisMachine() && !processExists(held.PID)
}

// holderAlive reports whether the holder still works, as far as the file tells: a process of
// another machine has until its silence has lasted. A beat in the future means that a
// clock was set, and counts by its distance.
func holderAlive(held LeaseHeld, machine string, now time.Time) bool {
	return !holderDead(held, machine) && now.Sub(held.Beat).Abs() < leaseDead
}

// processExists reports whether a process of this machine exists.
func processExists(pid int) bool {
	p, err := os.FindProcess(pid) // fails on Windows when there is none
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0)) // not there on Windows, which then says neither of these
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH) && !processEnded(pid)
}

// processEnded reports whether a process has ended and is only waited for by its parent,
// as far as the system tells: in a container nobody may ever wait for it.
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

// check makes sure, inside a write transaction, that the lease is still ours.
func (l *lease) check(ctx context.Context, c *sqlite.Conn) error {
	var token string
	_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { token = r.Text() }, `SELECT token FROM lease WHERE run = ?`, l.run)
	if err == nil && token != l.token {
		err = l.takenOver(ctx, c)
	}
	return err
}

// renew says, inside a write transaction, that we are alive.
func (l *lease) renew(ctx context.Context, c *sqlite.Conn, now time.Time) error {
	n, _, err := c.Exec(`UPDATE lease SET beat = ? WHERE run = ? AND token = ?`, now.UnixNano(), l.run, l.token)
	if err == nil && n == 0 {
		err = l.takenOver(ctx, c)
	}
	return err
}

// takenOver explains that another process has taken the run over.
func (l *lease) takenOver(ctx context.Context, c *sqlite.Conn) error {
	e := &LeaseHeld{Run: fmt.Sprint(l.run)}
	found, err := c.QueryOne(ctx, func(r *sqlite.Rows) {
		e.PID, e.Host, e.Since, e.Beat = int(r.Int()), r.Text(), time.Unix(0, r.Int()), time.Unix(0, r.Int())
		e.Run = r.Text()
	}, `SELECT pid, host, since, beat, run.name FROM lease JOIN run ON run.id = lease.run WHERE lease.run = ?`, l.run)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("this process was silent for more than %v and has lost its run: another process continued it and has ended", leaseDead)
	}
	return fmt.Errorf("this process was silent for more than %v and has lost its run: %w", leaseDead, e)
}

// release gives the lease back, if it is still ours.
func (l *lease) release(c *sqlite.Conn) error {
	_, _, err := c.Exec(`DELETE FROM lease WHERE run = ? AND token = ?`, l.run, l.token)
	return err
}

// unique returns a name that no other process gives.
func unique() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
