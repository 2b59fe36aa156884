package store

import (
	"context"
	"errors"
	"time"

	"verbatim"
)

// tableColumns are those of a reply that Read.Tables takes, in the order of
// tabulator.said.
const tableColumns = `, r.finish, r.finish_raw, r.prompt_tokens, r.completion_tokens, r.reasoning_tokens,
	r.start, r.first_content, r.total, r.served_model, r.cost, r.try`

// A tabulator makes the records of Read.Tables, each in the place of the one before it:
// what is allocated for a record takes as long as reading it.
type tabulator struct {
	c        *conn
	mean     *stringTable
	run      int64
	reply    verbatim.Reply
	failure  verbatim.Failure
	tokens   [3]int64
	cost     verbatim.Money
	first    time.Duration
	attempts []verbatim.Attempt

	measured map[string]float64 // nil: measures are not wanted

	failures, tries, grades sideCursor
}

// scanTables yields the records of the positions from first to last in their order as
// Read.Tables describes them.
func scanTables(ctx context.Context, c *conn, run int64, what Read, first, last int64, yield func(verbatim.Record, error) bool) (err error) {
	if what.Texts || what.Scores {
		return errors.New("tables are read without texts and scores")
	}
	s := newBriefs(c, run, what.Graders, first)
	if !what.columns {
		t := &tabulator{c: c, mean: s.mean, run: run}
		if what.Measures {
			t.measured = make(map[string]float64)
			t.grades = sideCursor{ctx: ctx, c: c, last: last, sql: `SELECT place, grader, measures FROM grade WHERE place BETWEEN ? AND ? ORDER BY place, grader`}
		}
		t.failures = sideCursor{ctx: ctx, c: c, last: last, sql: `SELECT place, class FROM failure WHERE place BETWEEN ? AND ? ORDER BY place`}
		t.tries = sideCursor{ctx: ctx, c: c, last: last, sql: `SELECT place, n, start, class, cost FROM attempt WHERE place BETWEEN ? AND ? ORDER BY place, k`}
		defer func() { // also when yield panics: the conn is used again
			for _, a := range []*sideCursor{&t.failures, &t.tries, &t.grades} {
				if e := a.close(); err == nil {
					err = e
				}
			}
		}()
		s.reuse = true
		whole, err := s.each(ctx, tableColumns, first, last, func(r *rows, rec *verbatim.Record, b *brief) error {
			if err := t.fill(r, rec, b); err != nil {
				return err
			}
			if !yield(*rec, nil) {
				return errStop
			}
			return nil
		})
		if whole || err != nil {
			return err
		}
	}
	what.Attempts = true
	return scan(ctx, c, run, what, `r.place BETWEEN ? AND ?`, []any{positionKey(run, s.before+1), last}, func(row *scanned) error {
		if !yield(row.rec, nil) {
			return errStop
		}
		return nil
	})
}

// fill adds to a record of a brief what the row and its neighbours say.
func (t *tabulator) fill(r *rows, rec *verbatim.Record, b *brief) error {
	place := positionKey(t.run, b.seq)
	if err := t.flags(rec.Grade, place, b); err != nil {
		return err
	}
	if t.measured != nil && b.graded {
		if err := t.measures(rec.Grade, place, b.grader); err != nil {
			return err
		}
	}
	finish, there := r.raw().(int64)
	if there {
		try, err := t.readReply(r, decode(finishes, finish))
		if err != nil {
			return err
		}
		rec.Reply = &t.reply
		switch {
		case try == 0: // which none has: they are in rows of their own
			if t.reply.Attempts, err = t.attemptsAt(place); err != nil {
				return err
			}
		case try > 1:
			t.attempts = append(t.attempts[:0], verbatim.Attempt{N: int(try), Start: t.reply.Times.Start})
			t.reply.Attempts = t.attempts
		}
	}
	if !rec.Outcome.Answered() {
		return t.fail(rec, place)
	}
	return nil
}

// readReply reads the columns of a reply after its finish, and returns the number of the
// only try; 0: the attempts are elsewhere.
func (t *tabulator) readReply(r *rows, finish verbatim.Finish) (try int64, err error) {
	t.reply = verbatim.Reply{Finish: finish}
	// The spelling of a known reason says no more.
	if word := r.int(); finish == verbatim.FinishOther {
		if t.reply.FinishRaw, err = t.mean.of(word); err != nil {
			return 0, err
		}
	}
	u, times := &t.reply.Usage, &t.reply.Times
	for i, to := range [...]**int64{&u.Prompt, &u.Completion, &u.Reasoning} {
		if n, ok := r.raw().(int64); ok {
			t.tokens[i] = n
			*to = &t.tokens[i]
		}
	}
	if n, ok := r.raw().(int64); ok {
		times.Start = time.Unix(0, n).UTC()
	}
	if n, ok := r.raw().(int64); ok {
		t.first = time.Duration(n)
		times.FirstContent = &t.first
	}
	times.Total = time.Duration(r.int())
	if t.reply.ServedModel, err = t.mean.of(r.int()); err != nil {
		return 0, err
	}
	if n, ok := r.raw().(int64); ok {
		t.cost = verbatim.Money(n)
		t.reply.Cost = &t.cost
	}
	return r.int(), nil
}

// flags adds those of a grade, which only briefs of this version know.
func (t *tabulator) flags(g *verbatim.Grade, place int64, b *brief) (err error) {
	if g == nil || b.told && b.flags == 0 {
		return nil
	}
	id := b.flags
	if !b.told {
		found, err := t.c.one(context.Background(), func(r *rows) { id = r.int() }, `SELECT flags FROM grade WHERE place = ? AND grader = ?`, place, b.grader)
		if err != nil {
			return err
		}
		if !found {
			return t.c.ungraded(context.Background(), t.run, sequenceOf(place), nil)
		}
	}
	g.Flags, err = t.mean.flags(id)
	return err
}

// measures adds those of a grade.
func (t *tabulator) measures(g *verbatim.Grade, place, grader int64) error {
	clear(t.measured)
	for {
		r, err := t.grades.at(place)
		if err == nil && r == nil {
			err = t.c.ungraded(context.Background(), t.run, sequenceOf(place), nil)
		}
		if err != nil {
			return err
		}
		if r.int() != grader {
			continue // another version's
		}
		packed, _ := r.raw().([]byte)
		g.Measures = t.measured
		return t.mean.measuresTo(t.measured, packed)
	}
}

// fail adds the failure of a record without an answer, if one is saved.
func (t *tabulator) fail(rec *verbatim.Record, place int64) error {
	r, err := t.failures.at(place)
	if r == nil || err != nil {
		return err
	}
	t.failure = verbatim.Failure{Class: decode(classes, r.int())}
	rec.Failure = &t.failure
	if rec.Reply == nil {
		t.failure.Attempts, err = t.attemptsAt(place)
	}
	return err
}

// attemptsAt reads the attempts of a position that have rows of their own.
func (t *tabulator) attemptsAt(place int64) ([]verbatim.Attempt, error) {
	t.attempts = t.attempts[:0]
	for {
		r, err := t.tries.at(place)
		if r == nil || err != nil {
			return t.attempts, err
		}
		t.attempts = append(t.attempts, verbatim.Attempt{N: int(r.int()), Start: moment(r.maybe()),
			Class: decode(classes, r.int()), Cost: (*verbatim.Money)(r.maybe())})
	}
}

// An aside walks along a table next to the replies, whose rows begin with the position,
// from the first place that is asked for on: one walk, where a search for every
// place would take several times as long as the rest of its record.
type sideCursor struct {
	ctx  context.Context
	c    *conn
	sql  string
	last int64

	r     *rows
	place int64 // of the row that waits to be taken
	over  bool
}

// at returns the next row of a position behind its first column, nil without one
// any more. Positions are asked for in rising order.
func (a *sideCursor) at(place int64) (*rows, error) {
	if a.r == nil {
		var err error
		if a.r, err = a.c.query(a.ctx, a.sql, place, a.last); err != nil {
			return nil, err
		}
		a.step()
	}
	for !a.over && a.place < place {
		a.step()
	}
	if a.over {
		return nil, a.r.err
	}
	if a.place > place {
		return nil, nil
	}
	a.place = -1 // it is taken: the next call goes on
	return a.r, nil
}

func (a *sideCursor) step() {
	if a.over = !a.r.next(); !a.over {
		a.place = a.r.int()
	}
}

func (a *sideCursor) close() error {
	if a.r == nil {
		return nil
	}
	return a.r.close()
}
