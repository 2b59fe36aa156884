package store

import (
	"context"
	"sync"
)

// maxIdle is how many connections wait for their next use.
const maxIdle = 3

// A Store is an open database file. Its methods are safe for concurrent use, by
// several processes too; what only one may do at a time is leased.
type Store struct {
	path string // as the user named it
	abs  string
	mode string // how conns are opened: "rw", or a form of "ro"
	// unwritable is why nothing can be written; nil where mode is "rw".
	unwritable error

	notice *lockNotice
	files  *fileIdentity // nil: they are not watched, for nothing is written
	mu     sync.Mutex
	idle   []*conn
	closed bool
}

// Path returns the name that the file was opened by.
func (s *Store) Path() string { return s.path }

// Close closes the file. Streams and Writers are closed before. The last
// process that closes a file folds its log into it, so that it is one file.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.files != nil && s.files.moved.Load() != nil {
		return nil // closing would fold the log into a file that is another one now
	}
	var err error
	for _, c := range s.idle {
		if e := c.close(); err == nil {
			err = e
		}
	}
	s.idle = nil
	if e := s.files.close(); err == nil { // after the connections, as SQLite's locks want it
		err = e
	}
	return err
}

// Check reads the whole file and returns an *Error of Kind Corrupt when its
// contents contradict themselves.
func (s *Store) Check(ctx context.Context) error {
	return s.with(func(c *conn) error {
		var found string
		_, err := c.one(ctx, func(r *rows) { found = r.str() }, "PRAGMA integrity_check(1)")
		if err == nil && found != "ok" {
			err = &Error{Kind: Corrupt, Path: s.path, What: "the database is damaged: " + found,
				Hint: verifyHint}
		}
		return err
	})
}

// acquire returns a connection for the caller alone; give takes it back.
func (s *Store) acquire() (*conn, error) {
	s.mu.Lock()
	if n := len(s.idle); n > 0 {
		c := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return c, nil
	}
	s.mu.Unlock()
	c, err := dial(s.path, s.abs, s.mode, s.notice)
	if e := s.checkMoved(); e != nil {
		if err == nil {
			c.close() // it has opened another file than the connections before it
		}
		return nil, e
	}
	return c, err
}

func (s *Store) release(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files != nil && s.files.moved.Load() != nil {
		return
	}
	if s.closed || len(s.idle) >= maxIdle {
		c.close()
		return
	}
	s.idle = append(s.idle, c)
}

// with lends do a connection.
func (s *Store) with(do func(*conn) error) error {
	c, err := s.acquire()
	if err != nil {
		return err
	}
	defer s.release(c)
	return do(c)
}

// update lends do a connection inside a write transaction. It waits for the lock as
// long as that takes.
func (s *Store) update(do func(*conn) error) error {
	return s.updateWithin(context.Background(), do)
}

// updateWithin is update that stops waiting for the lock when ctx is done.
func (s *Store) updateWithin(ctx context.Context, do func(*conn) error) error {
	if s.mode != "rw" {
		return s.unwritable
	}
	return s.with(func(c *conn) error {
		return c.write(ctx, func() error {
			if err := do(c); err != nil {
				return err
			}
			return s.checkMoved()
		})
	})
}

// view lends do a connection on one unchanging view of the file.
func (s *Store) view(do func(*conn) error) error {
	return s.with(func(c *conn) error {
		return c.read(func() error { return do(c) })
	})
}
