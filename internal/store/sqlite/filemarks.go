package sqlite

import "context"

// fileMarks are the application id of a file, the version of its schema, and the number of its
// tables and indexes.
type fileMarks struct{ id, version, tables int64 }

// empty reports whether the file has no contents yet.
func (m fileMarks) empty() bool { return m == fileMarks{} }

func (c *Conn) marks(ctx context.Context) (m fileMarks, err error) {
	for _, q := range []struct {
		sql string
		to  *int64
	}{
		{"PRAGMA application_id", &m.id},
		{"PRAGMA user_version", &m.version},
		{"SELECT count(*) FROM sqlite_schema", &m.tables},
	} {
		if _, err := c.QueryOne(ctx, func(r *Rows) { *q.to = r.Int() }, q.sql); err != nil {
			return m, err
		}
	}
	return m, nil
}
