package sqlite

import "fmt"

// A Layout is a schema.
type Layout struct {
	ID      int64  // the application_id of files with this schema
	Version int64  // their user_version
	Tables  string // the statements that make it
	// Anchor is a statement that selects a text and a count by a row number. The text of a row
	// never changes, and its count never falls. So they distinguish a file from other files and
	// from earlier copies of it.
	Anchor string
}

// check refuses a file with contents that has another schema. It is called before anything is written
// to the file.
func (l Layout) check(path string, m fileMarks) error {
	switch {
	case m.id != l.ID:
		return &Error{Kind: Foreign, Path: path, What: "is a database of another program, or of a verbatim from before its first release",
			Hint: "name another file with --db; the verbatim that wrote the file exports its runs to JSON lines: `verbatim export`"}
	case m.version != l.Version:
		return &Error{Kind: Version, Path: path,
			What: fmt.Sprintf("was written by another version of verbatim: its schema has number %d, and this program reads %d", m.version, l.Version),
			Hint: "export its runs to JSON lines with the verbatim that wrote it (`verbatim export`), or name another file with --db"}
	}
	return nil
}
