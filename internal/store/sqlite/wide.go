package sqlite

import (
	"database/sql/driver"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"
)

// SQLite takes a lock twice for each column that is fetched, which is most of the time of a
// scan with many columns. The arguments of an SQL function come without locks. So QueryWide
// selects the function handover of the columns, which leaves them in a wideRow.

// A wideDriver opens connections that know the function handover, and holds the rows of their
// open cursors by number, since the arguments of the function are all that it gets.
type wideDriver struct {
	sqlite.Driver
	last atomic.Int64
	rows sync.Map // int64 to *wideRow
}

// sharedDriver opens all connections: the driver below it never forgets a function.
var sharedDriver = sync.OnceValue(func() *wideDriver {
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

// owned is a value that is not in SQLite's memory, where arguments are gone after the call.
func owned(v driver.Value) driver.Value {
	switch v := v.(type) {
	case string:
		return strings.Clone(v)
	case []byte:
		return append([]byte(nil), v...) // nil if it is empty, as a column is
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

// open returns a row with a number of its own.
func (d *wideDriver) open() *wideRow {
	w := &wideRow{number: d.last.Add(1)}
	d.rows.Store(w.number, w)
	return w
}

func (d *wideDriver) close(w *wideRow) { d.rows.Delete(w.number) }
