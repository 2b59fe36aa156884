package sqlite

import (
	"errors"
	"fmt"
	"io/fs"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A Kind is the kind of an Error. The set is closed.
type Kind string

// The kinds of errors.
const (
	Missing  Kind = "missing"   // there is no database
	Foreign  Kind = "foreign"   // the file is not a database of this program
	Version  Kind = "version"   // another version of this program has written the file
	Locked   Kind = "locked"    // another process has locked the file for longer than we wait
	ReadOnly Kind = "read-only" // the file may not be written
	Full     Kind = "full"      // the disk or a quota is full
	Corrupt  Kind = "corrupt"   // the contents of the file are damaged
	Moved    Kind = "moved"     // the file was deleted, moved, replaced or emptied while it was open
	IO       Kind = "io"        // any other error of reading or writing
)

// Misuse reports whether the user named the wrong file: the exit code is then 2 and not 1.
func (k Kind) Misuse() bool { return k == Missing || k == Foreign || k == Version }

// Hints that several errors have.
const (
	lockedHint      = "wait until the other process has finished or stop it; nothing that was saved is lost"
	permissionsHint = "look at the permissions of the file and its directory, or name another file with --db"
	foreignHint     = "name another file with --db, or move this one away"
	backupHint      = "keep a copy of the file and bring back a backup"
)

// An Error is an error about a database file.
type Error struct {
	Kind Kind
	Path string // as the caller named it
	What string // what is wrong, without the path: "the disk is full"
	Hint string // what to do; may be empty
	Err  error  // the cause; may be nil
}

// Error returns the path, what is wrong and the cause in one line.
func (e *Error) Error() string {
	s := e.Path + ": " + e.What
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// wrapError returns an error of SQLite or of the system as an *Error about path. It returns nil and
// an *Error unchanged.
func wrapError(path string, err error) error {
	if _, known := errors.AsType[*Error](err); err == nil || known {
		return err
	}
	e := &Error{Kind: IO, Path: path, What: "cannot be read or written", Err: err}
	se, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		if errors.Is(err, fs.ErrPermission) {
			e.Kind, e.What, e.Hint = ReadOnly, "may not be opened", permissionsHint
		}
		return e
	}
	if hasNoLocks(err) {
		return noLocks(path)
	}
	e.Hint = "`verbatim runs --verify` says whether the file is damaged"
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		e.Kind, e.What, e.Err, e.Hint = Locked, "is locked by another process", nil, lockedHint
	case sqlite3.SQLITE_FULL:
		e.Kind, e.What, e.Err = Full, "the disk is full", nil
		e.Hint = "free some space and give the same command again; everything that was counted as saved is there"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		e.Kind, e.What, e.Hint = ReadOnly, "may not be written", permissionsHint
	case sqlite3.SQLITE_CANTOPEN:
		e.What, e.Hint = "cannot be opened", permissionsHint
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_MISMATCH:
		// The tests run every statement on an undamaged file. A statement that SQLite cannot
		// compile or bind is one for a file whose tables or columns have changed.
		e.Kind, e.What, e.Hint = Corrupt, "the database is damaged", corruptError("", "").Hint
	case sqlite3.SQLITE_NOTADB:
		e.Kind, e.What, e.Err, e.Hint = Foreign, "is not a database", nil, foreignHint
	case sqlite3.SQLITE_IOERR:
		e.Hint = "look at the disk; everything that was counted as saved is there"
	}
	return e
}

// hasNoLocks reports whether the error is that of a file system that refuses locks.
func hasNoLocks(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code() == sqlite3.SQLITE_IOERR_LOCK
}

// corruptError returns a Corrupt error; format says what is damaged.
func corruptError(path, format string, args ...any) *Error {
	return &Error{Kind: Corrupt, Path: path, What: "the database is damaged: " + fmt.Sprintf(format, args...),
		Hint: "`verbatim runs --verify` says what is damaged; keep a copy of the file and bring back a backup, or save what can be read with SQLite's `.recover`"}
}

// UnreadableError returns the Corrupt error of a value that cannot be read. what names the value.
func UnreadableError(path, what string, err error) *Error {
	e := corruptError(path, "%s cannot be read", what)
	e.Err = err
	return e
}
