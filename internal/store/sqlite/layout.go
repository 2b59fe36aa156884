package sqlite

import "context"

// A Layout is a schema with its history.
type Layout struct {
	ID     int64  // the application_id of files of this program
	Tables string // the statements that make the newest version
	Steps  []Step // Steps[i] turns version i+1 into version i+2
	// Anchor is a statement that selects a text and a count by a row number. The text of a row
	// never changes, and its count never falls. So they distinguish a file from other files and
	// from earlier copies of it.
	Anchor string
}

// A Step turns one version of the schema into the next, within a transaction.
type Step func(ctx context.Context, c *Conn) error

// Version returns the newest version, the user_version of a file.
func (l Layout) Version() int64 { return int64(len(l.Steps)) + 1 }
