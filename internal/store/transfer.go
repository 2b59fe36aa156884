package store

import (
	"context"
	"io"

	"verbatim/internal/store/jsonlines"
	"verbatim/internal/store/sqlite"
)

// Export writes runs with all that belongs to them as JSON lines, in the order
// given. What Import makes of them is exported as the same bytes again.
func (s *Store) Export(ctx context.Context, w io.Writer, runs ...int64) error {
	return s.file.View(func(c *sqlite.Conn) error { return jsonlines.Export(ctx, c, w, runs...) })
}

// Import reads what Export wrote. A run is known by its uid: one that the file
// has already is completed, never doubled, and no answer is replaced. Each run is
// imported whole or, when anything is wrong with it, not at all; the runs before
// it stay. What is wrong with a line is a *LineError.
//
// An import commits in slices, so that a run that is under way goes on. A new run is
// hidden before it is complete; of an import that was killed the next writer
// removes what there is. Lines for a run that is here already are read to their end
// before the first of them is saved; where the import is killed then, what it has
// saved stays, and the same import completes it.
func (s *Store) Import(ctx context.Context, r io.Reader) ([]jsonlines.ImportResult, error) {
	return jsonlines.Import(ctx, s.file, r)
}
