package sqlite

import (
	"database/sql/driver"
	"io"
)

// Rows is an open cursor. Its getters take the columns of the current row from
// left to right.
type Rows struct {
	Path string
	r    driver.Rows
	dest []driver.Value // of the driver
	row  []driver.Value // of the getters
	i    int
	wide *wideRow // of QueryWide; nil: the row is dest
	Err  error
}

// Next goes to the next row; it reports false at the end or after an error,
// which close returns.
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

// Close closes the cursor and returns the first error that it had.
func (r *Rows) Close() error {
	err := r.r.Close()
	if r.wide != nil {
		sharedDriver().close(r.wide)
	}
	if r.Err == nil {
		r.Err = wrapError(r.Path, err)
	}
	return r.Err
}

// Raw returns the next column as the driver gives it; nil is NULL.
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

// Optional returns to with the value of an integer column; NULL is nil.
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
		f := float64(v)
		return &f
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
