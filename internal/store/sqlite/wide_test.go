package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"testing"
)

// wideFile makes a connection to a table with every kind of value, in rows 1 to 3.
func wideFile(t *testing.T) *Conn {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	c, err := Dial(path, path, "rwc")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, _, err := c.ExecOnce(`CREATE TABLE x (id INTEGER PRIMARY KEY, i, f, t, b)`); err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]any{{1, 7, 0.5, "a\x00b", []byte{0, 1}}, {2, nil, nil, "", []byte{}}, {3, int64(-1) << 62, 1e300, "ü\xff", []byte("x")}} {
		if _, _, err := c.Exec(`INSERT INTO x VALUES (?, ?, ?, ?, ?)`, row...); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// readAll collects the columns of all rows.
func readAll(t *testing.T, r *Rows, columns int) (all [][]any) {
	t.Helper()
	for r.Next() {
		var row []any
		for range columns {
			row = append(row, r.Raw())
		}
		all = append(all, row)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestQueryWide wants what Query gives, of two cursors that are read in turn, and no row left
// open.
func TestQueryWide(t *testing.T) {
	c, ctx := wideFile(t), context.Background()
	plain, err := c.Query(ctx, `SELECT id, i, f, t, b FROM x WHERE id > ? ORDER BY id`, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := readAll(t, plain, 5)
	if len(want) != 3 {
		t.Fatalf("%d rows", len(want))
	}
	outer, err := c.QueryWide(ctx, `id, i, f, t, b`, `FROM x WHERE id > ? ORDER BY id`, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]any
	for outer.Next() {
		row := []any{outer.Raw()}
		inner, err := c.QueryWide(ctx, `i, f, t, b`, `FROM x WHERE id = ?`, row[0])
		if err != nil {
			t.Fatal(err)
		}
		row = append(row, readAll(t, inner, 4)[0]...)
		if outer.Skip(3); !reflect.DeepEqual(outer.Raw(), row[4]) {
			t.Errorf("row %v changed while another was read", row[0])
		}
		got = append(got, row)
	}
	if err := outer.Close(); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("wide rows are\n%#v, want\n%#v", got, want)
	}
	wantNoneOpen(t)
}

func wantNoneOpen(t *testing.T) {
	t.Helper()
	sharedDriver().rows.Range(func(number, _ any) bool {
		t.Errorf("row %d is still open", number)
		return true
	})
}

// TestWideRowsAreNotSorted wants an error where SQLite has all rows handed over before it gives
// the first one.
func TestWideRowsAreNotSorted(t *testing.T) {
	c, ctx := wideFile(t), context.Background()
	r, err := c.QueryWide(ctx, `id, i`, `FROM x ORDER BY f`)
	if err == nil {
		if r.Next() {
			t.Error("a row was given")
		}
		err = r.Close()
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("rows that are sorted: %v", err)
	}
	wantNoneOpen(t)
}
