package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"
	"strings"
)

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
