package sqlite

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

// maxIdle is the most connections that stay open for their next use.
const maxIdle = 3

// A File is an open database. Its methods are safe for concurrent use, by several
// processes too.
type File struct {
	layout Layout
	path   string // as the user named it
	abs    string
	mode   string // of Dial: "rw", or a form of "ro"
	// unwritable is why the file cannot be written; nil if mode is "rw".
	unwritable error

	notice  *lockNotice
	watched *watchedFiles // nil if the file cannot be written
	mu      sync.Mutex
	idle    []*Conn
	closed  bool
}

// Path returns the path by which the file was opened.
func (s *File) Path() string { return s.path }

// Abs returns the absolute path of the file.
func (s *File) Abs() string { return s.abs }

// CheckWritable returns why the file cannot be written; nil if it can.
func (s *File) CheckWritable() error { return s.unwritable }

// AddPending adds n to the number of replies that wait to be saved, for the function of OnLock.
func (s *File) AddPending(n int) { s.notice.pending.Add(int64(n)) }

// AddBlocked adds n to the number of those replies that wait for room in a Writer.
func (s *File) AddBlocked(n int) { s.notice.blocked.Add(int64(n)) }

// Close closes the file. All connections must be released before. The last process that closes a
// file folds its log into it, so that one file remains.
func (s *File) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.watched != nil && s.watched.moved.Load() != nil {
		return nil // closing would fold the log into another file
	}
	var err error
	for _, c := range s.idle {
		err = cmp.Or(err, c.Close())
	}
	s.idle = nil
	return cmp.Or(err, s.watched.close()) // last: closing a handle can release locks of the connections
}

// Check runs SQLite's integrity check of the whole file, and returns a Corrupt *Error if it fails.
func (s *File) Check(ctx context.Context) error {
	return s.With(func(c *Conn) error {
		var found string
		_, err := c.QueryOne(ctx, func(r *Rows) { found = r.Text() }, "PRAGMA integrity_check(1)")
		if err == nil && found != "ok" {
			err = c.CorruptError("%s", found)
		}
		return err
	})
}

// Acquire returns a connection that no other caller has. Release ends its use.
func (s *File) Acquire() (*Conn, error) {
	s.mu.Lock()
	if n := len(s.idle); n > 0 {
		c := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return c, nil
	}
	s.mu.Unlock()
	c, err := dial(s.path, s.abs, s.mode, s.notice)
	if e := s.CheckMoved(); e != nil {
		if err == nil {
			c.Close() // its file is another one than that of the connections before it
		}
		return nil, e
	}
	return c, err
}

// Release ends the use of a connection of Acquire.
func (s *File) Release(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watched != nil && s.watched.moved.Load() != nil {
		return
	}
	if s.closed || len(s.idle) >= maxIdle {
		c.Close()
		return
	}
	s.idle = append(s.idle, c)
}

// Statements returns the prepared statements of the idle connections.
func (s *File) Statements() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.idle {
		all = append(all, c.Statements()...)
	}
	return all
}

// With lends do a connection.
func (s *File) With(do func(*Conn) error) error {
	c, err := s.Acquire()
	if err != nil {
		return err
	}
	defer s.Release(c)
	return do(c)
}

// Update lends do a connection within a write transaction, for whose lock it waits until ctx is
// done. It also fails if the file has moved.
func (s *File) Update(ctx context.Context, do func(*Conn) error) error {
	if err := s.CheckWritable(); err != nil {
		return err
	}
	return s.With(func(c *Conn) error {
		return c.Write(ctx, func() error {
			if err := do(c); err != nil {
				return err
			}
			return s.CheckMoved()
		})
	})
}

// View lends do a connection on one unchanging view of the file.
func (s *File) View(do func(*Conn) error) error {
	return s.With(func(c *Conn) error {
		return c.Read(func() error { return do(c) })
	})
}

// CheckMoved returns a Moved *Error if the database that was opened is no longer at its path. After
// the first such error it always returns one.
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

// ExplainError returns err, or the Moved error that is its cause: a file that was overwritten
// cannot be read, or seems to be damaged.
func (s *File) ExplainError(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Kind != Locked {
		if moved := s.CheckMoved(); moved != nil {
			return moved
		}
	}
	return err
}

// overwritten returns a description if other contents were written to the main file, otherwise "".
// SQLite itself writes to the main file when it folds the log in. So after a change of the file,
// overwritten compares the anchor.
func (s *File) overwritten() string {
	f := s.watched
	f.mu.Lock()
	defer f.mu.Unlock()
	different := 0
	info, err := f.main.Stat()
	if err != nil || f.anchor.id == 0 || info.ModTime().Equal(f.changed) && info.Size() == f.size {
		return ""
	}
	// While the log is being folded in, and after that has failed half-way, the pages of the file
	// do not fit each other, and other errors say nothing about its contents.
	for range 5 {
		now, err := s.readAnchor(f.anchor.id)
		e, _ := errors.AsType[*Error](err)
		switch {
		case err == nil && now.text == f.anchor.text && now.count >= f.anchor.count:
			f.anchor, f.changed, f.size = now, info.ModTime(), info.Size()
			return ""
		case err == nil, e != nil && e.Kind == Foreign:
			if different++; different == 3 {
				return "was overwritten with other contents"
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	f.changed, f.size = info.ModTime(), info.Size()
	return ""
}

// readAnchor reads the anchor of a row number from the main file, without the log.
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
	c.ExecOnce("PRAGMA wal_checkpoint(PASSIVE)") // moves the row to the main file; if it fails there is no anchor
	f := s.watched
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := f.main.Stat()
	if a, e := s.readAnchor(id); err == nil && e == nil && a.text != "" {
		f.anchor, f.changed, f.size = a, info.ModTime(), info.Size()
	}
}

// RemoveLog removes the log of a file that has moved. SQLite would take it for the log of the file
// that is at the path now.
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
