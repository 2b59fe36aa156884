package run

import (
	"context"
	"database/sql"
	"sync/atomic"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// TestBlockedCommitBoundsWhatWaits: while nothing can be committed, no more than what is
// in flight and one group is sent, however many workers wait for their turn; when the
// lock is gone all of it is saved, and nothing is sent twice.
func TestBlockedCommitBoundsWhatWaits(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	const n, jobs, inFlight = 3000, 128, 64
	r := begin(t, s, "m", n)
	foreign := foreignConn(t, s)
	sending := make(chan struct{}, inFlight) // as a Pacer lets others wait
	var sent, saved atomic.Int64
	locked := make(chan struct{})
	go func() {
		defer close(locked)
		for saved.Load() < 500 {
			time.Sleep(time.Millisecond)
		}
		for { // without a busy timeout the lock may take some tries
			if _, err := foreign.ExecContext(ctx, "BEGIN IMMEDIATE"); err == nil {
				break
			}
		}
		time.Sleep(2 * time.Second) // until what was committed before is reported
		if lost := sent.Load() - saved.Load(); lost > inFlight+store.GroupSize {
			t.Errorf("%d replies would be lost by a kill, want at most %d", lost, inFlight+store.GroupSize)
		} else if lost < store.GroupSize {
			t.Errorf("only %d replies wait: the test proves nothing", lost)
		}
		if _, err := foreign.ExecContext(ctx, "ROLLBACK"); err != nil {
			t.Error(err)
		}
	}()
	result, err := Run(ctx, Config{Store: s, Grade: grade, Saved: func(int, verbatim.Record) { saved.Add(1) },
		Lanes: []Lane{{Run: r, Source: fixed(n), Jobs: jobs, InFlight: inFlight, Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			sending <- struct{}{}
			defer func() { <-sending }()
			sent.Add(1)
			return right(ctx, r)
		})}}})
	<-locked
	if err != nil || !result.Lanes[0].Finished || sent.Load() != n || len(records(t, s, r.N)) != n {
		t.Errorf("%+v, %v; %d sent", result, err, sent.Load())
	}
}

// TestStopEndsClaim: while another process has locked the file before the run is
// claimed, nothing is in flight: Stop ends the wait and the run, and nothing was sent.
func TestStopEndsClaim(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 10)
	foreign := foreignConn(t, s)
	if _, err := foreign.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	release := time.AfterFunc(10*time.Second, func() { foreign.ExecContext(ctx, "ROLLBACK") }) // so that a wait without end fails
	asked := Lane{Run: r, Source: fixed(10), Model: modelFunc(right)}
	stop, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	begun := time.Now()
	result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{asked}, Stop: stop})
	if took := time.Since(begun); err != nil || took > 5*time.Second || len(result.Lanes) != 1 || !result.Lanes[0].Stopped || result.Lanes[0].Finished {
		t.Errorf("%+v, %v after %v", result, err, took)
	}
	if !release.Stop() {
		t.Fatal("the lock was released before")
	}
	if _, err := foreign.ExecContext(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{asked}}); err != nil || !result.Lanes[0].Finished {
		t.Errorf("after the lock: %+v, %v", result, err)
	}
}

// foreignConn opens the database as another program does.
func foreignConn(t *testing.T, s *store.Store) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", s.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	c, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}
