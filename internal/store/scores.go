package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"verbatim"
)

// scanScores yields the records of the places from first to last in their order
// as Read.Scores describes them.
func scanScores(ctx context.Context, c *conn, run int64, what Read, first, last int64, yield func(verbatim.Record, error) bool) error {
	if what.Texts || what.Attempts {
		return errors.New("scores are read without texts and attempts")
	}
	s := &scores{c: c, mean: newMeanings(c), run: run, graders: what.Graders, before: first&MaxSeq - 1}
	if !what.Measures && !what.columns {
		whole, err := s.briefs(ctx, first, last, yield)
		if whole || err != nil {
			return err
		}
	}
	return s.columns(ctx, placeOf(run, s.before+1), last, what.Measures, yield)
}

// scores makes records of briefs, or of the columns that they repeat.
type scores struct {
	c       *conn
	mean    *meanings
	run     int64
	graders []string
	before  int64 // the last place that was yielded

	// What words say, by their numbers: a scan asks for the same few all the time,
	// and a map takes longer to ask than all else of a record.
	text  [1024]said[string]
	facts [1024]said[map[string]string]
	// Records and ids are made many at a time.
	rest []scored
	ids  strings.Builder
}

type said[T any] struct {
	id int64
	v  T
}

// scored is what a record of a brief points to.
type scored struct {
	item  verbatim.Item
	grade verbatim.Grade
	score float64
}

// briefs reads briefs up to the first place whose brief is not there or is by
// another grader than is wanted. It reports whether it has come to the end.
func (s *scores) briefs(ctx context.Context, first, last int64, yield func(verbatim.Record, error) bool) (whole bool, err error) {
	wanted := map[int64]bool{}
	for _, text := range s.graders {
		if _, err := s.c.one(ctx, func(r *rows) { wanted[r.int()] = true }, `SELECT id FROM word WHERE text = ?`, text); err != nil {
			return false, err
		}
	}
	r, err := s.c.query(ctx, `SELECT brief FROM reply WHERE place BETWEEN ? AND ? ORDER BY place`, first, last)
	if err != nil {
		return false, err
	}
	defer func() { // also when yield panics: the conn is used again
		if e := r.close(); err == nil {
			err = e
		}
	}()
	var b brief
	var grader int64
	for n := 0; r.next(); n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		packed, ok := r.raw().([]byte)
		if !ok {
			return false, nil
		}
		if !b.unpack(packed) || b.seq <= s.before || b.seq > last&MaxSeq {
			return false, s.corrupt()
		}
		if b.graded && b.grader != grader {
			if len(s.graders) > 0 && !wanted[b.grader] {
				return false, nil
			}
			grader = b.grader
		}
		rec, err := s.record(&b)
		if err != nil {
			return false, err
		}
		if s.before = b.seq; !yield(rec, nil) {
			return false, errStop
		}
	}
	return true, nil
}

// columns is briefs for runs that have none, and for grades that are not the newest.
func (s *scores) columns(ctx context.Context, first, last int64, measures bool, yield func(verbatim.Record, error) bool) (err error) {
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
			g.grader, g.outcome, g.label, g.strict, g.payload, g.score, `+packed+`, CASE g.outcome WHEN ? THEN g.detail END
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
			return ungraded(s.run, b.seq, s.graders)
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
	b.seq, b.trial, b.outcome = seqOf(r.int()), r.int(), r.int()
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
	b.strict, b.payload = r.int() != 0, r.int() != 0
	if score := r.real(); score != nil {
		b.scored, b.score = true, *score
	}
	measures, b.detail = r.bytes(), r.bytes()
	return measures
}

// record makes a record of a brief.
func (s *scores) record(b *brief) (rec verbatim.Record, err error) {
	if len(s.rest) == 0 {
		s.rest = make([]scored, 32)
	}
	at := &s.rest[0]
	s.rest = s.rest[1:]
	series, err := s.word(b.series)
	if err != nil {
		return rec, err
	}
	at.item.ID = s.id(series, b)
	if at.item.Facts, err = s.factsOf(b.facts); err != nil {
		return rec, err
	}
	if at.item.Grader, err = s.word(b.by); err != nil {
		return rec, err
	}
	rec = verbatim.Record{Seq: b.seq, Item: &at.item, Trial: int(b.trial), Outcome: decode(outcomes, b.outcome)}
	if !b.graded {
		return rec, nil
	}
	g := &at.grade
	g.Outcome, g.Strict, g.Payload, g.Detail = rec.Outcome, b.strict, b.payload, string(b.detail)
	if g.Grader, err = s.word(b.grader); err != nil {
		return rec, err
	}
	if g.Label, err = s.word(b.label); err != nil {
		return rec, err
	}
	if b.scored {
		at.score = b.score
		g.Score = &at.score
	}
	rec.Grade = g
	return rec, nil
}

// id is joinID of what b says. Ids are parts of longer texts: each by itself would
// cost more to make than the rest of its record.
func (s *scores) id(series string, b *brief) string {
	const many = 4096
	need := len(series) + max(len(b.text), 20)
	if s.ids.Cap()-s.ids.Len() < need {
		s.ids = strings.Builder{}
		s.ids.Grow(max(need, many))
	}
	from := s.ids.Len()
	s.ids.WriteString(series)
	if b.text != nil {
		s.ids.Write(b.text)
	} else {
		var digits [20]byte
		s.ids.Write(strconv.AppendInt(digits[:0], b.tail, 10))
	}
	return s.ids.String()[from:]
}

// word returns the text with the number id; 0 is "".
func (s *scores) word(id int64) (string, error) {
	at := &s.text[uint64(id)%uint64(len(s.text))]
	if at.id != id {
		text, err := s.mean.of(id)
		if err != nil {
			return "", err
		}
		*at = said[string]{id, text}
	}
	return at.v, nil
}

// factsOf returns the facts that the word id holds; the map is shared.
func (s *scores) factsOf(id int64) (map[string]string, error) {
	at := &s.facts[uint64(id)%uint64(len(s.facts))]
	if at.id != id {
		facts, err := s.mean.facts(id)
		if err != nil {
			return nil, err
		}
		*at = said[map[string]string]{id, facts}
	}
	return at.v, nil
}

// ungraded says that an answer has no grade by the graders that were asked for.
func ungraded(run, seq int64, graders []string) error {
	return fmt.Errorf("place %d of run %d has no grade by %s: regrade the run", seq, run, strings.Join(graders, ", "))
}

func (s *scores) corrupt() error {
	return &Error{Kind: Corrupt, Path: s.c.path, What: fmt.Sprintf("the database is damaged: what run %d says after place %d cannot be read", s.run, s.before),
		Hint: "keep a copy of the file and bring back a backup"}
}
