package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/store/sqlite"
)

// MaxSeq is the last position that a run can have. The number of a run and a position fit into
// one int64.
const MaxSeq = 1<<32 - 1

// positionKey returns the key of a position of a run, in the column place of several tables.
func positionKey(run, seq int64) int64 { return run<<32 | seq }

// sequenceOf returns the position in the run of a key.
func sequenceOf(position int64) int64 { return position & MaxSeq }

// span returns the first and the last key of a run.
func span(run int64) (first, last int64) { return positionKey(run, 0), positionKey(run, MaxSeq) }

// maxBatch is the most requests of a batch. No provider takes as many.
const maxBatch = 1 << 20

// A positionRange is the positions from First to Last, both included.
type positionRange struct{ First, Last int64 }

// rangesOf returns the ranges of rising positions.
func rangesOf(positions []int64) []positionRange {
	var list []positionRange
	for _, seq := range positions {
		if n := len(list); n > 0 && list[n-1].Last == seq-1 {
			list[n-1].Last = seq
		} else {
			list = append(list, positionRange{seq, seq})
		}
	}
	return list
}

// formatRanges writes rising positions as "0-99,105".
func formatRanges(positions []int64) string {
	var b []byte
	for i, r := range rangesOf(positions) {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, r.First, 10)
		if r.Last > r.First {
			b = append(b, '-')
			b = strconv.AppendInt(b, r.Last, 10)
		}
	}
	return string(b)
}

// parseRanges is the reverse of formatRanges. More than maxBatch positions, and a text that
// formatRanges would not write, are errors.
func parseRanges(s string) ([]int64, error) {
	var positions []int64
	before := int64(-1)
	for part := range strings.SplitSeq(s, ",") {
		from, to, found := strings.Cut(part, "-")
		if !found {
			to = from
		}
		first, err1 := strconv.ParseInt(from, 10, 64)
		last, err2 := strconv.ParseInt(to, 10, 64)
		if err1 != nil || err2 != nil || first <= before || last < first || last > MaxSeq || last-first >= int64(maxBatch-len(positions)) {
			return nil, fmt.Errorf("%.40q is not a range of positions after those before it, or there are more than %d positions", part, maxBatch)
		}
		for seq := first; seq <= last; seq++ {
			positions = append(positions, seq)
		}
		before = last
	}
	if formatRanges(positions) != s {
		return nil, fmt.Errorf("want positions such as 0-99,105, found %.40q", s)
	}
	return positions, nil
}

// Positions is the state of the positions of a run: which have an answer, how many attempts the
// others have had, and which are in a pending batch. It takes a bit for each position up to the
// last record, 16 bytes for each position with failed attempts only, and 8 for each pending one.
type Positions struct {
	answered BitSet
	tried    []tried // in the order of seq
	pending  []int64 // rising
}

// tried is the highest number n of an attempt at the position seq.
type tried struct{ seq, n int64 }

// Answered reports whether the position has an answer: it is not sent again.
func (p *Positions) Answered(seq int64) bool {
	return p.answered.Has(seq)
}

// Pending reports whether the position has no answer and is in a pending batch: it is not sent
// again unless that batch is abandoned.
func (p *Positions) Pending(seq int64) bool {
	_, pending := slices.BinarySearch(p.pending, seq)
	return pending && !p.Answered(seq)
}

// Attempts returns the highest number of an attempt at a position without an answer, 0 without
// any. The next attempt has the following number.
func (p *Positions) Attempts(seq int64) int {
	i, ok := slices.BinarySearchFunc(p.tried, seq, func(t tried, seq int64) int { return cmp.Compare(t.seq, seq) })
	if !ok {
		return 0
	}
	return int(p.tried[i].n)
}

// Positions reads the state of the positions of a run.
func (s *Store) Positions(ctx context.Context, run int64) (*Positions, error) {
	p := &Positions{}
	err := s.file.View(func(c *sqlite.Conn) error {
		batches, err := readBatches(ctx, c, run)
		if err != nil {
			return err
		}
		for _, b := range batches {
			if b.Pending() {
				p.pending = append(p.pending, b.Positions...)
			}
		}
		slices.Sort(p.pending)
		first, last := span(run)
		var n int64
		err = c.QueryEach(ctx, func(r *sqlite.Rows) {
			n++
			seq, outcome, attempts := sequenceOf(r.Int()), Decode(outcomes, r.Int()), r.Int()
			if outcome.Answered() {
				p.answered.Add(seq)
			} else if attempts > 0 {
				p.tried = append(p.tried, tried{seq, attempts})
			}
		}, `SELECT place, outcome, CASE WHEN grader IS NULL THEN (SELECT max(n) FROM attempt a WHERE a.place = reply.place) END
			FROM reply WHERE place BETWEEN ? AND ? ORDER BY place`, first, last)
		if err == nil {
			err = checkComplete(ctx, c, run, n) // a lost record would be paid for again
		}
		if err != nil {
			return err
		}
		err = c.QueryEach(ctx, func(r *sqlite.Rows) { p.tried = append(p.tried, tried{sequenceOf(r.Int()), r.Int()}) }, selectAttemptsOnly, first, last)
		slices.SortStableFunc(p.tried, func(a, b tried) int { return cmp.Compare(a.seq, b.seq) })
		return err
	})
	return p, err
}
