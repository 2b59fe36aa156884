package store

import (
	"context"
	"iter"
	"sync"

	"verbatim"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// Pieces cuts the records of a run, of which positions are planned, into at most n
// streams, as even as the plan allows, which may be read at the same time: one after
// the other they are what Records streams. Each has a view of the file of its own, so
// that of a run that is being asked a later piece may hold records that are younger
// than the end of an earlier one. The stream that is the last to end ends in an *Error
// of Kind Corrupt where all of them have fewer or more records than are counted. From
// and Positions of what are not looked at.
func (s *Store) Pieces(ctx context.Context, run int64, what rows.Read, positions int64, n int) []iter.Seq2[verbatim.Record, error] {
	count := max(min(int64(n), positions), 1)
	all := &pieceCounts{s: s, run: run, read: make([]int64, count), left: count}
	var pieces []iter.Seq2[verbatim.Record, error]
	for i := range count {
		what.From = positions / count * i
		what.Positions = positions / count
		if i == count-1 {
			what.Positions = 0 // also what is saved beyond the plan
		}
		all.read[i] = -1
		what.Read = func(ctx context.Context, c *sqlite.Conn, n int64) error { return all.add(ctx, c, i, n) }
		piece := s.Records(ctx, run, what)
		pieces = append(pieces, func(yield func(verbatim.Record, error) bool) {
			if err := all.begin(ctx); err != nil {
				yield(verbatim.Record{}, err)
				return
			}
			piece(yield)
		})
	}
	return pieces
}

// pieceCounts makes sure that pieces together are a whole run. A run may grow while
// they are read, and none of its records is ever removed: together they have at least
// as many records as were counted before the first was read, and at most as many as
// are counted after the last.
type pieceCounts struct {
	s    *Store
	run  int64
	once sync.Once
	err  error // of once
	low  int64

	mu   sync.Mutex
	read []int64 // of each piece; -1 until it was read to its end
	left int64   // pieces that were not
}

// begin counts before the first piece is read.
func (p *pieceCounts) begin(ctx context.Context) error {
	p.once.Do(func() { p.low, p.err = p.now(ctx) })
	return p.err
}

// now counts on a view of its own: the one of a piece can be older than those of others.
func (p *pieceCounts) now(ctx context.Context) (n int64, err error) {
	err = p.s.file.With(func(c *sqlite.Conn) error {
		n, err = rows.SavedCount(ctx, c, p.run)
		return err
	})
	return n, err
}

// add takes the count of a piece that was read to its end.
func (p *pieceCounts) add(ctx context.Context, c *sqlite.Conn, piece, n int64) error {
	p.mu.Lock()
	if p.read[piece] < 0 {
		p.left--
	}
	p.read[piece] = n
	var sum int64
	for _, n := range p.read {
		sum += n
	}
	whole := p.left == 0
	p.mu.Unlock()
	if !whole || sum == p.low {
		return nil
	}
	high, err := p.now(ctx)
	if err == nil && (sum < p.low || sum > high) {
		err = rows.IncompleteError(ctx, c, p.run, high, sum)
	}
	return err
}
