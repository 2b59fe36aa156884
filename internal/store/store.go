package store

import (
	"context"

	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// What the rows of a database hold, by the names that callers of a Store use.
type (
	Read       = rows.Read
	Batch      = rows.Batch
	UnknownRun = rows.UnknownRun
	TestClosed = rows.TestClosed
)

// The phases of a batch that is out, and the last position that a run can have.
const (
	Intended  = rows.Intended
	Submitted = rows.Submitted
	AnyTokens = rows.AnyTokens
	MaxSeq    = rows.MaxSeq
)

// A Store is an open database of runs. Its methods are safe for concurrent use, by
// several processes too; what only one may do at a time is leased.
type Store struct{ file *sqlite.File }

// Open opens the database at path for reading and writing, or for reading alone
// where the file may not be written. A missing file is an *Error of Kind
// Missing. A file of an older version is brought up to date after a copy is
// kept next to it.
func Open(ctx context.Context, path string, options ...sqlite.Option) (*Store, error) {
	return open(ctx, path, false, rows.Layout, options...)
}

// Create opens the database at path like Open and makes it when it is missing.
func Create(ctx context.Context, path string, options ...sqlite.Option) (*Store, error) {
	return open(ctx, path, true, rows.Layout, options...)
}

func open(ctx context.Context, path string, create bool, l sqlite.Layout, options ...sqlite.Option) (*Store, error) {
	f, err := sqlite.Open(ctx, path, create, l, options...)
	if err != nil {
		return nil, err
	}
	return &Store{f}, nil
}

// Path returns the name that the file was opened by.
func (s *Store) Path() string { return s.file.Path() }

// Close closes the file. Streams and Writers are closed before. The last process that
// closes a file folds its log into it, so that it is one file.
func (s *Store) Close() error { return s.file.Close() }

// Check reads the whole file and returns an *Error of Kind Corrupt when its contents
// contradict themselves.
func (s *Store) Check(ctx context.Context) error { return s.file.Check(ctx) }
