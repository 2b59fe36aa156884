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

// watchedFiles are the files of an open database as they were when it was opened. SQLite goes on
// writing to a file that was deleted or moved, and reports success. Only a comparison of the open
// file with the one at its path shows the difference.
type watchedFiles struct {
	abs  string
	log  string   // abs without symbolic links, after which SQLite names the log
	main *os.File // open as long as the File, so that no other file gets its inode number
	wal  os.FileInfo
	shm  os.FileInfo

	moved  atomic.Pointer[string] // a description of the difference; nil: none was found
	closed sync.Once

	mu      sync.Mutex
	changed time.Time // when the main file was changed, as of the last comparison of the anchor
	size    int64     // of the main file then
	anchor  anchor
}

// An anchor is what Layout.Anchor selects for a row in the main file, without the log. Another
// database has another text, and an earlier copy of this one a smaller count.
type anchor struct {
	id    int64 // 0: none
	text  string
	count int64
}

// watchFiles returns the files at abs. At least one connection must be open.
func watchFiles(abs string) (*watchedFiles, error) {
	f := &watchedFiles{abs: abs, log: resolved(abs)}
	var err error
	if f.main, err = os.Open(abs); err != nil {
		return nil, err
	}
	if info, err := f.main.Stat(); err == nil {
		f.changed, f.size = info.ModTime(), info.Size()
	}
	f.wal, _ = os.Stat(f.log + "-wal") // nil: the file has another journal, which is not watched
	f.shm, _ = os.Stat(f.log + "-shm")
	return f, nil
}

// resolved returns a path without symbolic links, as SQLite resolves it.
func resolved(abs string) string {
	if runtime.GOOS == "windows" { // where SQLite does not resolve them
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

// missing returns a description if a file is no longer at its path, otherwise "".
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

// fileMarks are the application id of a file, the version of its schema, and the number of its
// tables and indexes.
type fileMarks struct{ id, version, tables int64 }

// empty reports whether the file has no contents yet.
func (m fileMarks) empty() bool { return m == fileMarks{} }

func (c *Conn) marks(ctx context.Context) (m fileMarks, err error) {
	for _, q := range []struct {
		sql string
		to  *int64
	}{
		{"PRAGMA application_id", &m.id},
		{"PRAGMA user_version", &m.version},
		{"SELECT count(*) FROM sqlite_schema", &m.tables},
	} {
		if _, err := c.QueryOne(ctx, func(r *Rows) { *q.to = r.Int() }, q.sql); err != nil {
			return m, err
		}
	}
	return m, nil
}

// checkHardLinks returns an error if a file has several names. SQLite names the log after the name
// of the database. Two processes that use two names of one file have two logs, and damage it.
func checkHardLinks(path, abs string) error {
	info, err := os.Stat(abs)
	if err != nil {
		return nil // there is no file yet, or the next step says what is wrong
	}
	n := nameCount(info)
	if n < 2 {
		return nil
	}
	return &Error{Kind: ReadOnly, Path: path,
		What: fmt.Sprintf("has %d names (hard links); a write under one of them damages what another process writes under another one", n),
		Hint: "remove the other names (`find DIRECTORY -samefile FILE` lists them), or copy the file and name the copy with --db"}
}
