package store

import (
	"context"
	"iter"
	"sync"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// Pieces divides the records of a run with a number of planned positions into at most n streams of
// about the same length, which may be read at the same time. In their order, they are the stream
// of Records. Each has its own view of the file: if the run is being written, a later piece may
// have records that were saved after the end of an earlier one. If all streams together have
// fewer or more records than are counted, the one that ends last ends in a Corrupt *sqlite.Error.
// what.From and what.Positions are ignored.
func (s *Store) Pieces(ctx context.Context, run int64, what Read, positions int64, n int) []iter.Seq2[verbatim.Record, error] {
	count := max(min(int64(n), positions), 1)
	all := &pieceCounts{s: s, run: run, read: make([]int64, count), left: count}
	var pieces []iter.Seq2[verbatim.Record, error]
	for i := range count {
		what.From = positions / count * i
		what.Positions = positions / count
		if i == count-1 {
			what.Positions = 0 // includes records beyond the plan
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

// pieceCounts checks that the pieces of a run are complete. A run may grow while they are read, and
// its records are never removed. So the pieces have at least as many records as were counted
// before the first one was read, and at most as many as are counted after the last one.
type pieceCounts struct {
	s    *Store
	run  int64
	once sync.Once
	err  error // of once
	low  int64 // the count before the first piece was read

	mu   sync.Mutex
	read []int64 // the number of records by piece; -1 until it was read to its end
	left int64   // the number of pieces that were not read to their ends
}

// begin counts the records before the first piece is read.
func (p *pieceCounts) begin(ctx context.Context) error {
	p.once.Do(func() { p.low, p.err = p.now(ctx) })
	return p.err
}

// now counts the records in a new view: the view of a piece may be older than those of others.
func (p *pieceCounts) now(ctx context.Context) (n int64, err error) {
	err = p.s.file.With(func(c *sqlite.Conn) error {
		n, err = savedCount(ctx, c, p.run)
		return err
	})
	return n, err
}

// add takes n, the number of records of a piece that was read to its end. After the last piece it
// returns an error unless all are complete.
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
		err = incompleteError(ctx, c, p.run, high, sum)
	}
	return err
}
