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
