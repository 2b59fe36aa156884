package store

import (
	"database/sql/driver"
	"io"
)

// rows is an open cursor. Its getters take the columns of the current row from
// left to right.
type rows struct {
	path string
	r    driver.Rows
	dest []driver.Value
	i    int
	err  error
}

// next goes to the next row; it reports false at the end or after an error,
// which close returns.
func (r *rows) next() bool {
	if r.err != nil {
		return false
	}
	if err := r.r.Next(r.dest); err != nil {
		if err != io.EOF {
			r.err = wrapError(r.path, err)
		}
		return false
	}
	r.i = 0
	return true
}

func (r *rows) close() error {
	err := r.r.Close()
	if r.err == nil {
		r.err = wrapError(r.path, err)
	}
	return r.err
}

// raw returns the next column as the driver gives it; nil is NULL.
func (r *rows) raw() driver.Value {
	v := r.dest[r.i]
	r.i++
	return v
}

// skip passes over n columns.
func (r *rows) skip(n int) { r.i += n }

// int returns an integer column; NULL is 0.
func (r *rows) int() int64 {
	v, _ := r.raw().(int64)
	return v
}

// maybe returns an integer column; NULL is nil.
func (r *rows) maybe() *int64 { return optional(r, new(int64)) }

// optional returns to with the value of an integer column; NULL is nil.
func optional[T ~int64](r *rows, to *T) *T {
	v, ok := r.raw().(int64)
	if !ok {
		return nil
	}
	*to = T(v)
	return to
}

// real returns a number; NULL is nil.
func (r *rows) real() *float64 {
	switch v := r.raw().(type) {
	case float64:
		return &v
	case int64:
		f := float64(v)
		return &f
	}
	return nil
}

// str returns a text or a blob as a string; NULL is "".
func (r *rows) str() string {
	switch v := r.raw().(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// bytes returns a text or a blob; NULL is nil. The slice is the caller's.
func (r *rows) bytes() []byte {
	switch v := r.raw().(type) {
	case []byte:
		return v
	case string:
		return []byte(v)
	}
	return nil
}
