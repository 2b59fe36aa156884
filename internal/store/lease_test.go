package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
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
	"verbatim/internal/testmain"
)

// TestMain lets the test binary be another process: one that holds a run, or
// that writes one as fast as it can.
func TestMain(m *testing.M) {
	switch os.Getenv("VERBATIM_STORE_CHILD") {
	case "hold":
		hold()
	case "write":
		writeAll()
	case "open":
		s, err := Open(ctx, os.Getenv("VERBATIM_STORE_DB"))
		exitOn(err)
		exitOn(s.Close())
	case "describe":
		describe()
	case "import":
		importAll()
	default:
		testmain.Main(m)
	}
}

// hold claims the run, says so and holds it until its input ends.
func hold() {
	s, err := Open(ctx, os.Getenv("VERBATIM_STORE_DB"))
	exitOn(err)
	runs, err := s.Runs(ctx)
	exitOn(err)
	_, err = s.Write(ctx, nil, runs[0].N)
	exitOn(err)
	fmt.Println("held")
	bufio.NewReader(os.Stdin).ReadString('\n')
}

// describe checks a database and says what its runs hold.
func describe() {
	s, err := Open(ctx, os.Getenv("VERBATIM_STORE_DB"))
	exitOn(err)
	exitOn(s.Check(ctx))
	runs, err := s.Runs(ctx)
	exitOn(err)
	for _, r := range runs {
		fmt.Println(r.Model, r.Tally.Saved())
	}
	exitOn(s.Close())
}

// importAll imports what is on its input.
func importAll() {
	s, err := Create(ctx, os.Getenv("VERBATIM_STORE_DB"))
	exitOn(err)
	_, err = s.Import(ctx, os.Stdin)
	exitOn(err)
	exitOn(s.Close())
}

// writeAll makes a run of its own with 2000 records.
func writeAll() {
	s, err := Create(ctx, os.Getenv("VERBATIM_STORE_DB"))
	exitOn(err)
	run, _, err := s.Begin(ctx, verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef"}, Model: "m"}, true)
	exitOn(err)
	w, err := s.Write(ctx, nil, run.N)
	exitOn(err)
	for i := range int64(2000) {
		exitOn(w.Put(ctx, run.N, storetest.Typical(i)))
	}
	exitOn(w.Close())
	exitOn(s.Close())
}

func exitOn(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// child makes a command that is this test binary as another process.
func child(t *testing.T, what, db string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	c := exec.Command(exe)
	c.Env = append(os.Environ(), "VERBATIM_STORE_CHILD="+what, "VERBATIM_STORE_DB="+db)
	return c
}

// holder starts a process that holds the first run of a file. stop lets it go.
func holder(t *testing.T, db string) (c *exec.Cmd, stop func()) {
	t.Helper()
	c = child(t, "hold", db)
	in, err := c.StdinPipe()
	must(t, err)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if line != "held\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	stop = func() { in.Close(); c.Process.Kill(); c.Wait() }
	t.Cleanup(stop)
	return c, stop
}

func TestLeaseKeepsOthersOut(t *testing.T) {
	s := newStore(t)
	run, free := newRun(t, s, "m", "h"), newRun(t, s, "n", "h")
	c, kill := holder(t, s.file.Path())

	_, err := s.Write(ctx, nil, free.N, run.N)
	var held *Held
	if !errors.As(err, &held) {
		t.Fatalf("%v, want a *Leased error", err)
	}
	host, _ := os.Hostname()
	if held.PID != c.Process.Pid || held.Host != host || held.Run != run.Name || time.Since(held.Since) > time.Minute {
		t.Errorf("%+v, want process %d", held, c.Process.Pid)
	}
	for _, part := range []string{fmt.Sprint(c.Process.Pid), run.Name, host} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %q", err, part)
		}
	}
	if held.Hint() == "" {
		t.Error("no hint")
	}
	keep(t, s, free.N, storetest.Typical(0)) // other runs share the file, and the claim of the free run was undone
	runs, err := s.Runs(ctx)
	must(t, err)
	if runs[0].Lease == nil || runs[0].Lease.PID != c.Process.Pid || runs[1].Lease != nil {
		t.Errorf("leases %+v and %+v", runs[0].Lease, runs[1].Lease)
	}
	kill() // the row stays, its process is gone: it can be continued at once
	keep(t, s, run.N, storetest.Typical(0))
	if n := count(t, s, `SELECT count(*) FROM lease`); n != 0 {
		t.Errorf("%d leases are left", n)
	}
}

func TestLeaseWithinAProcess(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	_, err = s.Write(ctx, nil, run.N)
	if held := new(Held); !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Errorf("%v, want a *Leased error about this process", err)
	}
	must(t, w.Close())
	w, err = s.Write(ctx, nil, run.N)
	must(t, err)
	must(t, w.Close())
	if _, err := s.Write(ctx, nil, run.N+1); err == nil {
		t.Error("a run that does not exist was claimed")
	}
}

// TestLostLease: a process that was asleep while another took its run over must
// not write into it any more.
func TestLostLease(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	saved := make(chan struct{}, 1)
	w, err := s.Write(ctx, func([]Saved) { saved <- struct{}{} }, run.N)
	must(t, err)
	must(t, w.Put(ctx, run.N, storetest.Typical(0)))
	<-saved
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		_, _, err := c.Exec(`UPDATE lease SET token = 'another', pid = 17, host = 'there'`)
		return err
	}))
	must(t, w.Put(ctx, run.N, storetest.Typical(1)))
	err = w.Close()
	if held := new(Held); !errors.As(err, &held) || held.PID != 17 || held.Host != "there" || held.Run != run.Name {
		t.Fatalf("%v, want a *Leased error about process 17", err)
	}
	if n := count(t, s, `SELECT count(*) FROM reply`); n != 1 {
		t.Error("a record was written into a lost run")
	}
	if n := count(t, s, `SELECT count(*) FROM lease WHERE token = 'another'`); n != 1 {
		t.Error("the other's lease was taken away")
	}
}

// TestLostLeaseSaysSo: if another process has saved the same positions, or has ended
// since, the error still says that the run was lost.
func TestLostLeaseSaysSo(t *testing.T) {
	for name, sql := range map[string]string{
		"goes on":   `UPDATE lease SET token = 'another', pid = 17, host = 'there'`,
		"has ended": `DELETE FROM lease`,
	} {
		s := newStore(t)
		run := newRun(t, s, "m", "h")
		w, err := s.Write(ctx, nil, run.N)
		must(t, err)
		w.beaten = time.Now() // the commit need not renew the lease
		must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
			if _, _, err := c.Exec(sql); err != nil {
				return err
			}
			k := newInserter(c)
			e, err := newEntry(run.N, storetest.Typical(0))
			if err == nil {
				_, err = k.Insert(&e)
			}
			if err == nil {
				err = k.flushCounts()
			}
			return err
		}))
		must(t, w.Put(ctx, run.N, storetest.Typical(0)))
		err = w.Close()
		if err == nil || !strings.Contains(err.Error(), "has lost its run") || strings.Contains(err.Error(), "process 0") {
			t.Errorf("the other %s: %v", name, err)
		}
		var unsaved *Unsaved
		if !errors.As(err, &unsaved) || unsaved.Replies != 1 || unsaved.Lines == "" ||
			!strings.Contains(err.Error(), "1 reply could not be saved in the database and is in ") {
			t.Errorf("the other %s: the reply that waited is not in a file: %v", name, err)
		}
	}
}

func TestHeartbeat(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	saved := make(chan struct{}, 1)
	w, err := s.Write(ctx, func([]Saved) { saved <- struct{}{} }, run.N)
	must(t, err)
	beat := func() time.Time { return time.Unix(0, count(t, s, `SELECT beat FROM lease`)) }
	first := beat()
	if age := time.Since(first); age < 0 || age > time.Minute {
		t.Errorf("the run was claimed, and its last report is %v old", age)
	}
	must(t, s.file.Update(ctx, w.renew)) // what the ticker does
	second := beat()
	if !second.After(first) {
		t.Errorf("after %v came %v", first, second)
	}
	must(t, w.Put(ctx, run.N, storetest.Typical(0)))
	<-saved
	if third := beat(); !third.After(second) { // the first commit renews as well
		t.Errorf("after %v came %v", second, third)
	}
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		_, _, err := c.Exec(`DELETE FROM lease`)
		return err
	}))
	if err := s.file.Update(ctx, w.renew); err == nil {
		t.Error("a lease that is gone was renewed")
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if n := count(t, s, `SELECT count(*) FROM lease`); n != 0 {
		t.Error("the writer is closed, and the lease is still there")
	}
}

// TestProcessesShareTheFile lets four processes write runs of their own at full
// speed.
func TestProcessesShareTheFile(t *testing.T) {
	db := filepath.Join(t.TempDir(), "verbatim.db")
	var running []*exec.Cmd
	var out [4]strings.Builder
	for i := range out {
		c := child(t, "write", db)
		c.Stdout = &out[i]
		must(t, c.Start())
		running = append(running, c)
	}
	for i, c := range running {
		if err := c.Wait(); err != nil {
			t.Errorf("process %d: %v: %s", i, err, out[i].String())
		}
	}
	s := create(t, db)
	runs, err := s.Runs(ctx)
	must(t, err)
	if len(runs) != len(out) {
		t.Fatalf("%d runs", len(runs))
	}
	for _, r := range runs {
		if n := len(all(t, s, r.N, Read{})); n != 2000 || r.Tally.Saved() != 2000 {
			t.Errorf("run %s has %d records, tally %v", r.Name, n, r.Tally)
		}
	}
	if n := count(t, s, `SELECT count(*) FROM item`); n != 2000 {
		t.Errorf("%d items, want the 2000 that the runs share", n)
	}
	must(t, s.Check(ctx))
	wantTallies(t, s)
}

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
