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
	s := newStore(t)
	const n, jobs, inFlight = 3000, 128, 64
	r := begin(t, s, "m", n)
	db, err := sql.Open("sqlite", s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	foreign, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer foreign.Close()
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
	result, err := Run(ctx, Config{Store: s, Grade: grade, Kept: func(int, verbatim.Record) { saved.Add(1) },
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
