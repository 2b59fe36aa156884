package store

import (
	"context"

	"verbatim/internal/store/sqlite"
)

// A Store is an open database of runs. Its methods are safe for concurrent use, by several
// processes too. A lease makes sure that one process at a time writes a run.
type Store struct{ file *sqlite.File }

// Open opens the database at path for reading and writing, or only for reading if the file may
// not be written. A missing file is a Missing *sqlite.Error. A file with another schema is refused,
// and nothing is written to it.
func Open(ctx context.Context, path string, options ...sqlite.Option) (*Store, error) {
	return open(ctx, path, false, options...)
}

// Create is Open, and makes a missing database.
func Create(ctx context.Context, path string, options ...sqlite.Option) (*Store, error) {
	return open(ctx, path, true, options...)
}

func open(ctx context.Context, path string, create bool, options ...sqlite.Option) (*Store, error) {
	f, err := sqlite.Open(ctx, path, create, layout, options...)
	if err != nil {
		return nil, err
	}
	return &Store{f}, nil
}

// Path returns the name that the file was opened by.
func (s *Store) Path() string { return s.file.Path() }

// Close closes the file. Streams and Writers must be closed before. The last process that closes
// a file folds its log into it, so that one file remains.
func (s *Store) Close() error { return s.file.Close() }

// Check runs SQLite's integrity check of the whole file, and returns a Corrupt *sqlite.Error if it
// fails.
func (s *Store) Check(ctx context.Context) error { return s.file.Check(ctx) }
