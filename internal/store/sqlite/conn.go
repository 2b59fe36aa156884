package sqlite

import (
	"cmp"
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

// A Conn is one connection, for one goroutine at a time. It uses the driver without database/sql:
// a writer needs prepared statements that live long, and a reader several open cursors. A pool that
// chooses the connections hinders both.
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

// An insertKey identifies a statement that inserts several rows: by its beginning, the number of
// rows, and the columns that it binds, a bit each.
type insertKey struct {
	head string
	rows int
	set  uint64
}

// Dial opens the file at abs. Errors name it path. mode is a mode of SQLite's URIs: "rw", "rwc",
// "ro", "ro&immutable=1" or "memory".
func Dial(path, abs, mode string) (*Conn, error) { return dial(path, abs, mode, nil) }

// dial is Dial that reports its waits for locks to notice, unless it is nil.
func dial(path, abs, mode string, notice *lockNotice) (*Conn, error) {
	// POSIX locks of a process end when it closes any handle of the file. Another process would
	// take itself for the last one then, and remove the log that this one writes. The error is
	// that of a system without other locks, for which there is no remedy.
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
	// A small cache is enough: a run writes at the ends of the tables, and a report reads every
	// page once, over several connections. Memory must not grow with the length of a run.
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

// prepare returns the statement for sql, which stays prepared until the Conn is closed. So sql must
// not be built from data.
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

// Prepare prepares a statement, and returns an error if SQLite refuses it.
func (c *Conn) Prepare(sql string) error {
	_, err := c.prepare(sql)
	return err
}

// Statements returns the prepared statements.
func (c *Conn) Statements() []string { return slices.Collect(maps.Keys(c.stmts)) }

// bind returns args as the driver takes them. The slice is valid until the next call.
func (s *stmt) bind(args []any) []driver.NamedValue {
	s.args = s.args[:0]
	for i, a := range args {
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: bound(a)})
	}
	return s.args
}

// bound returns a value as the driver takes it; nil is NULL.
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
		if v != nil {
			return *v
		}
	case *float64:
		if v != nil {
			return *v
		}
	case *time.Duration:
		if v != nil {
			return int64(*v)
		}
	default:
		return a
	}
	return nil
}

// Exec runs a statement that returns no rows. It returns the number of rows that it has changed,
// and the last row number that it has inserted.
func (c *Conn) Exec(sql string, args ...any) (changed, id int64, err error) {
	return c.execWithin(context.Background(), readPatience, sql, args...)
}

// execWithin is Exec that waits for locks as retryLocked does with ctx and limit.
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
	return counts(r, err)
}

// counts returns the counts of a result, whose methods never fail, or the error without one.
func counts(r driver.Result, err error) (changed, id int64, _ error) {
	if err != nil {
		return 0, 0, err
	}
	changed, _ = r.RowsAffected()
	id, _ = r.LastInsertId()
	return changed, id, nil
}

// ExecOnce is Exec for statements that do not stay prepared; sql may be a script of several.
func (c *Conn) ExecOnce(sql string, args ...any) (changed, id int64, err error) {
	var s stmt
	var r driver.Result
	err = c.retryLocked(context.Background(), readPatience, func() (err error) {
		r, err = c.c.(driver.ExecerContext).ExecContext(context.Background(), sql, s.bind(args))
		return err
	})
	return counts(r, err)
}

// retryLocked does work, and repeats it while a lock of another connection prevents it: for limit,
// or until ctx is done if limit is 0.
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
				Hint: lockedHint}
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

// Query runs a statement that returns rows. They must be closed before the same sql is queried
// again on this Conn.
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

// QueryOne calls scan for the first row, and reports whether there is one.
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

// QueryEach calls scan for every row.
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

// QueryList returns the result of scan for every row. After an error there is no list.
func QueryList[T any](ctx context.Context, c *Conn, scan func(*Rows) (T, error), sql string, args ...any) ([]T, error) {
	var all []T
	var failed error
	err := c.QueryEach(ctx, func(r *Rows) {
		v, err := scan(r)
		failed = cmp.Or(failed, err)
		all = append(all, v)
	}, sql, args...)
	if err = cmp.Or(err, failed); err != nil {
		return nil, err
	}
	return all, nil
}

// Write does work in one transaction that has the write lock from its start, so that nothing that
// it reads is out of date when it writes. It waits for the lock until ctx is done.
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

// Rollback undoes the transaction. Its error is that SQLite has done so already.
func (c *Conn) Rollback() { c.Exec("ROLLBACK") }

// CorruptError returns a Corrupt error about the file of the connection.
func (c *Conn) CorruptError(format string, args ...any) error {
	return corruptError(c.Path, format, args...)
}
