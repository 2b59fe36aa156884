package sqlite

import (
	"database/sql/driver"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"
)

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
