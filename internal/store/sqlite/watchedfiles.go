package sqlite

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

// watchedFiles are the files of an open database as they were when it was opened. SQLite
// goes on writing to a file that was deleted or moved away, and reports success. Only a
// comparison of the open file with its path shows that.
type watchedFiles struct {
	abs  string
	log  string   // SQLite names the log after it: abs without symbolic links
	main *os.File // open as long as the File: its number is given to no other file meanwhile
	wal  os.FileInfo
	shm  os.FileInfo

	moved  atomic.Pointer[string] // the difference that was found, in words; nil: none
	closed sync.Once

	mu      sync.Mutex
	changed time.Time // of the main file, when its contents were looked at
	size    int64     // of the main file then
	anchor  anchor
}

// An anchor is what Layout.Anchor selects for a row of the main file itself, not only of
// the log. Another database has another text, and an older copy of this one a smaller number.
type anchor struct {
	id    int64 // 0: none
	text  string
	count int64
}

// watchFiles notes which files are at abs. At least one connection is open.
func watchFiles(abs string) (*watchedFiles, error) {
	f := &watchedFiles{abs: abs, log: resolved(abs)}
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

func (f *watchedFiles) close() error {
	if f == nil {
		return nil
	}
	var err error
	f.closed.Do(func() { err = f.main.Close() })
	return err
}

// missing says what is wrong with the files by name; "" is nothing.
func (f *watchedFiles) missing() string {
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

// CheckMoved returns an *Error of Kind Moved where the database is not the one that was
// opened any more. Once it has, it always does.
func (s *File) CheckMoved() error {
	f := s.watched
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

// ExplainError returns err, or what has led to it: a file that was overwritten cannot be
// read, or seems to be damaged.
func (s *File) ExplainError(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind != Locked {
		if moved := s.CheckMoved(); moved != nil {
			return moved
		}
	}
	return err
}

// overwritten says whether other contents were written into the main file, in words;
// "" is no. SQLite writes to it too, whenever the log is folded in: a change leads to a
// look, which the anchor decides.
func (s *File) overwritten() string {
	f := s.watched
	f.mu.Lock()
	defer f.mu.Unlock()
	different := 0
	info, err := f.main.Stat()
	if err != nil || f.anchor.id == 0 || info.ModTime().Equal(f.changed) && info.Size() == f.size {
		return ""
	}
	// While the log is being folded in, or where that has failed half-way, pages do not fit
	// each other: such a file tells nothing.
	for range 5 {
		now, err := s.readAnchor(f.anchor.id)
		var e *Error
		switch {
		case err == nil && now.text == f.anchor.text && now.count >= f.anchor.count:
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

// readAnchor reads the anchor with a number from the main file, without the log.
func (s *File) readAnchor(id int64) (anchor, error) {
	a := anchor{id: id}
	c, err := dial(s.path, s.abs, "ro&immutable=1", nil)
	if err != nil {
		return a, err
	}
	defer c.Close()
	_, err = c.QueryOne(context.Background(), func(r *Rows) { a.text, a.count = r.Text(), r.Int() },
		s.layout.Anchor, id)
	return a, err
}

// SetAnchor makes the row with a number the anchor, if it is in the main file.
func (s *File) SetAnchor(c *Conn, id int64) {
	if s.watched == nil {
		return
	}
	c.ExecOnce("PRAGMA wal_checkpoint(PASSIVE)") // without it the anchor may come later: nothing fails
	f := s.watched
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := f.main.Stat()
	if a, e := s.readAnchor(id); err == nil && e == nil && a.text != "" {
		f.anchor, f.changed, f.size = a, info.ModTime(), info.Size()
	}
}

// RemoveLog removes the log of the file that is gone, which would be taken for the log
// of the file that is at its path now.
func (s *File) RemoveLog() {
	f := s.watched
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
