package lease

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"verbatim/internal/store/sqlite"
)

// A Lease is the right of one process to write a run. The token makes it this
// one's: after a long silence another process may hold the run, and then
// no row of ours fits any more.
type Lease struct {
	run   int64
	token string
}

// DeadHolders are the last beats of holders that are dead, by run. They were too old, and
// no new one came within WatchTime.
type DeadHolders map[int64]int64

// A staleLease error says that a run is leased to a process that has not reported for
// DeadAfter, and of which it is not certain that it is dead: a lock may have kept it
// from reporting.
type staleLease struct {
	run, beat int64
	held      Held
}

// Error says what the Held error says.
func (e *staleLease) Error() string { return e.held.Error() }

// Claim takes the lease of run for this process, or returns a *Held or a *staleLease
// error. It runs inside a write transaction.
func Claim(ctx context.Context, c *sqlite.Conn, run int64, now time.Time, dead DeadHolders) (*Lease, error) {
	held := Held{Run: fmt.Sprint(run)}
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
	case HolderAlive(held, machine, now):
		return nil, &held
	case dead[run] != beat:
		return nil, &staleLease{run, beat, held}
	}
	l := &Lease{run: run, token: NewToken()}
	host, _ := os.Hostname() // only for people: without a name the pid has to do
	_, _, err = c.Exec(`INSERT OR REPLACE INTO lease (run, token, pid, host, machine, since, beat) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		run, l.token, os.Getpid(), host, thisMachine(), now.UnixNano(), now.UnixNano())
	return l, err
}

// ClaimRuns does work that claims runs, and again after it has watched a holder that
// has not reported for long. work leaves nothing behind when it fails.
func ClaimRuns(ctx context.Context, f *sqlite.File, work func(dead DeadHolders) error) error {
	dead := DeadHolders{}
	for {
		err := work(dead)
		var quiet *staleLease
		if !errors.As(err, &quiet) {
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

// watch reports whether the holder of a run reports within WatchTime, of which only
// the time counts in which it could have: a holder that a lock has kept from reporting
// does so as soon as the lock is gone.
func watch(ctx context.Context, f *sqlite.File, quiet *staleLease) (reported bool, err error) {
	const looks = 60
	for n := 0; n < looks && !reported; {
		select {
		case <-time.After(WatchTime / looks):
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
		if n++; time.Since(begun) > WatchTime/looks { // the file was locked
			n = 0
		}
	}
	return reported, nil
}

// Check makes sure, inside a write transaction, that the lease is still ours.
func (l *Lease) Check(ctx context.Context, c *sqlite.Conn) error {
	var token string
	_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { token = r.Text() }, `SELECT token FROM lease WHERE run = ?`, l.run)
	if err == nil && token != l.token {
		err = l.takenOver(ctx, c)
	}
	return err
}

// Renew says, inside a write transaction, that we are alive.
func (l *Lease) Renew(ctx context.Context, c *sqlite.Conn, now time.Time) error {
	n, _, err := c.Exec(`UPDATE lease SET beat = ? WHERE run = ? AND token = ?`, now.UnixNano(), l.run, l.token)
	if err == nil && n == 0 {
		err = l.takenOver(ctx, c)
	}
	return err
}

// takenOver explains that another process has taken the run over.
func (l *Lease) takenOver(ctx context.Context, c *sqlite.Conn) error {
	e := &Held{Run: fmt.Sprint(l.run)}
	found, err := c.QueryOne(ctx, func(r *sqlite.Rows) {
		e.PID, e.Host, e.Since, e.Beat = int(r.Int()), r.Text(), time.Unix(0, r.Int()), time.Unix(0, r.Int())
		e.Run = r.Text()
	}, `SELECT pid, host, since, beat, run.name FROM lease JOIN run ON run.id = lease.run WHERE lease.run = ?`, l.run)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("this process was silent for more than %v and has lost its run: another process continued it and has ended", DeadAfter)
	}
	return fmt.Errorf("this process was silent for more than %v and has lost its run: %w", DeadAfter, e)
}

// Release gives the lease back, if it is still ours.
func (l *Lease) Release(c *sqlite.Conn) error {
	_, _, err := c.Exec(`DELETE FROM lease WHERE run = ? AND token = ?`, l.run, l.token)
	return err
}
