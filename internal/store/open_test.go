package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"verbatim"
)

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("text"), []byte("dear diary, this is a long enough text"), 0o666))
	must(t, os.WriteFile(at("short"), []byte("SQLite"), 0o666))
	must(t, os.WriteFile(at("header"), append([]byte("SQLite format 3\x00"), make([]byte, 4080)...), 0o666))
	must(t, os.WriteFile(at("empty"), nil, 0o666))
	must(t, os.Mkdir(at("dir"), 0o777))
	sql := func(name, script string) {
		c, err := dial(at(name), at(name), "rwc")
		must(t, err)
		_, _, err = c.once(script)
		must(t, err)
		must(t, c.close())
	}
	sql("other", "CREATE TABLE t (x); PRAGMA user_version = 1")
	sql("newer", fmt.Sprintf("CREATE TABLE t (x); PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, current.version()+1))
	sql("zero", fmt.Sprintf("CREATE TABLE t (x); PRAGMA application_id = %d", applicationID))

	for _, c := range []struct {
		name string
		kind Kind
		make bool // also what Create says
		says string
	}{
		{"missing", Missing, false, "there is no database"},
		{"empty", Missing, false, "there is no database"},
		{"no/such/dir", Missing, true, "directory"},
		{"dir", Foreign, true, "is a directory"},
		{"text", Foreign, true, "is not a database"},
		{"short", Foreign, true, "is not a database"},
		{"other", Foreign, true, "another program"},
		{"newer", Version, true, "newer verbatim"},
		{"zero", Corrupt, true, "version 0"},
		{"header", Corrupt, true, "damaged"},
	} {
		t.Run(strings.ReplaceAll(c.name, "/", "_"), func(t *testing.T) {
			_, err := Open(ctx, at(c.name))
			wantKind(t, err, c.kind)
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), at(c.name)) {
				t.Errorf("%q does not name the file and %q", err, c.says)
			}
			if c.make {
				_, err := Create(ctx, at(c.name))
				wantKind(t, err, c.kind)
			}
		})
	}
	if _, err := os.Stat(at("missing")); !os.IsNotExist(err) {
		t.Error("Open has made a file")
	}
	for kind, misuse := range map[Kind]bool{Missing: true, Foreign: true, Version: true, Locked: false, ReadOnly: false, Full: false, Corrupt: false, IO: false} {
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
		var mode string
		must(t, again.with(func(c *conn) error {
			_, err := c.one(ctx, func(r *rows) { mode = r.str() }, "PRAGMA journal_mode")
			return err
		}))
		if mode != "wal" {
			t.Errorf("%q: journal mode %q", name, mode)
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

func TestMigrate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, typical(0), typical(1))
	must(t, s.Close())
	must(t, os.WriteFile(path+".v1", []byte("mine"), 0o666)) // a name that is taken

	// Versions 2 and 3, made up: a new column, then a new table.
	later := layout{tables: tables, steps: []string{
		`ALTER TABLE run ADD COLUMN colour TEXT; UPDATE run SET colour = 'green'`,
		`CREATE TABLE extra (x INTEGER) STRICT`,
	}}
	s, err := open(ctx, path, false, later)
	must(t, err)
	if n := count(t, s, `SELECT count(*) FROM run, (SELECT count(*) AS extras FROM extra) WHERE colour = 'green' AND extras = 0`); n != 1 {
		t.Errorf("%d runs were migrated, want 1", n)
	}
	if got := len(all(t, s, run.N, whole)); got != 2 {
		t.Errorf("%d records after the migration, want 2", got)
	}
	if n := count(t, s, "PRAGMA user_version"); n != 3 {
		t.Errorf("user_version %d after two steps", n)
	}
	must(t, s.Close())

	old, err := Open(ctx, path+".v1-2")
	must(t, err)
	if got := len(all(t, old, run.N, whole)); got != 2 {
		t.Errorf("%d records in the copy, want 2", got)
	}
	must(t, old.Close())
	if b, err := os.ReadFile(path + ".v1"); string(b) != "mine" {
		t.Errorf("the copy went over a file that was there: %q, %v", b, err)
	}
	_, err = Open(ctx, path)
	wantKind(t, err, Version)
	again, err := open(ctx, path, false, later)
	must(t, err)
	must(t, again.Close())
	if _, err := os.Stat(path + ".v1-3"); !os.IsNotExist(err) {
		t.Error("a file of this version was copied")
	}
}

// TestMigrateAllOrNothing breaks the second of two steps.
func TestMigrateAllOrNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	newRun(t, s, "m", "h")
	must(t, s.Close())
	_, err := open(ctx, path, false, layout{tables: tables, steps: []string{`DROP TABLE graded`, `DROP TABLE nonsense`}})
	if err == nil {
		t.Fatal("a broken step is no error")
	}
	s, err = Open(ctx, path)
	must(t, err)
	count(t, s, `SELECT count(*) FROM graded`)
	must(t, s.Close())
}

// TestSchemaIsPinned holds whoever changes the tables to the rule.
func TestSchemaIsPinned(t *testing.T) {
	const pinned = "a6c50c0f36ae7e14"
	if got := hex16(hashOf(tables)); got != pinned {
		t.Errorf("the tables have changed (%s): add a step for the files that there are, then pin this hash", got)
	}
	if current.version() != 1 {
		t.Errorf("version %d: keep a file of the version before under testdata and test its migration", current.version())
	}
}

func TestLockedFile(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	impatient(t, s)
	other, err := dial(s.path, s.abs, "rw")
	must(t, err)
	defer other.close()
	_, _, err = other.once("BEGIN IMMEDIATE")
	must(t, err)
	_, _, err = s.Begin(ctx, run, true)
	wantKind(t, err, Locked)
	if _, err := s.Runs(ctx); err != nil {
		t.Errorf("reading while another process writes: %v", err)
	}
	_, _, err = other.once("ROLLBACK")
	must(t, err)
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
					wantKind(t, e, Corrupt)
				}
			}
			must(t, s.Close())
		}
		wantKind(t, err, Corrupt)
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
		recs = append(recs, typical(i))
	}
	keep(tb, s, run, recs...)
}

// TestFullFile makes the file hit its limit: what was kept before stays, the
// error says so, and it goes on when there is room again.
func TestFullFile(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	var kept int64
	w, err := s.Write(ctx, func(k []Kept) { kept += int64(len(k)) }, run.N)
	must(t, err)
	w.c.once("PRAGMA max_page_count = 200") // the loop is idle: nothing was put
	var n int64
	for err == nil && n < 100_000 {
		err = w.Put(ctx, run.N, typical(n))
		n++
	}
	wantKind(t, err, Full)
	wantKind(t, w.Close(), Full)
	wantKind(t, w.Put(ctx, run.N, typical(n)), Full)
	if kept == 0 {
		t.Fatal("nothing was kept before the file was full")
	}
	if got := int64(len(all(t, s, run.N, whole))); got != kept {
		t.Errorf("%d records are there, %d were reported as kept", got, kept)
	}
	must(t, s.Check(ctx))
	wantTallies(t, s)
	must(t, s.with(func(c *conn) error { _, _, err := c.once("PRAGMA max_page_count = 1000000"); return err }))
	keep(t, s, run.N, typical(kept))
}

// TestFullDisk fills a small file system.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "size=3m")
	s, err := Create(ctx, filepath.Join(dir, "verbatim.db"))
	must(t, err)
	run := newRun(t, s, "m", "h")
	var kept int64
	w, err := s.Write(ctx, func(k []Kept) { kept += int64(len(k)) }, run.N)
	must(t, err)
	var n int64
	for err == nil && n < 100_000 {
		err = w.Put(ctx, run.N, typical(n))
		n++
	}
	wantKind(t, err, Full)
	wantKind(t, w.Close(), Full)
	must(t, s.Close())
	s, err = Open(ctx, filepath.Join(dir, "verbatim.db"))
	must(t, err)
	if got := int64(len(all(t, s, run.N, whole))); got != kept || kept == 0 {
		t.Errorf("%d records are there, %d were reported as kept", got, kept)
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
	keep(t, s, run.N, typical(0))
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
	wantKind(t, err, ReadOnly)
	_, err = s.Write(ctx, nil, run.N)
	wantKind(t, err, ReadOnly)
	must(t, s.Close())
	_, err = open(ctx, path, false, layout{tables: tables, steps: []string{`DROP TABLE graded`}})
	wantKind(t, err, ReadOnly)
	if _, err := Create(ctx, filepath.Join(dir, "other.db")); err == nil {
		t.Error("a file was made on a read-only disk")
	} else if e := new(Error); !errors.As(err, &e) || e.Hint == "" {
		t.Errorf("%v has no hint", err)
	}
}

// smallDisk mounts a file system in memory, where that is allowed.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("mounting a small file system takes root on Linux")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small file system: %v: %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
	return dir
}
