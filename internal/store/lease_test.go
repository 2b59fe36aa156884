package store

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim"

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
