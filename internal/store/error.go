package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"verbatim"
	"verbatim/internal/shell"
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
	Err  error  // the cause; nil when there is none next to What
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
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		e.Kind, e.What, e.Err = Locked, "is locked by another process", nil
		e.Hint = "wait until the other process has finished or stop it; nothing that was saved is lost"
	case sqlite3.SQLITE_FULL:
		e.Kind, e.What, e.Err = Full, "the disk is full", nil
		e.Hint = "free some space and give the same command again; everything that was counted as kept is there"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		e.Kind, e.What = ReadOnly, "may not be written"
		e.Hint = "look at the permissions of the file and its directory, or name another file with --db"
	case sqlite3.SQLITE_CANTOPEN:
		e.What = "cannot be opened"
		e.Hint = "look at the permissions of the file and its directory, or name another file with --db"
	case sqlite3.SQLITE_CORRUPT:
		e.Kind, e.What = Corrupt, "the database is damaged"
		e.Hint = verifyHint
	case sqlite3.SQLITE_NOTADB:
		e.Kind, e.What, e.Err = Foreign, "is not a database", nil
		e.Hint = "name another file with --db, or move this one away"
	case sqlite3.SQLITE_IOERR:
		e.Hint = "look at the disk; everything that was counted as kept is there"
	}
	return e
}

// A LeaseHeld error says that a live process works on the run.
type LeaseHeld struct {
	Run   string // its name
	PID   int
	Host  string
	Since time.Time // when it began
	Beat  time.Time // when it last said that it is alive
}

// Error names the run and who holds it.
func (e *LeaseHeld) Error() string {
	return fmt.Sprintf("run %s is being written by process %d on %s since %s",
		e.Run, e.PID, e.Host, e.Since.Local().Format(time.DateTime))
}

// Hint says what to do about it.
func (e *LeaseHeld) Hint() string {
	return fmt.Sprintf("wait for it or stop it; a process that says nothing for %v counts as dead", leaseDead)
}

// An UnknownRun error says that a name on the command line names no run, or
// more than one.
type UnknownRun struct {
	Name       string
	Ambiguous  bool     // Candidates are the runs that Name fits
	Candidates []string // names of runs that may have been meant, newest first, at most ten
}

// Error names what was asked for and what there is.
func (e *UnknownRun) Error() string {
	s := fmt.Sprintf("no run is called %q", e.Name)
	if e.Ambiguous {
		s = fmt.Sprintf("%q is the beginning of more than one run", e.Name)
	}
	if len(e.Candidates) > 0 {
		s += "; there are " + strings.Join(e.Candidates, ", ")
	}
	return s
}

// A TestClosed error says that a run is a test that has its verdict already: nothing
// is added to it.
type TestClosed struct {
	Run  string // its name
	Test verbatim.Test
}

// Error names the run and its verdict.
func (e *TestClosed) Error() string {
	return fmt.Sprintf("run %s is closed: its %s has ended with %q", e.Run, e.Test.Kind, e.Test.Verdict)
}

// Hint says what to do about it.
func (e *TestClosed) Hint() string { return "give the same command again: it starts a new run" }

// A NoCommonGrader error says that no version of a grader has judged all
// replies of the runs that it is responsible for.
type NoCommonGrader struct {
	Grader string   // its name without a version
	Runs   []string // names of the runs
	Apart  bool     // they are in different files
}

// Error names the grader and the runs.
func (e *NoCommonGrader) Error() string {
	return fmt.Sprintf("no version of grader %q has graded all replies of %s", e.Grader, strings.Join(e.Runs, ", "))
}

// Hint says what to do about it.
func (e *NoCommonGrader) Hint() string {
	hint := "verbatim regrade " + shell.Words(e.Runs...)
	if e.Apart {
		hint += "; a run of an exported file is imported first"
	}
	return hint
}
