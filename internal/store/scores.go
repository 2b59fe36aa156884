package store

import (
	"context"
	"errors"

	"verbatim"
)

// scanScores yields the records of the positions from first to last in their order
// as Read.Scores describes them.
func scanScores(ctx context.Context, c *conn, run int64, what Read, first, last int64, yield func(verbatim.Record, error) bool) error {
	if what.Texts || what.Attempts {
		return errors.New("scores are read without texts and attempts")
	}
	s := newBriefs(c, run, what.Graders, first)
	if !what.Measures && !what.columns {
		whole, err := s.each(ctx, ``, first, last, func(_ *rows, rec *verbatim.Record, _ *brief) error {
			if !yield(*rec, nil) {
				return errStop
			}
			return nil
		})
		if whole || err != nil {
			return err
		}
	}
	return s.columns(ctx, positionKey(run, s.before+1), last, what.Measures, yield)
}

// columns yields scores of the columns that briefs repeat: for runs that have no
// briefs, for grades that are not the newest, and for measures.
func (s *briefs) columns(ctx context.Context, first, last int64, measures bool, yield func(verbatim.Record, error) bool) (err error) {
	grader := `g.grader = r.grader`
	if len(s.graders) > 0 {
		ids, err := wordIDs(ctx, s.c, s.graders)
		if err != nil {
			return err
		}
		grader = `g.grader IN (` + ids + `)`
	}
	packed := `NULL`
	if measures {
		packed = `g.measures`
	}
	// CROSS JOIN holds SQLite to this order of the tables: one walk along the run.
	r, err := s.c.query(ctx, `SELECT r.place, r.trial, r.outcome, i.tail, i.series, i.facts, i.grader,
			g.grader, g.outcome, g.label, g.exact, g.extracted, g.score, `+packed+`, CASE g.outcome WHEN ? THEN g.detail END
		FROM reply r CROSS JOIN item i ON i.id = r.item LEFT JOIN grade g ON g.place = r.place AND `+grader+`
		WHERE r.place BETWEEN ? AND ? ORDER BY r.place`, limitCode, first, last)
	if err != nil {
		return err
	}
	defer func() { // also when yield panics: the conn is used again
		if e := r.close(); err == nil {
			err = e
		}
	}()
	var b brief
	for n := 0; r.next(); n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		packed := b.row(r)
		if b.seq == s.before {
			continue // two of the graders that were asked for have judged it
		}
		if !b.graded && decode(outcomes, b.outcome).Answered() {
			return s.c.ungraded(ctx, s.run, b.seq, s.graders)
		}
		rec, err := s.record(&b)
		if err == nil && rec.Grade != nil {
			rec.Grade.Measures, err = s.mean.measures(packed)
		}
		if err != nil {
			return err
		}
		if s.before = b.seq; !yield(rec, nil) {
			return errStop
		}
	}
	return nil
}

// limitCode is the number of the outcome limit.
const limitCode = 4

// row reads a row of scores.columns, and returns the measures.
func (b *brief) row(r *rows) (measures []byte) {
	*b = brief{}
	b.seq, b.trial, b.outcome = sequenceOf(r.int()), r.int(), r.int()
	switch tail := r.raw().(type) {
	case int64:
		b.tail = tail
	case string:
		b.text = []byte(tail)
	default: // a damaged file
		b.text = []byte{}
	}
	b.series, b.facts, b.by = r.int(), r.int(), r.int()
	grader := r.maybe()
	if grader == nil {
		return nil
	}
	b.graded, b.grader, b.outcome, b.label = true, *grader, r.int(), r.int()
	b.strict, b.extracted = r.int() != 0, r.int() != 0
	if score := r.real(); score != nil {
		b.scored, b.score = true, *score
	}
	measures, b.detail = r.bytes(), r.bytes()
	return measures
}
