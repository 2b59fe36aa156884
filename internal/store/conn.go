package store

import (
	"context"
	"database/sql/driver"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// A conn is one connection, used by one goroutine at a time. It is the driver's
// own, without database/sql: a run needs one writer with long-lived prepared
// statements and readers with several open cursors, and a pool that hands out
// connections as it likes only stands in the way of both.
type conn struct {
	path   string // as the user named it, for errors
	c      driver.Conn
	notice *lockNotice // may be nil
	stmts  map[string]*stmt
	many   map[manyKey]*stmt // inserts of many rows; they are in stmts too
}

// A stmt is a prepared statement of one conn.
type stmt struct {
	s    driver.Stmt
	args []driver.NamedValue
}

// dial opens the file at abs; mode is SQLite's "rw", "rwc" or "ro", the last
// optionally with "&immutable=1".
func dial(path, abs, mode string, notice *lockNotice) (*conn, error) {
	// With POSIX locks, the first that closes any handle of the file takes the locks of
	// the whole process with it: another process would count itself as the last one and
	// remove the log that this one writes. Where the system has no other locks, an error
	// says so, and nothing can be done about it.
	sqlite.OFDLocking(true)
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive letter
	}
	uri := url.URL{Scheme: "file", Path: slashed}
	c, err := (&sqlite.Driver{}).Open(uri.String() + "?mode=" + mode)
	if err != nil {
		return nil, wrapError(path, err)
	}
	db := &conn{path: path, c: c, notice: notice, stmts: map[string]*stmt{}, many: map[manyKey]*stmt{}}
	// The cache is small on purpose: what is written is read again only at the
	// ends of the tables, and memory has to stay flat however long a run is.
	for _, pragma := range []string{
		"PRAGMA busy_timeout = 0", // lock.go waits
		"PRAGMA synchronous = FULL",
		"PRAGMA cache_size = -8000",
		"PRAGMA journal_size_limit = 67108864",
	} {
		if _, _, err := db.once(pragma); err != nil {
			db.close()
			return nil, err
		}
	}
	return db, nil
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		s.s.Close()
	}
	c.stmts = nil
	return wrapError(c.path, c.c.Close())
}

// prepare returns the statement for sql, which is saved until the conn closes:
// sql is a constant of this package, never built from data.
func (c *conn) prepare(sql string) (*stmt, error) {
	if s, ok := c.stmts[sql]; ok {
		return s, nil
	}
	var ds driver.Stmt
	err := c.retryLocked(context.Background(), readPatience, func() (err error) {
		ds, err = c.c.Prepare(sql)
		return err
	})
	if err != nil {
		return nil, err
	}
	s := &stmt{s: ds}
	c.stmts[sql] = s
	return s, nil
}

// bind turns args into what the driver takes.
func (s *stmt) bind(args []any) []driver.NamedValue {
	s.args = s.args[:0]
	for i, a := range args {
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: bound(a)})
	}
	return s.args
}

// bound is a value as the driver takes it; nil is NULL.
func bound(a any) driver.Value {
	switch v := a.(type) {
	case int:
		return int64(v)
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case *int64:
		if v == nil {
			return nil
		}
		return *v
	case *float64:
		if v == nil {
			return nil
		}
		return *v
	case *time.Duration:
		if v == nil {
			return nil
		}
		return int64(*v)
	}
	return a
}

// exec runs a statement that returns no rows. It returns how many rows it
// changed and the last rowid it inserted.
func (c *conn) exec(sql string, args ...any) (changed, id int64, err error) {
	return c.execWithin(context.Background(), readPatience, sql, args...)
}

// execWithin is exec that waits for locks as retryLocked does.
func (c *conn) execWithin(ctx context.Context, limit time.Duration, sql string, args ...any) (changed, id int64, err error) {
	s, err := c.prepare(sql)
	if err != nil {
		return 0, 0, err
	}
	var r driver.Result
	err = c.retryLocked(ctx, limit, func() (err error) {
		r, err = s.s.(driver.StmtExecContext).ExecContext(context.Background(), s.bind(args))
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	changed, _ = r.RowsAffected() // the driver's never fail
	id, _ = r.LastInsertId()
	return changed, id, nil
}

// once is exec for a statement, or a script of them, that is not worth keeping.
func (c *conn) once(sql string, args ...any) (changed, id int64, err error) {
	var s stmt
	var r driver.Result
	err = c.retryLocked(context.Background(), readPatience, func() (err error) {
		r, err = c.c.(driver.ExecerContext).ExecContext(context.Background(), sql, s.bind(args))
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	changed, _ = r.RowsAffected()
	id, _ = r.LastInsertId()
	return changed, id, nil
}

// query runs a statement that returns rows. The rows are closed before the same
// sql is queried again on this conn.
func (c *conn) query(ctx context.Context, sql string, args ...any) (*rows, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return nil, err
	}
	var r driver.Rows
	err = c.retryLocked(ctx, readPatience, func() (err error) {
		r, err = s.s.(driver.StmtQueryContext).QueryContext(ctx, s.bind(args))
		return err
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return &rows{path: c.path, r: r, dest: make([]driver.Value, len(r.Columns()))}, nil
}

// one queries a single row and scans it; it reports false when there is none.
func (c *conn) one(ctx context.Context, scan func(*rows), sql string, args ...any) (bool, error) {
	r, err := c.query(ctx, sql, args...)
	if err != nil {
		return false, err
	}
	found := r.next()
	if found {
		scan(r)
	}
	return found, r.close()
}

// each queries rows and scans them one by one.
func (c *conn) each(ctx context.Context, scan func(*rows), sql string, args ...any) error {
	r, err := c.query(ctx, sql, args...)
	if err != nil {
		return err
	}
	for r.next() {
		scan(r)
	}
	return r.close()
}

// write does work in one transaction that holds the write lock from its start,
// so that nothing it reads is out of date when it writes. It waits for the lock for as
// long as another process holds it, or until ctx is done.
func (c *conn) write(ctx context.Context, work func() error) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	return c.within(work)
}

// read does work on one unchanging view of the file.
func (c *conn) read(work func() error) error {
	if _, _, err := c.exec("BEGIN DEFERRED"); err != nil {
		return err
	}
	return c.within(work)
}

// begin begins a write transaction.
func (c *conn) begin(ctx context.Context) error {
	_, _, err := c.execWithin(ctx, 0, "BEGIN IMMEDIATE")
	return err
}

// within does work in the transaction that has begun, and ends it.
func (c *conn) within(work func() error) (err error) {
	done := false
	defer func() {
		if !done { // an error, or a panic on its way up
			c.rollback()
		}
	}()
	if err := work(); err != nil {
		return err
	}
	if err := c.commit(); err != nil {
		return err
	}
	done = true
	return nil
}

func (c *conn) commit() error {
	_, _, err := c.exec("COMMIT")
	return err
}

// rollback undoes the transaction. SQLite may have done so already, which is what is
// wanted.
func (c *conn) rollback() { c.exec("ROLLBACK") }
