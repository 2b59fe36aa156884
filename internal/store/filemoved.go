package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// movedEvery is how often a Writer looks whether its database is still where it was.
// Every commit looks as well.
const movedEvery = time.Second

// fileIdentity are the files of an open database as they were when it was opened. SQLite goes
// on writing to a file that was deleted or moved away, and reports success: only a
// comparison of the open file with its path shows that nothing of it will be found.
type fileIdentity struct {
	abs  string
	log  string   // SQLite names the log after it: abs without symbolic links
	main *os.File // open as long as the Store: its number is given to no other file meanwhile
	wal  os.FileInfo
	shm  os.FileInfo

	moved  atomic.Pointer[string] // the difference that was found, in words; nil: none
	closed sync.Once

	mu      sync.Mutex
	changed time.Time // of the main file, when its contents were looked at
	size    int64     // of the main file then
	anchor  anchor
}

// An anchor is a run that is in the main file itself, not only in the log. Another
// database does not have it, and an older copy of this one has fewer records of it.
type anchor struct {
	run   int64 // 0: none
	uid   string
	count int64
}

// openFiles notes which files are at abs. At least one connection is open.
func openFiles(abs string) (*fileIdentity, error) {
	f := &fileIdentity{abs: abs, log: resolved(abs)}
	var err error
	if f.main, err = os.Open(abs); err != nil {
		return nil, err
	}
	if info, err := f.main.Stat(); err == nil {
		f.changed, f.size = info.ModTime(), info.Size()
	}
	f.wal, _ = os.Stat(f.log + "-wal") // not there: the file has another journal, which is not watched
	f.shm, _ = os.Stat(f.log + "-shm")
	return f, nil
}

// resolved is a path without symbolic links, as SQLite resolves it.
func resolved(abs string) string {
	if runtime.GOOS == "windows" { // where SQLite takes names as they are
		return abs
	}
	if path, err := filepath.EvalSymlinks(abs); err == nil {
		return path
	}
	return abs
}

func (f *fileIdentity) close() error {
	if f == nil {
		return nil
	}
	var err error
	f.closed.Do(func() { err = f.main.Close() })
	return err
}

// missing says what is wrong with the files by name; "" is nothing.
func (f *fileIdentity) missing() string {
	open, err := f.main.Stat()
	if err != nil {
		return ""
	}
	if open.Size() == 0 {
		return "was emptied by another program"
	}
	for _, file := range []struct {
		suffix string
		info   os.FileInfo
	}{{"", open}, {"-wal", f.wal}, {"-shm", f.shm}} {
		if file.info == nil {
			continue
		}
		path := f.abs
		if file.suffix != "" {
			path = f.log + file.suffix
		}
		now, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && file.suffix == "":
			return "was deleted or moved by another program"
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Sprintf("has lost its file %s to another program", path)
		case err != nil:
			return "" // not known
		case !os.SameFile(file.info, now) && file.suffix == "":
			return "was replaced by another file"
		case !os.SameFile(file.info, now):
			return fmt.Sprintf("has another file at %s than this process writes to", path)
		}
	}
	return ""
}

// checkMoved returns an *Error of Kind Moved where the database is not the one that was
// opened any more. Once it has, it always does.
func (s *Store) checkMoved() error {
	f := s.files
	if f == nil {
		return nil
	}
	if f.moved.Load() == nil {
		what := f.missing()
		if what == "" {
			what = s.overwritten()
		}
		if what == "" {
			return nil
		}
		f.moved.CompareAndSwap(nil, &what)
	}
	return &Error{Kind: Moved, Path: s.path, What: *f.moved.Load(), Hint: "bring the file back, or name another one with --db; then give the same command again"}
}

// explainError returns err, or what has led to it: a file that was overwritten cannot be
// read, or seems to be damaged.
func (s *Store) explainError(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind != Locked {
		if moved := s.checkMoved(); moved != nil {
			return moved
		}
	}
	return err
}

// overwritten says whether other contents were written into the main file, in words;
// "" is no. SQLite writes to it too, whenever the log is folded in: a change leads to a
// look, which the run of the anchor decides.
func (s *Store) overwritten() string {
	f := s.files
	f.mu.Lock()
	defer f.mu.Unlock()
	different := 0
	info, err := f.main.Stat()
	if err != nil || f.anchor.run == 0 || info.ModTime().Equal(f.changed) && info.Size() == f.size {
		return ""
	}
	// While the log is being folded in, or where that has failed half-way, pages do not fit
	// each other: such a file tells nothing.
	for range 5 {
		now, err := s.readAnchor(f.anchor.run)
		var e *Error
		switch {
		case err == nil && now.uid == f.anchor.uid && now.count >= f.anchor.count:
			f.anchor, f.changed, f.size = now, info.ModTime(), info.Size()
			return ""
		case err == nil, errors.As(err, &e) && e.Kind == Foreign:
			if different++; different == 3 {
				return "was overwritten with other contents"
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	f.changed, f.size = info.ModTime(), info.Size()
	return ""
}

// readAnchor reads a run from the main file, without the log.
func (s *Store) readAnchor(run int64) (anchor, error) {
	a := anchor{run: run}
	c, err := dial(s.path, s.abs, "ro&immutable=1", nil)
	if err != nil {
		return a, err
	}
	defer c.close()
	_, err = c.one(context.Background(), func(r *rows) { a.uid, a.count = r.str(), r.int() },
		`SELECT uid, (SELECT coalesce(sum(n), 0) FROM tally WHERE run = run.id) FROM run WHERE id = ?`, run)
	return a, err
}

// setAnchor makes a run the anchor, if it is in the main file.
func (s *Store) setAnchor(c *conn, run int64) {
	if s.files == nil {
		return
	}
	c.once("PRAGMA wal_checkpoint(PASSIVE)") // without it the anchor may come later: nothing fails
	f := s.files
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := f.main.Stat()
	if a, e := s.readAnchor(run); err == nil && e == nil && a.uid != "" {
		f.anchor, f.changed, f.size = a, info.ModTime(), info.Size()
	}
}

// removeLog removes the log of the file that is gone, which would be taken for the log
// of the file that is at its path now.
func (f *fileIdentity) removeLog() {
	for _, file := range []struct {
		suffix string
		info   os.FileInfo
	}{{"-wal", f.wal}, {"-shm", f.shm}} {
		now, err := os.Stat(f.log + file.suffix)
		if err == nil && file.info != nil && os.SameFile(file.info, now) {
			os.Remove(f.log + file.suffix)
		}
	}
}
