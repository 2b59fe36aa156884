package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	c, err := openFile(abs, mode)
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

// openFile opens the file at abs, as Dial does.
func openFile(abs, mode string) (driver.Conn, error) {
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive letter
	}
	uri := url.URL{Scheme: "file", Path: slashed}
	return sharedDriver().Open(uri.String() + "?mode=" + mode)
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
	begun, checked := time.Now(), false
	c.notice.begin(begun)
	for pause := firstPoll; busy(err); pause = nextPoll(pause, time.Since(begun)) {
		waited := time.Since(begun)
		if ctx.Err() != nil || limit > 0 && waited >= limit {
			c.notice.end(false)
			return &Error{Kind: Locked, Path: c.Path, Err: context.Cause(ctx),
				What: fmt.Sprintf("is locked by another process, still after %v", waited.Round(100*time.Millisecond)),
				Hint: lockedHint}
		}
		if waited >= noticeAfter && !checked {
			checked = true
			if err := checkLocks(c.Path); err != nil {
				c.notice.end(false)
				return err
			}
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

// Rows is an open cursor. Each getter returns the next column of the current row, from left to
// right.
type Rows struct {
	Path string // of the file, for errors
	r    driver.Rows
	dest []driver.Value // for the driver
	row  []driver.Value // the current row
	i    int            // the next column
	wide *wideRow       // of QueryWide, otherwise nil
	Err  error          // the first error
}

// Next goes to the next row. It returns false at the end and after an error, which Close returns.
func (r *Rows) Next() bool {
	if r.Err != nil {
		return false
	}
	if err := r.r.Next(r.dest); err != nil {
		if err != io.EOF {
			r.Err = wrapError(r.Path, err)
		}
		return false
	}
	r.i, r.row = 0, r.dest
	if r.wide != nil {
		var err error
		r.row, err = r.wide.take()
		r.Err = wrapError(r.Path, err)
	}
	return r.Err == nil
}

// Close closes the cursor and returns its first error.
func (r *Rows) Close() error {
	err := r.r.Close()
	if r.wide != nil {
		sharedDriver().close(r.wide)
	}
	r.Err = cmp.Or(r.Err, wrapError(r.Path, err))
	return r.Err
}

// Raw returns the next column as the driver returns it; NULL is nil.
func (r *Rows) Raw() driver.Value {
	v := r.row[r.i]
	r.i++
	return v
}

// Skip passes over n columns.
func (r *Rows) Skip(n int) { r.i += n }

// Int returns an integer column; NULL is 0.
func (r *Rows) Int() int64 {
	v, _ := r.Raw().(int64)
	return v
}

// OptInt returns an integer column; NULL is nil.
func (r *Rows) OptInt() *int64 { return Optional(r, new(int64)) }

// Optional sets *to to an integer column and returns to; NULL is nil. The caller provides the
// memory, which rows may share.
func Optional[T ~int64](r *Rows, to *T) *T {
	v, ok := r.Raw().(int64)
	if !ok {
		return nil
	}
	*to = T(v)
	return to
}

// OptFloat returns a number; NULL is nil.
func (r *Rows) OptFloat() *float64 {
	switch v := r.Raw().(type) {
	case float64:
		return &v
	case int64:
		return new(float64(v))
	}
	return nil
}

// Text returns a text or a blob as a string; NULL is "".
func (r *Rows) Text() string {
	switch v := r.Raw().(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// Bytes returns a text or a blob; NULL is nil. The slice is the caller's.
func (r *Rows) Bytes() []byte {
	switch v := r.Raw().(type) {
	case []byte:
		return v
	case string:
		return []byte(v)
	}
	return nil
}

// maxInserts is the number of statements of one Conn after which InsertMany binds all columns.
const maxInserts = 64

// InsertMany inserts rows with one statement: head, which ends in VALUES, and the values of args,
// row after row. It changes args. Columns that are NULL in all rows are not bound: binding a NULL
// takes as long as binding a number, and most columns of the replies of one server are NULL.
func (c *Conn) InsertMany(head string, args []any, rows int) error {
	columns := len(args) / rows
	key := insertKey{head: head, rows: rows}
	for row := range slices.Chunk(args, columns) {
		for i, a := range row {
			if row[i] = bound(a); row[i] != nil {
				key.set |= 1 << i
			}
		}
	}
	s := c.many[key]
	if s == nil {
		if len(c.many) >= maxInserts {
			key.set = 1<<columns - 1
		}
		row := make([]string, columns)
		for i := range row {
			if row[i] = `?`; key.set>>i&1 == 0 {
				row[i] = `NULL`
			}
		}
		values := `(` + strings.Join(row, `, `) + `)`
		var err error
		if s, err = c.prepare(head + values + strings.Repeat(`, `+values, rows-1)); err != nil {
			return err
		}
		c.many[key] = s
	}
	set := args[:0] // overwrites only values that were read already
	for row := range slices.Chunk(args, columns) {
		for i, a := range row {
			if key.set>>i&1 == 1 {
				set = append(set, a)
			}
		}
	}
	_, err := s.s.(driver.StmtExecContext).ExecContext(context.Background(), s.bind(set))
	return wrapError(c.Path, err)
}

// SQLite locks twice for each column that is fetched, which is most of the time of a scan with many
// columns. The arguments of an SQL function need no locks. So QueryWide selects the function
// handover of the columns, which puts them into a wideRow.

// A wideDriver opens connections with the function handover. It holds each wideRow of an open
// cursor by its number, because the function gets nothing but its arguments.
type wideDriver struct {
	sqlite.Driver
	last atomic.Int64
	rows sync.Map // int64 to *wideRow
}

// sharedDriver returns the driver of all connections. There is one, because a function can never be
// unregistered.
var sharedDriver = sync.OnceValue(func() *wideDriver {
	// POSIX locks of a process end when it closes any handle of the file. Another process would
	// take itself for the last one then, and remove the log that this one writes. The error is
	// that of a system without other locks, for which there is no remedy.
	sqlite.OFDLocking(true)
	d := new(wideDriver)
	d.MustRegisterFunction("handover", &sqlite.FunctionImpl{NArgs: -1, Scalar: d.handover, VolatileArgs: true})
	return d
})

// A wideRow holds the columns of one row between handover and take.
type wideRow struct {
	number  int64
	columns []driver.Value
	full    bool
}

var errHandover = errors.New("the rows of a wide query are not handed over one by one: does SQLite sort them?")

// handover puts the columns, which follow the number of a wideRow, into that row.
func (d *wideDriver) handover(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	row, found := d.rows.Load(args[0])
	if !found || row.(*wideRow).full {
		return nil, errHandover
	}
	w := row.(*wideRow)
	w.columns, w.full = w.columns[:0], true
	for _, v := range args[1:] {
		w.columns = append(w.columns, owned(v))
	}
	return nil, nil
}

// owned returns a copy of an argument, whose memory SQLite reuses after the call.
func owned(v driver.Value) driver.Value {
	switch v := v.(type) {
	case string:
		return strings.Clone(v)
	case []byte:
		return append([]byte(nil), v...) // nil if it is empty, as for a column
	}
	return v
}

// take returns the columns that were handed over since the last call.
func (w *wideRow) take() ([]driver.Value, error) {
	if !w.full {
		return nil, errHandover
	}
	w.full = false
	return w.columns, nil
}

// open returns a wideRow with a new number.
func (d *wideDriver) open() *wideRow {
	w := &wideRow{number: d.last.Add(1)}
	d.rows.Store(w.number, w)
	return w
}

func (d *wideDriver) close(w *wideRow) { d.rows.Delete(w.number) }
