package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

	"verbatim"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

const powercutName = "verbatim.db"

// recorded writes n records, most of them one by one, and returns the calls to the
// disk. The errors are those of the Writer.
func recorded(t *testing.T, d *disk, n int64) (put, saved int64, err error) {
	t.Helper()
	stop := startDisk(t, d)
	defer stop()
	s, err := Create(ctx, filepath.Join(d.dir, powercutName))
	if err != nil {
		return 0, 0, err
	}
	defer s.Close()
	run, _, err := s.Begin(ctx, verbatim.Run{Plan: verbatim.Plan{Hash: "h", Count: n}, Model: "m", Tool: "test"}, true)
	if err != nil {
		return 0, 0, err
	}
	reported := make(chan struct{}, n)
	w, err := s.Write(ctx, func(group []Saved) {
		for _, k := range group {
			d.saved(k.Record.Seq)
			saved++
			reported <- struct{}{}
		}
	}, run.N)
	if err != nil {
		return 0, 0, err
	}
	got := int64(0)
	for ; put < n && w.Err() == nil; put++ {
		if e := w.Put(ctx, run.N, storetest.Typical(put)); e != nil {
			break
		}
		for put%5 != 0 && got <= put && w.Err() == nil { // now and then a group
			select {
			case <-reported:
				got++
			case <-w.Done():
			}
		}
		if put == n/2 { // what a second process may do at any time
			s.file.With(func(c *sqlite.Conn) error { _, _, err := c.ExecOnce("PRAGMA wal_checkpoint(TRUNCATE)"); return err })
		}
	}
	err = w.Close()
	return put, saved, err
}

// TestPowercut cuts the power at syncs of the disk (at every second one with
// VERBATIM_EXHAUSTIVE=1, at each with VERBATIM_EXHAUSTIVE=all), with a part of the
// writes that were not synced on the disk. Every record that was reported as saved
// before is there, unchanged, and the file is sound.
func TestPowercut(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	for name, tears := range map[string]bool{"sectors are written whole": false, "a write tears its neighbours": true} {
		t.Run(name, func(t *testing.T) { powercut(t, tears) })
	}
}

func powercut(t *testing.T, tears bool) {
	const n = int64(200)
	every := map[string]int{"": 50, "all": 1}[os.Getenv("VERBATIM_EXHAUSTIVE")]
	if every == 0 {
		every = 2
	}
	d := &disk{dir: t.TempDir(), tears: tears}
	_, saved, err := recorded(t, d, n)
	must(t, err)
	if saved != n {
		t.Fatalf("%d of %d records were saved", saved, n)
	}
	files := map[string]*diskFile{}
	reported := map[int64]bool{}
	cuts, syncs := 0, 0
	for _, e := range d.events {
		switch {
		case e.op == "saved":
			reported[e.off] = true
			continue
		case isIndex(e.file):
			continue
		case e.op == "delete":
			delete(files, e.file)
			continue
		}
		f := files[e.file]
		if f == nil {
			f = &diskFile{}
			files[e.file] = f
		}
		if e.op != "sync" {
			f.pending = append(f.pending, e)
			continue
		}
		if syncs++; syncs%every == 0 {
			for i, part := range unsynced {
				cuts++
				cutHere(t, fmt.Sprintf("sync %d, %s", syncs, part.name), files, reported, part.keep, uint64(syncs*10+i))
			}
		}
		for _, e := range f.pending {
			f.synced = apply(f.synced, e)
		}
		f.pending = nil
	}
	if syncs < int(n)/2 || cuts == 0 {
		t.Errorf("%d syncs, %d cuts: the test proves nothing", syncs, cuts)
	}
	t.Logf("%d events, %d syncs, %d cuts", len(d.events), syncs, cuts)
}

// unsynced is the part of the unsynced writes that is there after a cut.
var unsynced = []struct {
	name string
	keep func(r *rand.Rand, all []diskEvent) []diskEvent
}{
	{"nothing unsynced", func(*rand.Rand, []diskEvent) []diskEvent { return nil }},
	{"all unsynced", func(_ *rand.Rand, all []diskEvent) []diskEvent { return all }},
	{"some unsynced, in any order", func(r *rand.Rand, all []diskEvent) []diskEvent {
		var some []diskEvent
		for _, i := range r.Perm(len(all)) {
			if r.IntN(2) == 0 {
				some = append(some, all[i])
			}
		}
		return some
	}},
	{"the last one torn", func(r *rand.Rand, all []diskEvent) []diskEvent {
		if len(all) == 0 {
			return nil
		}
		last := all[len(all)-1]
		if sectors := len(last.data) / 512; sectors > 0 {
			last.data = last.data[:512*r.IntN(sectors)]
		}
		return append(append([]diskEvent(nil), all[:len(all)-1]...), last)
	}},
}

// cutHere builds the files as a power cut leaves them, and looks into them.
func cutHere(t *testing.T, name string, files map[string]*diskFile, reported map[int64]bool, keep func(*rand.Rand, []diskEvent) []diskEvent, seed uint64) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	must(t, err)
	defer os.RemoveAll(dir)
	r := rand.New(rand.NewPCG(seed, 1))
	for name, f := range files {
		b := append([]byte(nil), f.synced...)
		for _, e := range keep(r, f.pending) {
			b = apply(b, e)
		}
		must(t, os.WriteFile(filepath.Join(dir, name), b, 0o666))
	}
	lookAfter(t, name, filepath.Join(dir, powercutName), reported)
}

// lookAfter opens a database and fails where a record is missing, or anything is damaged.
func lookAfter(t *testing.T, name, path string, reported map[int64]bool) {
	t.Helper()
	s, err := Open(ctx, path)
	var e *sqlite.Error
	if errors.As(err, &e) && e.Kind == sqlite.Missing && len(reported) == 0 {
		return // it was cut before there was anything
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer s.Close()
	if err := s.Check(ctx); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	runs, err := s.Runs(ctx)
	must(t, err)
	there := map[int64]bool{}
	for _, run := range runs {
		for rec, err := range s.Records(ctx, run.N, whole) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			there[rec.Seq] = true
			if d := storetest.Diff(storetest.Typical(rec.Seq), rec); d != "" {
				t.Fatalf("%s: position %d is another record now: %s", name, rec.Seq, d)
			}
		}
		if n := run.Tally.Saved(); n != int64(len(there)) {
			t.Fatalf("%s: %d records, and the totals say %d", name, len(there), n)
		}
	}
	for seq := range reported {
		if !there[seq] {
			t.Fatalf("%s: position %d was reported as saved and is lost", name, seq)
		}
	}
}

// TestPowercutFaults makes each write and each sync fail once, as a bad or a full disk
// does. The run reports it, nothing is reported as saved that is not, and what was put is
// in the database or in the file that the error names.
func TestPowercutFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	const n = 30
	whole := &disk{dir: t.TempDir()}
	_, _, err := recorded(t, whole, n)
	must(t, err)
	every := map[string]int{"": 121, "all": 3}[os.Getenv("VERBATIM_EXHAUSTIVE")]
	if every == 0 {
		every = 6
	}
	failed := 0
	for _, code := range []int32{sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_FULL} {
		for at := 1; at <= whole.calls; at += every {
			name := fmt.Sprintf("call %d of %d fails with %d", at, whole.calls, code)
			d := &disk{dir: t.TempDir(), failAt: at, code: code}
			put, saved, err := recorded(t, d, n)
			reported := map[int64]bool{}
			for _, e := range d.events {
				if e.op == "saved" {
					reported[e.off] = true
				}
			}
			if err == nil && saved != n {
				t.Fatalf("%s: %d of %d records are saved, and there is no error", name, saved, n)
			}
			if err != nil {
				failed++
				if e := new(sqlite.Error); !errors.As(err, &e) || e.Hint == "" {
					t.Fatalf("%s: %v", name, err)
				}
				unsaved := new(Unsaved)
				if errors.As(err, &unsaved); saved+int64(unsaved.Replies) < put || unsaved.Replies > 0 && unsaved.Lines == "" {
					t.Fatalf("%s: %d put, %d saved, %v", name, put, saved, err)
				}
			}
			lookAfter(t, name, filepath.Join(d.dir, powercutName), reported)
		}
	}
	if failed == 0 {
		t.Error("no fault was noticed: the test proves nothing")
	}
	t.Logf("%d calls, %d faults were reported", whole.calls, failed)
}
