package sqlite

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

// maxIdle is how many connections wait for their next use.
const maxIdle = 3

// A File is an open database. Its methods are safe for concurrent use, by several
// processes too.
type File struct {
	layout Layout
	path   string // as the user named it
	abs    string
	mode   string // how conns are opened: "rw", or a form of "ro"
	// unwritable is why nothing can be written; nil where mode is "rw".
	unwritable error

	notice  *lockNotice
	watched *watchedFiles // nil: they are not watched, for nothing is written
	mu      sync.Mutex
	idle    []*Conn
	closed  bool
}

// Path returns the name that the file was opened by.
func (s *File) Path() string { return s.path }

// Abs returns the name of the file from the root.
func (s *File) Abs() string { return s.abs }

// CheckWritable returns why nothing can be written; nil where it can.
func (s *File) CheckWritable() error {
	if s.mode != "rw" {
		return s.unwritable
	}
	return nil
}

// AddPending adds n to the replies that wait to be saved, which lines about a lock name.
func (s *File) AddPending(n int) { s.notice.pending.Add(int64(n)) }

// AddBlocked adds n to the replies that wait for room in a Writer.
func (s *File) AddBlocked(n int) { s.notice.blocked.Add(int64(n)) }

// Close closes the file. Streams and Writers are closed before. The last
// process that closes a file folds its log into it, so that it is one file.
func (s *File) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.watched != nil && s.watched.moved.Load() != nil {
		return nil // closing would fold the log into a file that is another one now
	}
	var err error
	for _, c := range s.idle {
		if e := c.Close(); err == nil {
			err = e
		}
	}
	s.idle = nil
	if e := s.watched.close(); err == nil { // after the connections, as SQLite's locks want it
		err = e
	}
	return err
}

// Check reads the whole file and returns an *Error of Kind Corrupt when its
// contents contradict themselves.
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

// Acquire returns a connection for the caller alone; Release takes it back.
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
			c.Close() // it has opened another file than the connections before it
		}
		return nil, e
	}
	return c, err
}

// Release takes a connection of Acquire back.
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

// Statements lists the statements that the connections at rest have prepared.
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

// Update lends do a connection inside a write transaction. It waits for the lock
// until ctx is done.
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
