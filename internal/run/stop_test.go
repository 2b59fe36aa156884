package run

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
)

// A gate is a model whose answers wait: begun says that a request has come.
type gate struct {
	begun chan int64
	open  chan struct{}
}

func (g gate) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	g.begun <- r.Seq
	select {
	case <-g.open:
		return modelFunc(right).Ask(ctx, r, reply)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestStopFinishesWhatIsInFlight: Ctrl-C once.
func TestStopFinishesWhatIsInFlight(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 100)
	g := gate{make(chan int64, 100), make(chan struct{})}
	stop, cancel := context.WithCancel(ctx)
	go func() {
		for range 3 {
			<-g.begun
		}
		cancel()
		close(g.open)
	}()
	result, err := Run(ctx, Config{Store: s, Grade: grade, Stop: stop, Lanes: []Lane{{Run: r, Source: fixed(100), Jobs: 3, Model: g}}})
	if err != nil {
		t.Fatal(err)
	}
	l := result.Lanes[0]
	if n := l.Tally.Answered(); n != 3 || !l.Stopped || l.Finished || l.Err != nil {
		t.Errorf("%+v", l)
	}
	if got := int64(len(records(t, s, r.N))); got != l.Tally.Saved() {
		t.Errorf("%d records, %d reported", got, l.Tally.Saved())
	}
	runs, err := s.Runs(ctx)
	if err != nil || !runs[0].Ended.IsZero() || runs[0].Lease != nil {
		t.Errorf("%+v, %v", runs, err)
	}
	finished(t, Config{Store: s, Lanes: []Lane{{Run: r, Source: fixed(100), Jobs: 3, Model: modelFunc(right)}}})
}

// TestStopBeforeAnything: nothing is sent.
func TestStopBeforeAnything(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 100)
	stop, cancel := context.WithCancel(ctx)
	cancel()
	var asked log
	result, err := Run(ctx, Config{Store: s, Grade: grade, Stop: stop,
		Lanes: []Lane{{Run: r, Source: fixed(100), Model: asked.model(right), Warmup: []verbatim.Request{{Item: item(0)}}}}})
	if err != nil || len(asked.asked) != 0 || !result.Lanes[0].Stopped {
		t.Errorf("%d sent, %+v, %v", len(asked.asked), result, err)
	}
}

// TestDeadline: after the deadline of Stop nothing more is sent, and requests in flight are saved.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		r := begin(t, s, "m", 100)
		until := time.Now().Add(100 * time.Millisecond)
		stop, cancel := context.WithDeadline(t.Context(), until)
		defer cancel()
		var late atomic.Int64
		result, err := Run(t.Context(), Config{Store: s, Grade: grade, Stop: stop, Lanes: []Lane{{Run: r, Source: fixed(100), Jobs: 2,
			Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
				if !time.Now().Before(until) {
					late.Add(1)
				}
				time.Sleep(110 * time.Millisecond)
				return right(ctx, r)
			})}}})
		if err != nil || result.Lanes[0].Tally.Answered() != 2 || !result.Lanes[0].Stopped || late.Load() != 0 {
			t.Errorf("%+v, %v, %d late", result, err, late.Load())
		}
	})
}

// TestAbortLosesOnlyWhatIsInFlight: Ctrl-C twice.
func TestAbortLosesOnlyWhatIsInFlight(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 100)
	g := gate{make(chan int64, 100), make(chan struct{})}
	abort, cancel := context.WithCancelCause(ctx)
	why := errors.New("interrupted twice")
	saved := 0
	go func() {
		for range 3 {
			<-g.begun
		}
		cancel(why)
	}()
	result, err := Run(abort, Config{Store: s, Grade: grade, Saved: func(int, verbatim.Record) { saved++ },
		Lanes: []Lane{{Run: r, Source: fixed(100), Jobs: 5, Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			if r.Seq < 7 {
				return right(ctx, r)
			}
			return recordtest.Ask(ctx, g, r)
		})}}})
	if !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
	all := records(t, s, r.N)
	for seq := range all {
		if seq >= 7 {
			t.Errorf("position %d was saved", seq)
		}
	}
	if l := result.Lanes[0]; !l.Stopped || l.Tally.Saved() != int64(saved) || len(all) != saved || l.Err != nil {
		t.Errorf("%+v, %d records, %d reported", l, len(all), saved)
	}
}

// TestStoreThatFails: a full disk ends the run at once, and keeps what was saved.
func TestStoreThatFails(t *testing.T) {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("mounting a small file system needs root on Linux")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small file system: %v: %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
	s, err := store.Create(ctx, filepath.Join(dir, "verbatim.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	failing(t, s, nil, func(err error) bool {
		var full *sqlite.Error
		return errors.As(err, &full) && full.Kind == sqlite.Full
	})
}

// TestRunThatIsTakenAway: another process has taken the run for dead.
func TestRunThatIsTakenAway(t *testing.T) {
	s := newStore(t)
	db, err := sql.Open("sqlite", s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	failing(t, s, func(saved int) {
		if saved == 300 {
			if _, err := db.Exec(`UPDATE lease SET token = 'another', pid = 17`); err != nil {
				t.Error(err)
			}
		}
	}, func(err error) bool {
		var held *store.Held
		return errors.As(err, &held) && held.PID == 17
	})
}

// failing runs two long lanes into a store that fails on the way.
func failing(t *testing.T, s *store.Store, then func(saved int), expected func(error) bool) {
	t.Helper()
	t.Chdir(t.TempDir()) // where a file with the unsaved records may be written
	const n = 100_000
	saved := 0
	var asked atomic.Int64
	var lanes []Lane
	for _, name := range []string{"m", "n"} {
		lanes = append(lanes, Lane{Run: begin(t, s, name, n), Source: fixed(n), Jobs: 8, Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			asked.Add(1)
			return right(ctx, r)
		})})
	}
	result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: lanes, Saved: func(int, verbatim.Record) {
		saved++
		if then != nil {
			then(saved)
		}
	}})
	if !expected(err) {
		t.Fatalf("the run ends with %v", err)
	}
	got := len(records(t, s, lanes[0].Run.N)) + len(records(t, s, lanes[1].Run.N))
	if got != saved || saved == 0 || asked.Load() > int64(saved+2*8+2*256) {
		t.Errorf("%d records, %d reported, %d sent", got, saved, asked.Load())
	}
	for i, l := range result.Lanes {
		if l.Finished || !l.Stopped || l.Err != nil {
			t.Errorf("lane %d: %+v", i, l)
		}
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestNoGoroutinesAreLeft, however a run ends.
func TestNoGoroutinesAreLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	s := newStore(t)
	soon, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	for i, c := range []Config{
		{Lanes: []Lane{{Model: modelFunc(right), Jobs: 4}}},
		{Lanes: []Lane{{Model: modelFunc(right)}, {Model: fails(verbatim.Failure{Class: verbatim.Auth})}}, Progress: func(Progress) {}},
		{Lanes: []Lane{{Model: modelFunc(right)}}, Stop: context.WithoutCancel(ctx)},
		{Lanes: []Lane{{Model: modelFunc(right)}}, Stop: soon},
	} {
		c.Store, c.Grade = s, grade
		for j := range c.Lanes {
			c.Lanes[j].Run = begin(t, s, strings.Repeat("m", 10*i+j+1), 50)
			c.Lanes[j].Source = fixed(50)
		}
		if _, err := Run(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	var now int
	for range 100 {
		if now = runtime.NumGoroutine(); now <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", now, before, stacks[:runtime.Stack(stacks, true)])
}

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
