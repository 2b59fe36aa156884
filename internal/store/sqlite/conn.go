package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// A Conn is one connection, used by one goroutine at a time. It is the driver's own,
// without database/sql: a run needs one writer with long-lived prepared statements and
// readers with several open cursors. A pool that chooses the connections hinders both.
type Conn struct {
	Path   string // as the user named it, for errors
	c      driver.Conn
	notice *lockNotice // may be nil
	stmts  map[string]*stmt
	many   map[insertKey]*stmt // inserts of many rows; they are in stmts too
}

// A stmt is a prepared statement of one Conn.
type stmt struct {
	s    driver.Stmt
	args []driver.NamedValue
}

// An insertKey names a statement that inserts several rows: its beginning, their number, and
// the columns that it has values for, a bit each.
type insertKey struct {
	head string
	rows int
	set  uint64
}

// Dial opens the file at abs, which errors call path. mode is SQLite's "rw", "rwc", "ro",
// optionally with "&immutable=1", or "memory".
func Dial(path, abs, mode string) (*Conn, error) { return dial(path, abs, mode, nil) }

// dial is Dial that reports its waits for locks to notice, unless it is nil.
func dial(path, abs, mode string, notice *lockNotice) (*Conn, error) {
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
	c, err := sharedDriver().Open(uri.String() + "?mode=" + mode)
	if err != nil {
		return nil, wrapError(path, err)
	}
	db := &Conn{Path: path, c: c, notice: notice, stmts: map[string]*stmt{}, many: map[insertKey]*stmt{}}
	// The cache is small on purpose: what is written is read again only at the
	// ends of the tables, a report reads all pages once, over several connections,
	// and memory has to stay flat however long a run is.
	for _, pragma := range []string{
		"PRAGMA busy_timeout = 0", // retryLocked waits
		"PRAGMA synchronous = FULL",
		"PRAGMA cache_size = -2000",
		"PRAGMA journal_size_limit = 67108864",
	} {
		if _, _, err := db.ExecOnce(pragma); err != nil {
			db.Close()
			return nil, err
		}
	}
	return db, nil
}

// Close closes the connection and its statements.
func (c *Conn) Close() error {
	for _, s := range c.stmts {
		s.s.Close()
	}
	c.stmts = nil
	return wrapError(c.Path, c.c.Close())
}

// prepare returns the statement for sql, which is saved until the Conn closes:
// sql is a constant of the program, never built from data.
func (c *Conn) prepare(sql string) (*stmt, error) {
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

// Prepare makes sure that a statement can be run.
func (c *Conn) Prepare(sql string) error {
	_, err := c.prepare(sql)
	return err
}

// Statements lists the statements that are prepared.
func (c *Conn) Statements() []string { return slices.Collect(maps.Keys(c.stmts)) }

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

// Exec runs a statement that returns no rows. It returns how many rows it
// changed and the last rowid it inserted.
func (c *Conn) Exec(sql string, args ...any) (changed, id int64, err error) {
	return c.execWithin(context.Background(), readPatience, sql, args...)
}

// execWithin is Exec that waits for locks as retryLocked does.
func (c *Conn) execWithin(ctx context.Context, limit time.Duration, sql string, args ...any) (changed, id int64, err error) {
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

// ExecOnce is Exec for a script of statements, which is not kept prepared.
func (c *Conn) ExecOnce(sql string, args ...any) (changed, id int64, err error) {
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

// retryLocked does work, again and again while a lock is in its way: for limit, or as
// long as ctx lets it where limit is 0.
func (c *Conn) retryLocked(ctx context.Context, limit time.Duration, work func() error) error {
	err := work()
	if !busy(err) {
		return wrapError(c.Path, err)
	}
	begun := time.Now()
	c.notice.begin(begun)
	for pause := firstPoll; busy(err); pause = nextPoll(pause, time.Since(begun)) {
		waited := time.Since(begun)
		if ctx.Err() != nil || limit > 0 && waited >= limit {
			c.notice.end(false)
			return &Error{Kind: Locked, Path: c.Path, Err: context.Cause(ctx),
				What: fmt.Sprintf("is locked by another process, still after %v", waited.Round(100*time.Millisecond)),
				Hint: "wait until the other process has finished or stop it; nothing that was saved is lost"}
		}
		c.notice.tick(time.Now())
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		err = work()
	}
	c.notice.end(err == nil)
	return wrapError(c.Path, err)
}

// Query runs a statement that returns rows. The rows are closed before the same
// sql is queried again on this Conn.
func (c *Conn) Query(ctx context.Context, sql string, args ...any) (*Rows, error) {
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
	return &Rows{Path: c.Path, r: r, dest: make([]driver.Value, len(r.Columns()))}, nil
}

// QueryWide is Query of "SELECT columns rest", and faster where there are many columns. Rows
// must come from the tables in their order: SQLite must not have to sort them.
func (c *Conn) QueryWide(ctx context.Context, columns, rest string, args ...any) (*Rows, error) {
	row := sharedDriver().open()
	r, err := c.Query(ctx, `SELECT handover(?, `+columns+`) `+rest, slices.Concat([]any{row.number}, args)...)
	if err != nil {
		sharedDriver().close(row)
		return nil, err
	}
	r.wide = row
	return r, nil
}

// QueryOne queries a single row and scans it; it reports false when there is no row.
func (c *Conn) QueryOne(ctx context.Context, scan func(*Rows), sql string, args ...any) (bool, error) {
	r, err := c.Query(ctx, sql, args...)
	if err != nil {
		return false, err
	}
	found := r.Next()
	if found {
		scan(r)
	}
	return found, r.Close()
}

// QueryEach queries rows and scans them one by one.
func (c *Conn) QueryEach(ctx context.Context, scan func(*Rows), sql string, args ...any) error {
	r, err := c.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	for r.Next() {
		scan(r)
	}
	return r.Close()
}

// QueryList queries rows and returns what scan makes of each.
func QueryList[T any](ctx context.Context, c *Conn, scan func(*Rows) (T, error), sql string, args ...any) (all []T, err error) {
	e := c.QueryEach(ctx, func(r *Rows) {
		v, e := scan(r)
		if err == nil {
			err = e
		}
		all = append(all, v)
	}, sql, args...)
	if e != nil {
		err = e
	}
	return all, err
}

// Write does work in one transaction that holds the write lock from its start,
// so that nothing it reads is out of date when it writes. It waits for the lock for as
// long as another process holds it, or until ctx is done.
func (c *Conn) Write(ctx context.Context, work func() error) error {
	if err := c.Begin(ctx); err != nil {
		return err
	}
	return c.within(work)
}

// Read does work on one unchanging view of the file.
func (c *Conn) Read(work func() error) error {
	if _, _, err := c.Exec("BEGIN DEFERRED"); err != nil {
		return err
	}
	return c.within(work)
}

// Begin begins a write transaction.
func (c *Conn) Begin(ctx context.Context) error {
	_, _, err := c.execWithin(ctx, 0, "BEGIN IMMEDIATE")
	return err
}

// within does work in the transaction that has begun, and ends it.
func (c *Conn) within(work func() error) (err error) {
	done := false
	defer func() {
		if !done { // an error, or a panic on its way up
			c.Rollback()
		}
	}()
	if err := work(); err != nil {
		return err
	}
	if err := c.Commit(); err != nil {
		return err
	}
	done = true
	return nil
}

// Commit ends the transaction and makes it durable.
func (c *Conn) Commit() error {
	_, _, err := c.Exec("COMMIT")
	return err
}

// Rollback undoes the transaction. SQLite may have done so already, which is what is
// wanted.
func (c *Conn) Rollback() { c.Exec("ROLLBACK") }

// CorruptError is a Corrupt error about the file of the connection.
func (c *Conn) CorruptError(format string, args ...any) error {
	return corruptError(c.Path, format, args...)
}
