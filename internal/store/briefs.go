package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"verbatim"
)

// briefs reads the briefs of a run and makes records of them. It belongs to one conn.
type briefs struct {
	c       *conn
	mean    *stringTable
	run     int64
	graders []string // that are wanted; none: the newest
	before  int64    // the last place that was read
	reuse   bool     // a record is good until the next one is read

	// Records and ids are made many at a time.
	rest []briefRefs
	ids  strings.Builder
}

// briefRefs is what the record of a brief points to.
type briefRefs struct {
	item  verbatim.Item
	grade verbatim.Grade
	score float64
}

func newBriefs(c *conn, run int64, graders []string, first int64) *briefs {
	return &briefs{c: c, mean: newStringTable(c), run: run, graders: graders, before: sequenceOf(first) - 1}
}

// each reads the positions from first to last up to one whose brief is not there or
// is by another grader than is wanted, and reports whether it has come to the end.
// more names further columns of the reply r, each after a comma; do takes them.
func (s *briefs) each(ctx context.Context, more string, first, last int64, do func(r *rows, rec *verbatim.Record, b *brief) error) (whole bool, err error) {
	wanted := map[int64]bool{}
	for _, text := range s.graders {
		if _, err := s.c.one(ctx, func(r *rows) { wanted[r.int()] = true }, `SELECT id FROM word WHERE text = ?`, text); err != nil {
			return false, err
		}
	}
	r, err := s.c.query(ctx, `SELECT r.brief`+more+` FROM reply r WHERE r.place BETWEEN ? AND ? ORDER BY r.place`, first, last)
	if err != nil {
		return false, err
	}
	defer func() { // also when do panics: the conn is used again
		if e := r.close(); err == nil {
			err = e
		}
	}()
	var b brief
	for n := 0; r.next(); n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		packed, ok := r.raw().([]byte)
		if !ok {
			return false, nil
		}
		if !b.unpack(packed) || b.seq <= s.before || b.seq > sequenceOf(last) {
			return false, s.corrupt()
		}
		if b.graded && len(s.graders) > 0 && !wanted[b.grader] {
			return false, nil
		}
		rec, err := s.record(&b)
		if err != nil {
			return false, err
		}
		s.before = b.seq
		if err := do(r, &rec, &b); err != nil {
			return false, err
		}
	}
	return true, nil
}

// scanNarrow is scan for the positions from first to last where neither texts nor
// measures are read: what it can it takes from the briefs.
func scanNarrow(ctx context.Context, c *conn, run int64, what Read, first, last int64, do func(*scanned) error) error {
	what.run = run
	b := newBriefs(c, run, what.Graders, first)
	s := &scanner{c: c, mean: b.mean, read: what}
	whole, err := b.each(ctx, `, r.max_tokens, `+replyColumns, first, last, func(r *rows, rec *verbatim.Record, b *brief) error {
		row := scanned{rec: *rec}
		row.rec.MaxTokens = int(r.int())
		err := s.reply(r, &row)
		if err == nil && b.more {
			err = s.gradeRest(row.rec.Grade, positionKey(run, b.seq), b.grader)
		}
		if err == nil && (what.Attempts || !row.rec.Outcome.Answered()) {
			err = s.details(&row)
		}
		if err != nil {
			return err
		}
		return do(&row)
	})
	if whole || err != nil {
		return err
	}
	return scan(ctx, c, run, what, `r.place BETWEEN ? AND ?`, []any{positionKey(run, b.before+1), last}, do)
}

// gradeRest reads what a brief does not say of a grade.
func (s *scanner) gradeRest(g *verbatim.Grade, place, grader int64) error {
	var repair, flags int64
	found, err := s.c.one(context.Background(), func(r *rows) { repair, flags, g.Detail = r.int(), r.int(), r.str() },
		`SELECT repair, flags, detail FROM grade WHERE place = ? AND grader = ?`, place, grader)
	if err == nil && !found {
		err = s.c.ungraded(context.Background(), s.read.run, sequenceOf(place), nil)
	}
	if err == nil {
		g.Repair, err = s.mean.of(repair)
	}
	if err == nil {
		g.Flags, err = s.mean.flags(flags)
	}
	return err
}

// record makes a record of a brief.
func (s *briefs) record(b *brief) (rec verbatim.Record, err error) {
	if len(s.rest) == 0 {
		s.rest = make([]briefRefs, 32)
	}
	at := &s.rest[0]
	if !s.reuse {
		s.rest = s.rest[1:]
	}
	series, err := s.mean.of(b.series)
	if err != nil {
		return rec, err
	}
	at.item.ID = s.id(series, b)
	if at.item.Facts, err = s.mean.facts(b.facts); err != nil {
		return rec, err
	}
	if at.item.Grader, err = s.mean.of(b.by); err != nil {
		return rec, err
	}
	rec = verbatim.Record{Seq: b.seq, Item: &at.item, Trial: int(b.trial), Outcome: decode(outcomes, b.outcome)}
	if !b.graded {
		return rec, nil
	}
	g := &at.grade
	g.Outcome, g.Exact, g.Extracted, g.Detail = rec.Outcome, b.strict, b.extracted, string(b.detail)
	g.Score, g.Flags = nil, nil
	if g.Grader, err = s.mean.of(b.grader); err != nil {
		return rec, err
	}
	if g.Label, err = s.mean.of(b.label); err != nil {
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
func (s *briefs) id(series string, b *brief) string {
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

func (s *briefs) corrupt() error {
	return &Error{Kind: Corrupt, Path: s.c.path, What: fmt.Sprintf("the database is damaged: what run %d says after place %d cannot be read", s.run, s.before),
		Hint: verifyHint}
}
