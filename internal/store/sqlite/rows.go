package sqlite

import (
	"cmp"
	"database/sql/driver"
	"io"
)

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
