package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// An Option of Open.
type Option func(*File)

// OnLock sets a function that gets a line for a person if the File waits for the lock of another
// process for some seconds: with what waits, and again when the lock is gone. It is called from
// several goroutines, one at a time.
func OnLock(say func(string)) Option { return func(s *File) { s.notice.say = say } }

// Open opens the database at path for reading and writing, or only for reading if the file may not
// be written. It makes a missing file if create is set; otherwise that is a Missing *Error. It
// refuses a file with another schema, and writes nothing to it.
func Open(ctx context.Context, path string, create bool, l Layout, options ...Option) (*File, error) {
	fresh, err := inspect(path, l)
	if err != nil {
		return nil, err
	}
	if fresh && !create {
		return nil, missing(path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, wrapError(path, err)
	}
	s := &File{path: path, abs: abs, mode: "rw", notice: &lockNotice{path: path}, layout: l}
	for _, set := range options {
		set(s)
	}
	if s.unwritable = checkHardLinks(path, abs); s.unwritable == nil && !fresh && !mayWrite(abs) {
		s.unwritable = &Error{Kind: ReadOnly, Path: path, What: "may not be written", Hint: permissionsHint}
	}
	if s.unwritable != nil {
		if fresh {
			return nil, s.unwritable
		}
		s.mode = readMode(abs)
	}
	if fresh {
		if err = checkLocks(path); err == nil {
			err = s.createSchema(ctx)
		}
	}
	if err == nil {
		err = s.checkLayout(ctx, create)
	}
	if err == nil && s.unwritable == nil {
		// A copy that VACUUM INTO has made does not use a write-ahead log.
		if err = s.With(func(c *Conn) error { return c.journal(ctx) }); err == nil {
			s.watched, err = watchFiles(abs)
			err = wrapError(path, err)
		}
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// checkLocks returns an error if the folder of a file has no locks, as some network drives: then SQLite
// takes each file for one that another process has locked. It locks a file that nobody else knows. A
// folder in which it cannot make one is not checked.
func checkLocks(path string) error {
	abs, _ := filepath.Abs(path)
	f, err := os.CreateTemp(filepath.Dir(resolved(abs)), ".verbatim-*.lock")
	if err != nil {
		return nil
	}
	f.Close()
	defer os.Remove(f.Name())
	c, err := openFile(f.Name(), "rw")
	if err != nil {
		return nil
	}
	defer c.Close()
	if _, err = c.(driver.ExecerContext).ExecContext(context.Background(), "BEGIN EXCLUSIVE", nil); busy(err) || hasNoLocks(err) {
		return noLocks(path)
	}
	return nil
}

func noLocks(path string) *Error {
	return &Error{Kind: IO, Path: path, What: "is on a file system without locks, which a database needs", Hint: "name a file on a local disk with --db"}
}

// inspect checks the file before SQLite opens it, whose only error in most of these cases is
// "unable to open database file". fresh means that the file is missing or empty.
func inspect(path string, l Layout) (fresh bool, err error) {
	if strings.ContainsRune(path, 0) {
		return false, &Error{Kind: Foreign, Path: strconv.Quote(path), What: "is not a file name"}
	}
	// Opening a pipe would wait for a writer.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		what := "is no file"
		if info.IsDir() {
			what = "is a directory"
		}
		return false, &Error{Kind: Foreign, Path: path, What: what, Hint: "name a file with --db"}
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		dir := filepath.Dir(path)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return false, &Error{Kind: Missing, Path: path, What: "the directory " + dir + " does not exist",
				Hint: "make it, or name another file with --db"}
		}
		return true, nil
	}
	if err != nil {
		return false, wrapError(path, err)
	}
	defer f.Close()
	const magic = "SQLite format 3\x00"
	head := make([]byte, 100)
	n, err := io.ReadFull(f, head)
	if err == io.EOF {
		return true, nil
	}
	if err != nil && err != io.ErrUnexpectedEOF {
		return false, wrapError(path, err)
	}
	if !bytes.HasPrefix(head[:n], []byte(magic)) {
		return false, &Error{Kind: Foreign, Path: path, What: "is not a database", Hint: foreignHint}
	}
	// Even a reader of SQLite's may change a file: the last one to close it folds its log in. While a
	// file is being made, the marks are in the log only, and 0 in the file.
	m := fileMarks{id: int64(binary.BigEndian.Uint32(head[68:])), version: int64(binary.BigEndian.Uint32(head[60:]))}
	if m.id == 0 {
		return false, nil
	}
	return false, l.check(path, m)
}

// mayWrite reports whether the file may be written.
func mayWrite(abs string) bool {
	f, err := os.OpenFile(abs, os.O_WRONLY, 0)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// readMode returns the mode of a file that may not be written. To read a log, SQLite has to make a
// file next to the database. Without a log the file is complete, and that is not necessary.
func readMode(abs string) string {
	if info, err := os.Stat(resolved(abs) + "-wal"); err == nil && info.Size() > 0 {
		return "ro"
	}
	return "ro&immutable=1"
}

// createSchema makes the tables in an empty file. If two processes do so at the same time, the
// second one finds the tables.
func (s *File) createSchema(ctx context.Context) error {
	c, err := dial(s.path, s.abs, "rwc", s.notice)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.journal(ctx); err != nil {
		return err
	}
	return c.Write(ctx, func() error {
		m, err := c.marks(ctx)
		if err != nil || !m.empty() {
			return err
		}
		_, _, err = c.ExecOnce(fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d",
			s.layout.Tables, s.layout.ID, s.layout.Version))
		return err
	})
}

// journal makes the file use a write-ahead log.
func (c *Conn) journal(ctx context.Context) error {
	_, _, err := c.execWithin(ctx, 0, "PRAGMA journal_mode = WAL")
	return err
}

// checkLayout checks that the file has the schema of this program. It makes the tables of an empty
// file if create is set.
func (s *File) checkLayout(ctx context.Context, create bool) error {
	var m fileMarks
	err := s.View(func(c *Conn) (err error) { // one view: another process may be making the tables
		m, err = c.marks(ctx)
		return err
	})
	switch {
	case err != nil:
		return damaged(err)
	case m.empty() && !create:
		return missing(s.path)
	case m.empty(): // another process is about to make the tables, or was killed before it did
		if err := s.createSchema(ctx); err != nil {
			return err
		}
		return s.checkLayout(ctx, false)
	}
	return s.layout.check(s.path, m)
}

func missing(path string) *Error {
	return &Error{Kind: Missing, Path: path, What: "there is no database",
		Hint: "`verbatim run` makes one; --db or VERBATIM_DB names another file"}
}

// damaged returns a Corrupt error for a Foreign one. SQLite says "not a database" of a damaged
// header too, but inspect has found the first bytes of a database.
func damaged(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Kind == Foreign {
		return &Error{Kind: Corrupt, Path: e.Path, What: "the database is damaged: its header is not valid", Hint: backupHint}
	}
	return err
}

// A Layout is a schema.
type Layout struct {
	ID      int64  // the application_id of files with this schema
	Version int64  // their user_version
	Tables  string // the statements that make it
	// Anchor is a statement that selects a text and a count by a row number. The text of a row
	// never changes, and its count never falls. So they distinguish a file from other files and
	// from earlier copies of it.
	Anchor string
}

// check refuses a file with contents that has another schema. It is called before anything is written
// to the file.
func (l Layout) check(path string, m fileMarks) error {
	switch {
	case m.id != l.ID:
		return &Error{Kind: Foreign, Path: path, What: "is a database of another program, or of a verbatim from before its first release",
			Hint: "name another file with --db; a database from before the first release is read by the verbatim that wrote it, and by no other"}
	case m.version != l.Version:
		return &Error{Kind: Version, Path: path,
			What: fmt.Sprintf("was written by another version of verbatim: its schema has number %d, and this program reads %d", m.version, l.Version),
			Hint: "export its runs to JSON lines with the verbatim that wrote it (`verbatim export`), or name another file with --db"}
	}
	return nil
}
