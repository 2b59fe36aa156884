package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim"

	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// TestImportKilled kills imports: a new run is not visible, and what the import left
// behind is removed by the next import, which is complete.
func TestImportKilled(t *testing.T) {
	if os.Getenv("VERBATIM_KILLS") == "" {
		t.Skip("VERBATIM_KILLS=50 runs this test; scripts/check kills does")
	}
	from := newStore(t)
	run := newRun(t, from, "m", "h")
	fillRun(t, from, run.N, 5000)
	text := export(t, from)
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	seen := 0
	for range 6 {
		c := child(t, "import", path)
		c.Stdin = strings.NewReader(text)
		must(t, c.Start())
		begun := time.Now()
		for count(t, s, `SELECT count(*) FROM incoming`) == 0 && time.Since(begun) < 10*time.Second {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
		c.Process.Kill()
		c.Wait()
		runs, err := s.Runs(ctx)
		must(t, err)
		if len(runs) == 1 {
			break // it was complete before the kill
		}
		if len(runs) != 0 {
			t.Fatalf("%d runs", len(runs))
		}
		seen += int(count(t, s, `SELECT count(*) FROM reply`))
		must(t, s.Check(ctx))
	}
	if seen == 0 {
		t.Error("no kill met an import half-way: the test proves nothing")
	}
	if _, err := s.Import(ctx, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	runs, err := s.Runs(ctx)
	must(t, err)
	if len(runs) != 1 || runs[0].Tally.Saved() != 5000 {
		t.Fatalf("%+v", runs)
	}
	must(t, s.Export(ctx, &again, runs[0].N))
	if again.String() != text {
		t.Error("the run differs from the one that was exported")
	}
	if n := count(t, s, `SELECT (SELECT count(*) FROM incoming) + (SELECT count(*) FROM lease) + (SELECT count(*) FROM reply) - 5000`); n != 0 {
		t.Errorf("%d rows are left of the imports that were killed", n)
	}
	wantTallies(t, s)
}

// TestImportIntoRunKilled: lines for a run that is here are added in slices; what a kill
// leaves is a part of them, and the same import completes it.
func TestImportIntoRunKilled(t *testing.T) {
	if os.Getenv("VERBATIM_KILLS") == "" {
		t.Skip("VERBATIM_KILLS=50 runs this test; scripts/check kills does")
	}
	from := newStore(t)
	run := newRun(t, from, "m", "h")
	keep(t, from, run.N, storetest.Typical(0))
	first := export(t, from)
	for i := range int64(5) {
		recs := series(1+i*1000, 1000)
		keep(t, from, run.N, recs...)
	}
	text := export(t, from)
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	_, err := s.Import(ctx, strings.NewReader(first))
	must(t, err)
	c := child(t, "import", path)
	c.Stdin = strings.NewReader(text)
	must(t, c.Start())
	begun := time.Now()
	for count(t, s, `SELECT count(*) FROM reply`) == 1 && time.Since(begun) < 20*time.Second {
		time.Sleep(time.Millisecond)
	}
	c.Process.Kill()
	c.Wait()
	wantTallies(t, s)
	part := count(t, s, `SELECT count(*) FROM reply`)
	done, err := s.Import(ctx, strings.NewReader(text))
	must(t, err)
	if len(done) != 1 || done[0].New || done[0].Known != part || done[0].Saved != 5001-part {
		t.Errorf("%d records were there: %+v", part, done)
	}
	if got := export(t, s); got != text {
		t.Error("the run differs from the one that was exported")
	}
	wantTallies(t, s)
}

// TestBadLineAfterSlices: a bad line at the end of a long import leaves nothing
// visible, of a new run or of one that the database has.
func TestBadLineAfterSlices(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: nothing in this test runs concurrently")
	}
	from := newStore(t)
	run := newRun(t, from, "m", "h")
	keep(t, from, run.N, storetest.Typical(0))
	first := export(t, from)
	keep(t, from, run.N, series(1, 4000)...)
	text := export(t, from)
	bad := text[:strings.LastIndex(text, `{"end"`)] + "{}\n"
	s := newStore(t)
	if _, err := s.Import(ctx, strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "has 0 members") {
		t.Fatalf("%v", err)
	}
	if n := count(t, s, `SELECT (SELECT count(*) FROM reply) + (SELECT count(*) FROM grade) + (SELECT count(*) FROM answer) + (SELECT count(*) FROM tally) + (SELECT count(*) FROM run) + (SELECT count(*) FROM incoming)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	_, err := s.Import(ctx, strings.NewReader(first))
	must(t, err)
	if _, err := s.Import(ctx, strings.NewReader(bad)); err == nil {
		t.Fatal("no error")
	}
	if n := count(t, s, `SELECT count(*) FROM reply`); n != 1 {
		t.Errorf("%d records after a bad import into a run of one record", n)
	}
	wantTallies(t, s)
}

// series makes n records, the first of them at the position first.
func series(first, n int64) []verbatim.Record {
	var recs []verbatim.Record
	for i := range n {
		recs = append(recs, storetest.Typical(first+i))
	}
	return recs
}

// TestLostImport: an incoming run, which has no name yet, may be taken over like any other.
func TestLostImport(t *testing.T) {
	s := newStore(t)
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		l, err := claim(ctx, c, 7, time.Now(), nil)
		must(t, err)
		_, _, err = c.Exec(`UPDATE lease SET token = 'of another process'`)
		must(t, err)
		held, ok := errors.AsType[*Held](l.Check(ctx, c))
		if !ok || held.Run != "7" || held.PID != os.Getpid() {
			t.Errorf("%+v", held)
		}
		return nil
	}))
}
