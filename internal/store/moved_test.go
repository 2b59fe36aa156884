package store

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// TestMoved: a database that is deleted, moved, replaced, overwritten or emptied while
// records are written to it. Every record that is reported as saved is in a database,
// and the others are in a file that the error names.
func TestMoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system does not let an open file be deleted")
	}
	rename := func(t *testing.T, from, to string) { must(t, os.Rename(from, to)) }
	for name, c := range map[string]struct {
		do    func(t *testing.T, path, other string)
		lines bool // the database itself cannot be read any more
		cwd   bool // there is no directory to put a file in
	}{
		"deleted":           {do: func(t *testing.T, path, _ string) { must(t, os.Remove(path)) }},
		"deleted with log":  {do: func(t *testing.T, path, _ string) { removeAll(t, path, path+"-wal", path+"-shm") }},
		"moved":             {do: func(t *testing.T, path, _ string) { rename(t, path, path+".away") }},
		"log deleted":       {do: func(t *testing.T, path, _ string) { must(t, os.Remove(path+"-wal")) }},
		"index deleted":     {do: func(t *testing.T, path, _ string) { must(t, os.Remove(path+"-shm")) }},
		"replaced":          {do: func(t *testing.T, path, other string) { rename(t, other, path) }},
		"directory renamed": {do: func(t *testing.T, path, _ string) { rename(t, filepath.Dir(path), filepath.Dir(path)+"-away") }, cwd: true},
		"directory removed": {do: func(t *testing.T, path, _ string) { must(t, os.RemoveAll(filepath.Dir(path))) }, cwd: true},
		"overwritten":       {do: overwrite, lines: true},
		"emptied":           {do: func(t *testing.T, path, _ string) { must(t, os.Truncate(path, 0)) }, lines: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			dir := filepath.Join(t.TempDir(), "d")
			must(t, os.Mkdir(dir, 0o777))
			path := filepath.Join(dir, "verbatim.db")
			other := filepath.Join(t.TempDir(), "other.db")
			o, err := Create(ctx, other)
			must(t, err)
			foreign := newRun(t, o, "other", "h")
			fillRun(t, o, foreign.N, 40)
			must(t, o.Close())

			s, err := Create(ctx, path)
			must(t, err)
			run := newRun(t, s, "m", "h")
			saved := make(chan int64, 1000)
			w, err := s.Write(ctx, func(k []Saved) {
				for _, k := range k {
					saved <- k.Record.Seq
				}
			}, run.N)
			must(t, err)
			for i := range int64(100) {
				must(t, w.Put(ctx, run.N, storetest.Typical(i)))
			}
			for range 100 {
				<-saved
			}
			c.do(t, path, other)
			n := int64(100)
			for ; n < 150; n++ {
				if w.Put(ctx, run.N, storetest.Typical(n)) != nil {
					must(t, w.PutNow(run.N, storetest.Typical(n)))
				}
			}
			err = w.Close()
			must(t, s.Close())
			var unsaved *Unsaved
			if !errors.As(err, &unsaved) || unsaved.Hint() == "" {
				t.Fatalf("%v", err)
			}
			wantKind(t, unsaved.Err, sqlite.Moved)
			if len(saved) != 0 {
				t.Errorf("%d records were reported as saved", len(saved))
			}
			file, from := unsaved.Database, int64(0)
			if c.lines {
				file, from = unsaved.Lines, 100
			}
			if inCWD := filepath.Dir(file) != dir; inCWD != c.cwd || (unsaved.Database == "") != c.lines {
				t.Fatalf("%+v", unsaved)
			}
			if c.lines { // what others put there stays as it is
				f, err := os.Open(file)
				must(t, err)
				defer f.Close()
				file = filepath.Join(t.TempDir(), "new.db")
				to := create(t, file)
				_, err = to.Import(ctx, f)
				must(t, err)
			}
			to := create(t, file)
			must(t, to.Check(ctx))
			runs, err := to.Runs(ctx)
			must(t, err)
			got := all(t, to, runs[0].N, whole)
			if len(runs) != 1 || runs[0].Name != run.Name || runs[0].Lease != nil || int64(len(got)) != n-from {
				t.Fatalf("%d runs, %d records, lease %v", len(runs), len(got), runs[0].Lease)
			}
			for i, rec := range got {
				if d := storetest.Diff(storetest.Typical(from+int64(i)), rec); d != "" {
					t.Fatal(d)
				}
			}
			if name == "replaced" || name == "overwritten" {
				// Another process checks: in this one the old connections are still
				// open.
				if out, err := child(t, "describe", path).CombinedOutput(); err != nil || string(out) != "other 40\n" {
					t.Errorf("the other database: %s, %v", out, err)
				}
			}
		})
	}
}

func removeAll(t *testing.T, names ...string) {
	for _, name := range names {
		must(t, os.Remove(name))
	}
}

// overwrite does what cp does: it fills the same file with other contents.
func overwrite(t *testing.T, path, other string) {
	b, err := os.ReadFile(other)
	must(t, err)
	must(t, os.WriteFile(path, b, 0o666))
}

// TestMovedWhileNothingIsPut: the watch finds it within seconds, before anything more is
// sent.
func TestMovedWhileNothingIsPut(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("this system does not let an open file be deleted")
	}
	s, err := Create(ctx, filepath.Join(t.TempDir(), "verbatim.db"))
	must(t, err)
	run := newRun(t, s, "m", "h")
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	must(t, os.Remove(s.file.Path()))
	<-w.Done()
	wantKind(t, w.Err(), sqlite.Moved)
	if _, err := s.End(ctx, run.N, 0, run.Started); err == nil {
		t.Error("the run was ended in a file that is gone")
	}
	if unsaved := new(Unsaved); !errors.As(w.Close(), &unsaved) || unsaved.Database == "" {
		t.Errorf("%v", w.Close())
	}
	s.Close()
}

// TestOrdinaryChanges: a checkpoint, a second process, and SQLite's VACUUM change the
// file, and the writer goes on.
func TestOrdinaryChanges(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	fillRun(t, s, run.N, 500)
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	must(t, w.Put(ctx, run.N, storetest.Typical(500)))
	for _, sql := range []string{"PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		must(t, s.file.With(func(c *sqlite.Conn) error { _, _, err := c.ExecOnce(sql); return err }))
		must(t, s.file.CheckMoved())
	}
	if out, err := child(t, "write", s.file.Path()).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	must(t, s.file.CheckMoved())
	must(t, w.Put(ctx, run.N, storetest.Typical(501)))
	must(t, w.Close())
}

// TestHardLinks: nothing is written to a database with two names, whose logs would not
// know of each other; it can be read, and written again under its only name.
func TestHardLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system does not tell how many names a file has")
	}
	dir := t.TempDir()
	path, second := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")
	s, err := Create(ctx, path)
	must(t, err)
	run := newRun(t, s, "m", "h")
	fillRun(t, s, run.N, 10)
	must(t, s.Close())
	must(t, os.Link(path, second))
	for _, name := range []string{path, second} {
		s, err := Create(ctx, name)
		must(t, err)
		tally, err := s.Tally(ctx, run.N)
		must(t, err)
		if tally.Saved() != 10 {
			t.Errorf("%s: %d records can be read", name, tally.Saved())
		}
		_, err = s.Write(ctx, nil, run.N)
		wantKind(t, err, sqlite.ReadOnly)
		if !strings.Contains(err.Error(), "2 names (hard links)") {
			t.Error(err)
		}
		must(t, s.Close())
	}
	must(t, os.Remove(second))
	s, err = Open(ctx, path)
	must(t, err)
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	must(t, w.Close())
	must(t, s.Close())

	empty := filepath.Join(dir, "c.db")
	must(t, os.WriteFile(empty, nil, 0o666))
	must(t, os.Link(empty, filepath.Join(dir, "d.db")))
	_, err = Create(ctx, empty)
	wantKind(t, err, sqlite.ReadOnly)
}

// TestSymbolicLinkLog: the log of a database that is named by a symbolic link lies next to the
// file itself. It is watched there, and read there.
func TestSymbolicLinkLog(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system does not let an open file be deleted")
	}
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.db"), filepath.Join(dir, "link.db")
	must(t, os.Symlink(path, link))
	s, err := Create(ctx, link)
	must(t, err)
	run := newRun(t, s, "m", "h")
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	for i := range int64(20) {
		must(t, w.Put(ctx, run.N, storetest.Typical(i)))
	}
	must(t, os.Remove(path+"-wal"))
	w.Put(ctx, run.N, storetest.Typical(20))
	err = w.Close()
	must(t, s.Close())
	var unsaved *Unsaved
	if !errors.As(err, &unsaved) {
		t.Fatalf("the log was deleted, and the writer says: %v", err)
	}
	wantKind(t, unsaved.Err, sqlite.Moved)
}
