package run

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"verbatim"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/testmain"
)

const (
	killJobs  = 16
	killGroup = 256 // what may wait for its commit, as the store's Writer says
)

// kills is how often TestKill kills: VERBATIM_KILLS times, otherwise 5.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("VERBATIM_KILLS")); err == nil {
		return n
	}
	return 5
}

// killPlaces is how many positions there are, more than are sent between kills.
func killPlaces() int64 { return 600 * int64(kills()) }

// TestMain lets the test binary be a process that is killed, or measured.
func TestMain(m *testing.M) {
	dir := os.Getenv("VERBATIM_RUN_CHILD")
	if dir == "" {
		testmain.Main(m)
		return
	}
	work := askAndLog
	if n, err := strconv.ParseInt(os.Getenv("VERBATIM_RUN_BENCH"), 10, 64); err == nil {
		work = func(dir string) error { return askFast(dir, n) }
	}
	if err := work(dir); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// askAndLog is the process that is killed: it begins or continues the one run of the
// file in dir. Each request is appended to a file before it is answered, as a server
// would count it; each position that is reported as saved is appended to another.
func askAndLog(dir string) error {
	asked, err := os.OpenFile(filepath.Join(dir, "asked"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	saved, err := os.OpenFile(filepath.Join(dir, "saved"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	s, err := store.Create(ctx, filepath.Join(dir, "verbatim.db"))
	if err != nil {
		return err
	}
	r, _, err := s.Begin(ctx, verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef", Count: killPlaces()}, Model: "m"}, false)
	if err != nil {
		return err
	}
	_, err = Run(ctx, Config{Store: s, Grade: grade,
		Lanes: []Lane{{Run: r, Source: fixed(killPlaces()), Jobs: killJobs, Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			if _, err := asked.Write(binary.BigEndian.AppendUint64(nil, uint64(r.Seq))); err != nil {
				return verbatim.Reply{}, err
			}
			if os.Getenv("VERBATIM_RUN_SLOW") != "" {
				time.Sleep(100 * time.Millisecond)
			}
			return drawn(ctx, r)
		})}},
		Saved: func(_ int, rec verbatim.Record) {
			if rec.Outcome.Answered() {
				saved.Write(binary.BigEndian.AppendUint64(nil, uint64(rec.Seq)))
			}
		}})
	if err != nil {
		return err
	}
	return s.Close()
}

// drawn is a model that draws its answers from a hash of position and attempt, as
// the simulated one does: some positions fail at first, some answers are wrong.
func drawn(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
	h := fnv.New64a()
	fmt.Fprint(h, r.Seq, r.Attempt)
	n := h.Sum64()
	time.Sleep(time.Duration(n>>32%4000) * time.Microsecond)
	if n%11 == 0 && r.Attempt < 3 {
		return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.Overload, Err: errors.New("busy")}
	}
	reply, err := right(ctx, r)
	if n%3 == 0 {
		reply.Text = strconv.FormatUint(n, 36) + "\xff\x00"
	}
	return reply, err
}

// counts reads how often each position is in a log. A torn entry, which a kill in the
// middle of a write could leave, would be a defect of the test.
func counts(t *testing.T, dir, name string) map[int64]int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if len(b)%8 != 0 {
		t.Fatalf("%s has %d bytes", name, len(b))
	}
	n := map[int64]int{}
	for ; len(b) > 0; b = b[8:] {
		n[int64(binary.BigEndian.Uint64(b))]++
	}
	return n
}

// TestKill kills a run with SIGKILL at random moments and continues it.
func TestKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "verbatim.db")
	askedAtKeep := map[int64]int{} // how often a position had been sent when its answer was saved
	killed, again := 0, 0
	for killed < kills() {
		before := counts(t, dir, "asked")
		if !killOne(t, dir, len(before)) {
			break // the run finished first
		}
		killed++
		asked, reported := counts(t, dir, "asked"), counts(t, dir, "saved")
		s, err := store.Open(ctx, path)
		var missing *sqlite.Error
		if errors.As(err, &missing) && missing.Kind == sqlite.Missing && len(asked)+len(reported) == 0 {
			continue // it had not even begun
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(ctx); err != nil {
			t.Fatalf("after kill %d: %v", killed, err)
		}
		all := map[int64]verbatim.Record{}
		if runs, err := s.Runs(ctx); err != nil {
			t.Fatal(err)
		} else if len(runs) > 0 {
			all = records(t, s, runs[0].N)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for seq := range reported {
			if rec, ok := all[seq]; !ok || !rec.Outcome.Answered() {
				t.Fatalf("after kill %d: position %d was reported as saved and is lost", killed, seq)
			}
		}
		lost := 0
		for seq, n := range asked {
			rec, ok := all[seq]
			if at, known := askedAtKeep[seq]; known && at != n {
				t.Fatalf("position %d was sent again after its answer was saved", seq)
			}
			if ok && rec.Outcome.Answered() {
				askedAtKeep[seq] = n
			} else if !ok {
				lost++
			}
		}
		if lost > killJobs+killGroup {
			t.Errorf("kill %d lost %d answers, more than what was in flight and one group", killed, lost)
		}
		again += lost
	}
	t.Logf("killed %d times, %d positions sent, %d answers lost to kills", killed, len(counts(t, dir, "asked")), again)
	if killed < kills() || again == 0 {
		t.Fatalf("only %d kills met the run, %d answers were lost: the test proves nothing", killed, again)
	}
	wantEqualToUninterrupted(t, dir)
}

// killOne starts the process, kills it a random time after its first request, and
// reports whether it was still running.
func killOne(t *testing.T, dir string, asked int) bool {
	t.Helper()
	c := process(t, dir)
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	log := filepath.Join(dir, "asked")
	size := func() int64 {
		info, err := os.Stat(log)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	// One in five is killed while it opens the file and claims the run.
	early := rand.IntN(5) == 0
	begun := time.Now()
	for start := size(); !early && size() == start && time.Since(begun) < 20*time.Second; {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("the process failed: %v: %s", err, out.String())
			}
			return false
		case <-time.After(200 * time.Microsecond):
		}
	}
	time.Sleep(time.Duration(rand.IntN(60_000)) * time.Microsecond)
	if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	err := <-ended
	return err != nil
}

func process(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), "VERBATIM_RUN_CHILD="+dir)
	return c
}

// wantEqualToUninterrupted finishes the killed run, and one that was not killed,
// and compares what they have saved but for times and attempts.
func wantEqualToUninterrupted(t *testing.T, dir string) {
	t.Helper()
	calm := t.TempDir()
	var both [2]map[int64]verbatim.Record
	for i, dir := range []string{dir, calm} {
		for range 4 { // until the positions that failed have been asked often enough
			if out, err := process(t, dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		s, err := store.Open(ctx, filepath.Join(dir, "verbatim.db"))
		if err != nil {
			t.Fatal(err)
		}
		runs, err := s.Runs(ctx)
		if err != nil || len(runs) != 1 || runs[0].Ended.IsZero() || runs[0].Tally.Answered() != killPlaces() || runs[0].Lease != nil {
			t.Fatalf("%+v, %v", runs, err)
		}
		both[i] = records(t, s, runs[0].N)
		if err := s.Check(ctx); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(both[1], both[0], cmpopts.EquateEmpty(),
		cmpopts.IgnoreFields(verbatim.Reply{}, "Times", "Attempts")); d != "" {
		t.Errorf("the killed run differs from the uninterrupted one:\n%s", d)
	}
}

// TestLeaseBetweenProcesses: a second process on the same run is refused while
// the first one works, and not a moment longer.
func TestLeaseBetweenProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := process(t, dir)
	first.Env = append(first.Env, "VERBATIM_RUN_SLOW=1") // it works until it is killed
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { first.Process.Kill(); first.Wait() }()
	for len(counts(t, dir, "saved")) == 0 {
		time.Sleep(time.Millisecond)
	}
	out, err := process(t, dir).CombinedOutput()
	if err == nil || !strings.Contains(string(out), fmt.Sprintf("process %d", first.Process.Pid)) {
		t.Errorf("the second process: %v, %s", err, out)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	if out, err := process(t, dir).CombinedOutput(); err != nil {
		t.Errorf("after the first was killed: %v, %s", err, out)
	}
}
