package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/exhaustive"

	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// A notebook collects what OnLock reports.
type notebook struct {
	mu    sync.Mutex
	lines []string
}

func (n *notebook) add(s string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, s)
}

func (n *notebook) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.lines, "\n")
}

// TestLockIsWaitedFor: a lock loses nothing, not even one that lasts longer than the
// timeout of a statement (with VERBATIM_EXHAUSTIVE). Records that were put wait, the
// wait is reported, no more than a group is accepted, and all of it is saved
// afterwards.
func TestLockIsWaitedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only waits")
	}
	t.Parallel()
	lasts := 4 * time.Second
	if exhaustive.All() {
		lasts = 12 * time.Second
	}
	var lines notebook
	path := newStore(t).file.Path()
	s, err := Open(ctx, path, sqlite.OnLock(lines.add))
	must(t, err)
	defer s.Close()
	run := newRun(t, s, "m", "h")
	saved := 0
	w, err := s.Write(ctx, func(k []Saved) { saved += len(k) }, run.N)
	must(t, err)
	unlock := lock(t, path)
	const n = GroupSize + 50
	var group sync.WaitGroup
	for i := range int64(n) {
		group.Go(func() {
			if err := w.Put(ctx, run.N, storetest.Typical(i)); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(lasts)
	if waiting := fmt.Sprintf("%d replies wait", n); !strings.Contains(lines.String(), waiting) || !strings.Contains(lines.String(), "sending has paused") {
		t.Errorf("after %v: %q", lasts, lines.String())
	}
	unlock()
	group.Wait()
	must(t, w.Close())
	if got := len(all(t, s, run.N, whole)); got != n || saved != n {
		t.Errorf("%d records, %d reported, want %d", got, saved, n)
	}
	if !strings.Contains(lines.String(), "the lock is gone") || strings.Count(lines.String(), "\n") > 3 {
		t.Errorf("%q", lines.String())
	}
}

// TestInterruptUnderLock: a caller whose context is done waits for a lock a moment
// longer; what could not be saved is then in a file, and an import of the file
// completes the run.
func TestInterruptUnderLock(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0))
	caller, end := context.WithCancelCause(ctx)
	w, err := s.Write(caller, nil, run.N)
	must(t, err)
	unlock := lock(t, s.file.Path())
	for i := range int64(20) {
		must(t, w.Put(caller, run.N, storetest.Typical(i+1)))
	}
	why := errors.New("interrupted")
	end(why)
	must(t, w.PutNow(run.N, storetest.Failed(21, verbatim.Errored, 1, 2)))
	begun := time.Now()
	err = w.Close()
	var unsaved *Unsaved
	if !errors.As(err, &unsaved) || !errors.Is(err, why) || unsaved.Replies != 21 || unsaved.Lines != s.file.Path()+".rescued-1.jsonl" || unsaved.Hint() == "" {
		t.Fatalf("%v", err)
	}
	if took := time.Since(begun); took > 4*lockGrace {
		t.Errorf("it took %v", took)
	}
	unlock()
	if got := len(all(t, s, run.N, whole)); got != 1 {
		t.Errorf("%d records in the database", got)
	}
	f, err := os.Open(unsaved.Lines)
	must(t, err)
	defer f.Close()
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error { // the process has ended, and with it the lease
		_, _, err := c.Exec(`DELETE FROM lease`)
		return err
	}))
	done, err := s.Import(ctx, f)
	must(t, err)
	if len(done) != 1 || done[0].New || done[0].Run.N != run.N || done[0].Saved != 21 {
		t.Errorf("%+v", done)
	}
	got := all(t, s, run.N, whole)
	if len(got) != 22 || storetest.Diff(storetest.Typical(5), got[5]) != "" || got[21].Outcome != verbatim.Errored {
		t.Errorf("%d records: %s", len(got), storetest.Diff(storetest.Typical(5), got[5]))
	}
	wantTallies(t, s)
}

// TestLockedHolderIsNotDead: a process that could not report for long, because of a
// lock, still holds its run when the lock is gone; one that does not report then loses
// it.
func TestLockedHolderIsNotDead(t *testing.T) {
	exhaustive.Only(t) // it watches for eleven seconds
	t.Parallel()
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	old := time.Now().Add(-2 * deadAfter).UnixNano()
	silence := func() {
		must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
			_, _, err := c.Exec(`UPDATE lease SET beat = ?`, old)
			return err
		}))
	}
	silence()
	other := create(t, s.file.Path())
	_, err = other.Write(ctx, nil, run.N) // within the watch w reports
	if held := new(Held); !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Fatalf("%v, want a *Leased error", err)
	}
	w.stop(errors.New("it hangs")) // from here on there are no reports
	w.loops.Wait()
	silence()
	begun := time.Now()
	others, err := other.Write(ctx, nil, run.N)
	must(t, err)
	if took := time.Since(begun); took < watchTime {
		t.Errorf("taken over after %v", took)
	}
	must(t, others.Close())
	w.Close()
}

// TestImportLeavesRoom: a run goes on during a long import: a record is saved between
// two slices of the import.
func TestImportLeavesRoom(t *testing.T) {
	from := newStore(t)
	big := newRun(t, from, "big", "h")
	fillRun(t, from, big.N, 200)
	text := export(t, from)
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	saved := make(chan struct{}, 1)
	w, err := s.Write(ctx, func([]Saved) { saved <- struct{}{} }, run.N)
	must(t, err)
	imported := make(chan error, 1)
	other := create(t, s.file.Path())
	go func() {
		_, err := other.Import(ctx, slowReader{strings.NewReader(text)})
		imported <- err
	}()
	isPart := func() bool { return count(t, s, `SELECT count(*) FROM incoming`) > 0 } // of the run is in the database
	between := 0
	for n, over := int64(0), false; !over; n++ {
		begun := isPart()
		must(t, w.Put(ctx, run.N, storetest.Typical(n)))
		<-saved
		if begun && isPart() {
			between++
		}
		select {
		case err := <-imported:
			must(t, err)
			over = true
		default:
		}
	}
	if between == 0 {
		t.Error("no record was saved between two slices of an import")
	}
	must(t, w.Close())
	must(t, s.Check(ctx))
	wantTallies(t, s)
}

// A slowReader takes longer for each read than a slice of an import may last.
type slowReader struct{ io.Reader }

func (r slowReader) Read(p []byte) (int, error) {
	time.Sleep(sliceTime + sliceTime/5)
	return r.Reader.Read(p)
}

// TestRescueSaysEachCauseOnce: where the three folders for a rescued file are the same,
// the error names it once.
func TestRescueSaysEachCauseOnce(t *testing.T) {
	s := newStore(t)
	dir := filepath.Dir(s.file.Abs())
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	_, err := s.rescueFile(".jsonl", func(name string) error { return &os.PathError{Op: "write", Path: name, Err: syscall.ENOSPC} })
	if err == nil || strings.Count(err.Error(), "rescued") != 1 {
		t.Error(err)
	}
}
