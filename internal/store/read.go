package store

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// Records streams the records of a run in planned order, in one pass over one unchanging view of
// the file. A run that is read to its end and has fewer or more records than are counted is a
// Corrupt *sqlite.Error. After an error the stream ends.
//
// The caller may keep a record, except with Read.Tables, and must not change it: records share
// memory, so a record that is kept may keep a few kilobytes of others.
//
// Several streams may be read at the same time, of the same run too: each has its own connection
// and view.
func (s *Store) Records(ctx context.Context, run int64, what Read) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		err := s.file.View(func(c *sqlite.Conn) error {
			first, last, err := what.Span(run)
			if err != nil {
				return err
			}
			switch {
			case what.Scores && (what.Texts || what.Attempts || what.Tables):
				return errors.New("Read.Scores excludes Texts, Attempts and Tables")
			case what.Tables && what.Texts:
				return errors.New("Read.Tables excludes Texts")
			}
			var n int64
			err = NewScanner(ctx, c, run, what, first, last).Each(func(row *Row) error {
				if n++; !yield(row.Rec, nil) {
					return errStop
				}
				return nil
			})
			if err == nil && what.Read != nil {
				return what.Read(ctx, c, n)
			}
			if err == nil {
				err = checkCompleteRange(ctx, c, run, first, last, n)
			}
			return err
		})
		if err != nil && err != errStop {
			yield(verbatim.Record{}, err)
		}
	}
}

// Record returns the whole record of a trial of an item. A missing record is an error.
func (s *Store) Record(ctx context.Context, run int64, item string, trial int) (verbatim.Record, error) {
	var found *verbatim.Record
	err := s.file.View(func(c *sqlite.Conn) error {
		first, last := span(run)
		series, tail := splitID(item)
		what := Read{Texts: true, Measures: true, Attempts: true}
		where := `r.place BETWEEN ? AND ? AND r.trial = ? AND r.item IN
			(SELECT i.id FROM item i JOIN word w ON w.id = i.series WHERE i.tail = ? AND w.text = ?)`
		s := NewScanner(ctx, c, run, what, first, last)
		err := s.byColumns(where, []any{first, last, trial, tail, series}, func(row *Row) error {
			found = &row.Rec
			return errStop
		})
		if err == errStop {
			err = nil
		}
		return err
	})
	if err != nil {
		return verbatim.Record{}, err
	}
	if found == nil {
		return verbatim.Record{}, fmt.Errorf("run %d has no record of item %q, trial %d", run, item, trial)
	}
	return *found, nil
}
