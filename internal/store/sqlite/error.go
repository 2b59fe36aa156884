package sqlite

import (
	"errors"
	"fmt"
	"io/fs"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A Kind says what is wrong with a database file. The set is closed.
type Kind string

// The kinds of trouble with a file.
const (
	Missing  Kind = "missing"   // there is no database
	Foreign  Kind = "foreign"   // it is not a database of this program
	Version  Kind = "version"   // it was written by a newer version of this program
	Locked   Kind = "locked"    // another process holds it for longer than we wait
	ReadOnly Kind = "read-only" // it may not be written
	Full     Kind = "full"      // the disk, or the allowance of the file, is full
	Corrupt  Kind = "corrupt"   // its contents contradict themselves
	Moved    Kind = "moved"     // it was deleted, moved, replaced or emptied while it was open
	IO       Kind = "io"        // any other trouble with reading or writing
)

// Misuse reports whether the file is the wrong one, rather than in trouble: the
// exit code is then 2 and not 1.
func (k Kind) Misuse() bool { return k == Missing || k == Foreign || k == Version }

// An Error says what is wrong with which file, and what to do about it.
type Error struct {
	Kind Kind
	Path string // as the caller named it
	What string // in words, without the path: "the disk is full"
	Hint string // what to do; empty when there is nothing to say
	Err  error  // the cause; nil where What says all
}

// Error says what and which, in one line.
func (e *Error) Error() string {
	s := e.Path + ": " + e.What
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// wrapError turns an error of SQLite or of the system into an *Error about path.
// An *Error passes unchanged, nil stays nil.
func wrapError(path string, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	e := &Error{Kind: IO, Path: path, What: "cannot be read or written", Err: err}
	var se *sqlite.Error
	if !errors.As(err, &se) {
		if errors.Is(err, fs.ErrPermission) {
			e.Kind, e.What, e.Hint = ReadOnly, "may not be opened", "look at the permissions of the file and its directory, or name another file with --db"
		}
		return e
	}
	e.Hint = "`verbatim runs --verify` says whether the file is damaged"
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		e.Kind, e.What, e.Err = Locked, "is locked by another process", nil
		e.Hint = "wait until the other process has finished or stop it; nothing that was saved is lost"
	case sqlite3.SQLITE_FULL:
		e.Kind, e.What, e.Err = Full, "the disk is full", nil
		e.Hint = "free some space and give the same command again; everything that was counted as saved is there"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		e.Kind, e.What = ReadOnly, "may not be written"
		e.Hint = "look at the permissions of the file and its directory, or name another file with --db"
	case sqlite3.SQLITE_CANTOPEN:
		e.What = "cannot be opened"
		e.Hint = "look at the permissions of the file and its directory, or name another file with --db"
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_MISMATCH:
		// The tests run every statement on a whole file: one that SQLite cannot
		// compile or bind meets a file whose own tables or columns have changed.
		e.Kind, e.What, e.Hint = Corrupt, "the database is damaged", corruptError("", "").Hint
	case sqlite3.SQLITE_NOTADB:
		e.Kind, e.What, e.Err = Foreign, "is not a database", nil
		e.Hint = "name another file with --db, or move this one away"
	case sqlite3.SQLITE_IOERR:
		e.Hint = "look at the disk; everything that was counted as saved is there"
	}
	return e
}

// corruptError returns the error of a database whose contents contradict themselves.
func corruptError(path, format string, args ...any) *Error {
	return &Error{Kind: Corrupt, Path: path, What: "the database is damaged: " + fmt.Sprintf(format, args...),
		Hint: "`verbatim runs --verify` says what is damaged; keep a copy of the file and bring back a backup, or save what can be read with SQLite's `.recover`"}
}

// UnreadableError is the Corrupt error of a value: what names it, err says what is wrong.
func UnreadableError(path, what string, err error) *Error {
	e := corruptError(path, "%s cannot be read", what)
	e.Err = err
	return e
}
