package store

import (
	"context"
	"io"

	"verbatim/internal/store/sqlite"
)

// Export writes whole runs as JSON lines, in the given order. After Import into another database,
// Export writes the same bytes.
func (s *Store) Export(ctx context.Context, w io.Writer, runs ...int64) error {
	return s.file.View(func(c *sqlite.Conn) error { return Export(ctx, c, w, runs...) })
}

// Import reads what Export has written. A run is identified by its uid: if the database has the
// run already, Import adds what it lacks, and replaces no answer. A run is imported completely or,
// after an error, not at all; the runs before it stay. An error in a line is a
// *lineError.
//
// An import commits in slices, so that other processes can write in between. A new run is hidden
// until it is complete: after a kill, the next writer removes its records. The lines of a run that
// the database has already are read to their end before the first of them is saved. After a kill,
// the records that were saved stay, and another import of the same lines completes them.
func (s *Store) Import(ctx context.Context, r io.Reader) ([]importResult, error) {
	return Import(ctx, s.file, r)
}
