package sqlite

import "context"

// A Layout is a schema with its history.
type Layout struct {
	ID     int64  // marks the file as ours: its application_id
	Tables string // the statements that make the newest version
	Steps  []Step // Steps[i] turns version i+1 into version i+2
	// Anchor selects a text and a count by the number of a row. The text of a row never
	// changes, and its count never falls: they tell a file from another one, and from an
	// older copy of it.
	Anchor string
}

// A Step brings a file from one version of the schema to the next, within a transaction.
type Step func(ctx context.Context, c *Conn) error

// Version is what user_version says in a file of this layout.
func (l Layout) Version() int64 { return int64(len(l.Steps)) + 1 }
