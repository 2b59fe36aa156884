package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

func TestLockedFile(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	unlock := lock(t, s.file.Path())
	soon, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	_, _, err := s.Begin(soon, run, true)
	wantKind(t, err, sqlite.Locked)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error %v does not say why it did not wait longer", err)
	}
	if _, err := s.Runs(ctx); err != nil {
		t.Errorf("reading while another process writes: %v", err)
	}
	unlock()
	if _, _, err := s.Begin(ctx, run, true); err != nil {
		t.Errorf("after the lock is gone: %v", err)
	}
}

// TestDamage flips bytes all over a file; each is an error of kind Corrupt, or
// changes nothing that a reader or the check sees.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	run := newRun(t, s, "m", "h")
	fillRun(t, s, run.N, 300)
	must(t, s.Close())
	good, err := os.ReadFile(path)
	must(t, err)
	found := 0
	for page := 4096; page+4096 <= len(good); page += 3 * 4096 {
		bad := append([]byte(nil), good...)
		for i := range 40 {
			bad[page+i] ^= 0xff
		}
		must(t, os.WriteFile(path, bad, 0o666))
		s, err := Open(ctx, path)
		if err == nil {
			err = s.Check(ctx)
			if err == nil {
				t.Errorf("page at %d: the check sees no damage", page)
			}
			for _, e := range s.Records(ctx, run.N, whole) {
				if e != nil {
					wantKind(t, e, sqlite.Corrupt)
				}
			}
			must(t, s.Close())
		}
		wantKind(t, err, sqlite.Corrupt)
		found++
	}
	if found < 10 {
		t.Fatalf("only %d pages were damaged", found)
	}
}

func fillRun(tb testing.TB, s *Store, run, n int64) {
	tb.Helper()
	recs := make([]verbatim.Record, 0, n)
	for i := range n {
		recs = append(recs, storetest.Typical(i))
	}
	keep(tb, s, run, recs...)
}

// TestFullFile makes the file hit its limit: what was saved before stays, the error
// says so, and writing continues when there is room again.
func TestFullFile(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	var saved int64
	w, err := s.Write(ctx, func(k []Saved) { saved += int64(len(k)) }, run.N)
	must(t, err)
	w.c.ExecOnce("PRAGMA max_page_count = 200") // the loop is idle: nothing was put
	var n int64
	for err == nil && n < 100_000 {
		err = w.Put(ctx, run.N, storetest.Typical(n))
		n++
	}
	wantKind(t, err, sqlite.Full)
	wantKind(t, w.Close(), sqlite.Full)
	wantKind(t, w.Put(ctx, run.N, storetest.Typical(n)), sqlite.Full)
	if saved == 0 {
		t.Fatal("nothing was saved before the file was full")
	}
	if got := int64(len(all(t, s, run.N, whole))); got != saved {
		t.Errorf("%d records are there, %d were reported as saved", got, saved)
	}
	must(t, s.Check(ctx))
	wantTallies(t, s)
	must(t, s.file.With(func(c *sqlite.Conn) error { _, _, err := c.ExecOnce("PRAGMA max_page_count = 1000000"); return err }))
	keep(t, s, run.N, storetest.Typical(saved))
}

// TestFullDisk fills a small file system.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "size=3m")
	t.Chdir(t.TempDir())
	s, err := Create(ctx, filepath.Join(dir, "verbatim.db"))
	must(t, err)
	run := newRun(t, s, "m", "h")
	var saved int64
	w, err := s.Write(ctx, func(k []Saved) { saved += int64(len(k)) }, run.N)
	must(t, err)
	var n int64
	for err == nil && n < 100_000 {
		err = w.Put(ctx, run.N, storetest.Typical(n))
		n++
	}
	wantKind(t, err, sqlite.Full)
	wantKind(t, w.Close(), sqlite.Full)
	must(t, s.Close())
	s, err = Open(ctx, filepath.Join(dir, "verbatim.db"))
	must(t, err)
	if got := int64(len(all(t, s, run.N, whole))); got != saved || saved == 0 {
		t.Errorf("%d records are there, %d were reported as saved", got, saved)
	}
	must(t, s.Check(ctx))
	must(t, s.Close())
}

func TestReadOnlyFile(t *testing.T) {
	dir := smallDisk(t, "size=20m")
	path := filepath.Join(dir, "verbatim.db")
	s, err := Create(ctx, path)
	must(t, err)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0))
	must(t, s.Close())
	if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		t.Skipf("cannot remount: %v: %s", err, out)
	}
	s, err = Open(ctx, path)
	must(t, err)
	if got := len(all(t, s, run.N, whole)); got != 1 {
		t.Errorf("%d records, want 1", got)
	}
	_, _, err = s.Begin(ctx, run, true)
	wantKind(t, err, sqlite.ReadOnly)
	_, err = s.Write(ctx, nil, run.N)
	wantKind(t, err, sqlite.ReadOnly)
	must(t, s.Close())
	if _, err := Create(ctx, filepath.Join(dir, "other.db")); err == nil {
		t.Error("a file was made on a read-only disk")
	} else if e := new(sqlite.Error); !errors.As(err, &e) || e.Hint == "" {
		t.Errorf("%v has no hint", err)
	}
}

// smallDisk mounts a file system in memory, where that is allowed.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("mounting a small file system needs root on Linux")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small file system: %v: %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
	return dir
}

// TestOtherColumn reads a file whose columns are not those of the schema, as one
// changed bit in SQLite's own table of tables leaves it.
func TestOtherColumn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0))
	must(t, s.file.With(func(c *sqlite.Conn) error {
		_, _, err := c.ExecOnce(`ALTER TABLE reply RENAME COLUMN reasoning_field TO seasoning_field`)
		return err
	}))
	var err error
	for _, err = range s.Records(ctx, run.N, whole) {
		if err != nil {
			break
		}
	}
	wantKind(t, err, sqlite.Corrupt)
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("text"), []byte("dear diary, this is a long enough text"), 0o666))
	must(t, os.WriteFile(at("short"), []byte("SQLite"), 0o666))
	must(t, os.WriteFile(at("header"), append([]byte("SQLite format 3\x00"), make([]byte, 4080)...), 0o666))
	must(t, os.WriteFile(at("empty"), nil, 0o666))
	must(t, os.Mkdir(at("dir"), 0o777))
	sql := func(name, script string) {
		c, err := sqlite.Dial(at(name), at(name), "rwc")
		must(t, err)
		_, _, err = c.ExecOnce(script)
		must(t, err)
		must(t, c.Close())
	}
	sql("other", "CREATE TABLE t (x); PRAGMA user_version = 1")
	sql("newer", fmt.Sprintf("CREATE TABLE t (x); PRAGMA application_id = %d; PRAGMA user_version = %d", layout.ID, layout.Version+1))
	sql("zero", fmt.Sprintf("CREATE TABLE t (x); PRAGMA application_id = %d", layout.ID))
	for _, version := range []int{1, 10} { // which files had before the first release
		sql(fmt.Sprint("draft ", version), layout.Tables+fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", 0x76726274, version))
	}
	sql("draft in its log", layout.Tables)
	log, err := sqlite.Dial(at("draft in its log"), at("draft in its log"), "rw")
	must(t, err)
	defer log.Close()
	_, _, err = log.ExecOnce(fmt.Sprintf("PRAGMA journal_mode = WAL; PRAGMA application_id = %d; PRAGMA user_version = 10", 0x76726274))
	must(t, err)

	for _, c := range []struct {
		name string
		kind sqlite.Kind
		make bool // also what Create says
		says string
	}{
		{"missing", sqlite.Missing, false, "there is no database"},
		{"empty", sqlite.Missing, false, "there is no database"},
		{"no/such/dir", sqlite.Missing, true, "directory"},
		{"dir", sqlite.Foreign, true, "is a directory"},
		{"text", sqlite.Foreign, true, "is not a database"},
		{"short", sqlite.Foreign, true, "is not a database"},
		{"other", sqlite.Foreign, true, "another program"},
		{"newer", sqlite.Version, true, "its schema has number 2, and this program reads 1"},
		{"zero", sqlite.Version, true, "its schema has number 0, and this program reads 1"},
		{"draft 1", sqlite.Foreign, true, "from before its first release"},
		{"draft 10", sqlite.Foreign, true, "from before its first release"},
		{"draft in its log", sqlite.Foreign, true, "from before its first release"},
		{"header", sqlite.Corrupt, true, "damaged"},
	} {
		t.Run(strings.ReplaceAll(c.name, "/", "_"), func(t *testing.T) {
			before, _ := os.ReadFile(at(c.name))
			_, err := Open(ctx, at(c.name))
			wantKind(t, err, c.kind)
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), at(c.name)) {
				t.Errorf("%q does not name the file and %q", err, c.says)
			}
			if c.make {
				_, err := Create(ctx, at(c.name))
				wantKind(t, err, c.kind)
			}
			if after, _ := os.ReadFile(at(c.name)); !bytes.Equal(after, before) {
				t.Error("the file was written to")
			}
		})
	}
	if _, err := os.Stat(at("missing")); !os.IsNotExist(err) {
		t.Error("Open has made a file")
	}
	for kind, misuse := range map[sqlite.Kind]bool{sqlite.Missing: true, sqlite.Foreign: true, sqlite.Version: true, sqlite.Locked: false, sqlite.ReadOnly: false, sqlite.Full: false, sqlite.Corrupt: false, sqlite.IO: false} {
		if kind.Misuse() != misuse {
			t.Errorf("%q: Misuse %v", kind, !misuse)
		}
	}
}

func TestCreateMakesOurFile(t *testing.T) {
	for _, name := range []string{"verbatim.db", "odd name?mode=memory&#%41;.db", "empty.db"} {
		path := filepath.Join(t.TempDir(), name)
		if name == "empty.db" {
			must(t, os.WriteFile(path, nil, 0o666))
		}
		s, err := Create(ctx, path)
		must(t, err)
		newRun(t, s, "m", "h")
		must(t, s.Close())
		entries, err := os.ReadDir(filepath.Dir(path))
		must(t, err)
		if len(entries) != 1 || entries[0].Name() != name {
			t.Errorf("%q: after Close there are %v", name, entries)
		}
		again, err := Open(ctx, path)
		must(t, err)
		runs, err := again.Runs(ctx)
		if err != nil || len(runs) != 1 {
			t.Errorf("%q: %d runs, %v", name, len(runs), err)
		}
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "0", "application_id": fmt.Sprint(layout.ID)} {
			var got string
			must(t, again.file.With(func(c *sqlite.Conn) error {
				_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { got = fmt.Sprint(r.Raw()) }, "PRAGMA "+pragma)
				return err
			}))
			if got != want {
				t.Errorf("%q: %s is %s, want %s", name, pragma, got, want)
			}
		}
		must(t, again.Close())
	}
}

func TestCreateAtTheSameTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			s, err := Create(ctx, path)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Runs(ctx); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}
