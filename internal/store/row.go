package store

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"verbatim"
)

// The columns of a record without its texts, in the order in which scanner.row
// takes them.
const narrowColumns = `
	r.place, r.item, i.hash, r.trial, r.prompt, r.grader, r.max_tokens, r.outcome, ` + replyColumns + `,
	i.tail, i.series, i.facts, i.grader, r.brief`

// The columns of a reply without its texts, in the order in which scanner.reply
// takes them.
const replyColumns = `r.finish, r.finish_raw,
	r.prompt_tokens, r.completion_tokens, r.reasoning_tokens, r.cached_tokens,
	r.start, r.first_byte, r.first_reasoning, r.first_content, r.total,
	r.served_model, r.fingerprint, r.reasoning_field,
	r.sent, r.applied, r.cost, r.batch, r.try, r.try_wait, r.try_total, r.try_status, r.try_bytes, r.claimed`

// The columns of a grade, in the order in which scanner.grade takes them.
const gradeColumns = `
	g.grader, g.outcome, g.label, g.exact, g.extracted, g.score, g.repair, g.flags, g.detail, g.measures`

// The columns of the texts, in the order in which scanner.texts takes them.
const textColumns = `
	q.prompt, q.want, q.source, a.place, a.text, a.reasoning, a.request_id, a.limits`

// A scanner makes records of rows. It belongs to one conn.
type scanner struct {
	c    *conn
	mean *stringTable
	read Read
}

// A scanned row is a record with the numbers that the export needs next to it.
type scanned struct {
	rec    verbatim.Record
	item   int64
	hash   int64 // of the item
	prompt *int64
	grader int64   // word of the newest grade's
	text   itemRow // the JSON of the item, where texts are read
	sent   int64   // word of what was sent, as the column has it
	plain  *verbatim.Attempt
	brief  brief // where there is one
}

// row makes a record of the current row.
func (s *scanner) row(r *rows) (row scanned, err error) {
	rec := &row.rec
	rec.Seq = sequenceOf(r.int())
	row.item, row.hash = r.int(), r.int()
	rec.Trial = int(r.int())
	row.prompt, row.grader = r.maybe(), r.int()
	rec.MaxTokens = int(r.int())
	outcome := r.int()
	rec.Outcome = decode(outcomes, outcome)
	if err := s.reply(r, &row); err != nil {
		return row, err
	}
	it := savedItem{id: row.item, tail: r.raw(), series: r.int(), facts: r.int(), grader: r.int()}
	if rec.Item, err = s.item(it); err != nil {
		return row, err
	}
	packed := r.bytes()
	if rec.Grade, err = s.grade(r); err != nil {
		return row, err
	}
	if packed != nil && (!row.brief.unpack(packed) || !row.brief.matches(&row, it, outcome) || !s.matchesGrade(&row.brief, rec.Grade)) {
		return row, s.c.damage("the brief of place %d of run %d says something else than its columns", rec.Seq, s.read.run)
	}
	if rec.Grade != nil {
		rec.Outcome = rec.Grade.Outcome
	}
	if s.read.Texts {
		err = s.texts(r, &row)
	}
	if err == nil && (s.read.Attempts || !rec.Outcome.Answered()) {
		err = s.details(&row)
	}
	return row, err
}

// replyCount is how many columns replyColumns are.
const replyCount = 24

// reply makes a reply of its columns; none when there is none.
func (s *scanner) reply(r *rows, row *scanned) (err error) {
	finish := r.maybe()
	if finish == nil {
		r.skip(replyCount - 1)
		return nil
	}
	reply := &verbatim.Reply{Finish: decode(finishes, *finish)}
	row.rec.Reply = reply
	raw := r.int()
	u, t := &reply.Usage, &reply.Times
	u.Prompt, u.Completion, u.Reasoning, u.Cached = r.maybe(), r.maybe(), r.maybe(), r.maybe()
	t.Start = moment(r.maybe())
	t.FirstByte, t.FirstReasoning, t.FirstContent = r.span(), r.span(), r.span()
	t.Total = time.Duration(r.int())
	for _, w := range []struct {
		id int64
		to *string
	}{{raw, &reply.FinishRaw}, {r.int(), &reply.ServedModel}, {r.int(), &reply.Fingerprint}, {r.int(), &reply.ReasoningField}} {
		if *w.to, err = s.mean.of(w.id); err != nil {
			return err
		}
	}
	row.sent = r.int()
	if reply.Applied, err = s.mean.of(r.int()); err != nil {
		return err
	}
	reply.Cost = (*verbatim.Money)(r.maybe())
	if reply.Batch, err = s.mean.of(r.int()); err != nil {
		return err
	}
	try, wait, total, status, bytes := r.maybe(), time.Duration(r.int()), r.span(), r.int(), r.int()
	reply.Claimed = (*verbatim.Money)(r.maybe())
	if try != nil {
		row.plain = &verbatim.Attempt{N: int(*try), Start: t.Start, Total: t.Total, Wait: wait, Status: int(status), Bytes: bytes}
		if total != nil {
			row.plain.Total = *total
		}
	}
	return nil
}

func (s *scanner) item(it savedItem) (*verbatim.Item, error) {
	series, err := s.mean.of(it.series)
	if err != nil {
		return nil, err
	}
	facts, err := s.mean.facts(it.facts)
	if err != nil {
		return nil, err
	}
	grader, err := s.mean.of(it.grader)
	return &verbatim.Item{ID: joinID(series, it.tail), Facts: facts, Grader: grader}, err
}

// matches reports whether a brief says what the columns of its reply and its item say.
func (b *brief) matches(row *scanned, it savedItem, outcome int64) bool {
	text, numbered := "", b.text == nil
	if !numbered {
		text = string(b.text)
	}
	switch tail := it.tail.(type) {
	case int64:
		if numbered && tail != b.tail || !numbered && text != strconv.FormatInt(tail, 10) {
			return false
		}
	case string:
		if numbered || text != tail {
			return false
		}
	}
	return b.seq == row.rec.Seq && b.trial == int64(row.rec.Trial) && b.outcome == outcome && b.grader == row.grader &&
		b.series == it.series && b.facts == it.facts && b.by == it.grader
}

// matchesGrade reports whether a brief says what a grade says, where that is the one that
// it is about.
func (s *scanner) matchesGrade(b *brief, g *verbatim.Grade) bool {
	if g == nil {
		return true
	}
	if by, err := s.mean.of(b.grader); err != nil || by != g.Grader {
		return err == nil
	}
	label, err := s.mean.of(b.label)
	return err == nil && label == g.Label && b.strict == g.Exact && b.extracted == g.Extracted &&
		b.scored == (g.Score != nil) && (g.Score == nil || *g.Score == b.score) && decode(outcomes, b.outcome) == g.Outcome
}

// grade makes a grade of its columns; nil when they are NULL.
func (s *scanner) grade(r *rows) (*verbatim.Grade, error) {
	id := r.maybe()
	if id == nil {
		r.skip(gradeCount - 1)
		return nil, nil
	}
	var g verbatim.Grade
	var err error
	if g.Grader, err = s.mean.of(*id); err != nil {
		return nil, err
	}
	g.Outcome = decode(outcomes, r.int())
	if g.Label, err = s.mean.of(r.int()); err != nil {
		return nil, err
	}
	g.Exact, g.Extracted, g.Score = r.int() != 0, r.int() != 0, r.real()
	if g.Repair, err = s.mean.of(r.int()); err != nil {
		return nil, err
	}
	if g.Flags, err = s.mean.flags(r.int()); err != nil {
		return nil, err
	}
	g.Detail = r.str()
	packed := r.bytes()
	if s.read.Measures {
		g.Measures, err = s.mean.measures(packed)
	}
	return &g, err
}

// gradeCount is how many columns gradeColumns are.
const gradeCount = 10

// texts fills in what a record without texts lacks.
func (s *scanner) texts(r *rows, row *scanned) error {
	rec := &row.rec
	row.text = itemRow{prompt: r.str(), want: r.str(), source: r.str()}
	it, err := decodeItem(row.text, s.c.image)
	if err != nil {
		return s.corrupt(err)
	}
	it.ID, it.Facts, it.Grader = rec.Item.ID, rec.Item.Facts, rec.Item.Grader
	if again, err := encodeItem(it); err != nil || again.hash != row.hash {
		return s.c.damage("item %q of place %d is not what its hash says", it.ID, rec.Seq)
	}
	rec.Item = it
	switch {
	case row.prompt == nil:
		rec.Prompt = it.Prompt
	case *row.prompt != 0:
		_, body, err := s.c.promptBody(context.Background(), *row.prompt)
		if err != nil {
			return err
		}
		if rec.Prompt, err = decodePrompt(body, s.c.image); err != nil {
			return s.corrupt(err)
		}
	}
	if rec.Reply == nil {
		return nil
	}
	if rec.Reply.Sent, err = s.mean.of(max(row.sent, -row.sent)); err != nil {
		return err
	}
	if row.sent < 0 {
		rec.Reply.Sent = unmaskTokenLimit(rec.Reply.Sent, rec.MaxTokens)
	}
	if r.raw() == nil {
		return s.c.damage("the answer of place %d of run %d is missing", rec.Seq, s.read.run)
	}
	rec.Reply.Text, rec.Reply.Reasoning, rec.Reply.RequestID = r.str(), r.str(), r.str()
	if limits := r.bytes(); limits != nil {
		if err := json.Unmarshal(limits, &rec.Reply.Limits); err != nil {
			return s.corrupt(err)
		}
	}
	return nil
}

// promptBody returns the hash and the JSON of the prompt with the number id.
func (c *conn) promptBody(ctx context.Context, id int64) (hash int64, body string, err error) {
	found, err := c.one(ctx, func(r *rows) { hash, body = r.int(), r.str() }, `SELECT hash, body FROM prompt WHERE id = ?`, id)
	switch {
	case err != nil:
	case !found:
		err = c.damage("a prompt is missing")
	case hashOf(body) != hash:
		err = c.damage("a prompt is not what its hash says")
	}
	return hash, body, err
}

// next to reads what is in rows of its own: the failure and the attempts.
func (s *scanner) details(row *scanned) error {
	rec := &row.rec
	ctx, place := context.Background(), positionKey(s.read.run, rec.Seq)
	if !rec.Outcome.Answered() {
		var text string
		f := &verbatim.Failure{}
		found, err := s.c.one(ctx, func(r *rows) {
			f.Class, f.Status, f.After = decode(classes, r.int()), int(r.int()), time.Duration(r.int())
			f.Who, f.Hint, text = r.str(), r.str(), r.str()
		}, `SELECT class, status, after, who, hint, error FROM failure WHERE place = ?`, place)
		if err != nil {
			return err
		}
		if text != "" {
			f.Err = errors.New(text)
		}
		if found {
			rec.Failure = f
		}
	}
	if !s.read.Attempts || rec.Reply == nil && rec.Failure == nil {
		return nil
	}
	if row.plain != nil {
		row.plain.RequestID = rec.Reply.RequestID
		rec.Reply.Attempts = []verbatim.Attempt{*row.plain}
		return nil
	}
	list, err := s.c.attempts(ctx, place)
	if rec.Reply != nil {
		rec.Reply.Attempts = list
	} else {
		rec.Failure.Attempts = list
	}
	return err
}

// attempts reads the attempts at a position that stand in rows of their own.
func (c *conn) attempts(ctx context.Context, place int64) (list []verbatim.Attempt, err error) {
	gap := false
	err = c.each(ctx, func(r *rows) {
		gap = r.int() != int64(len(list)) || gap
		list = append(list, verbatim.Attempt{
			N: int(r.int()), Start: moment(r.maybe()), Total: time.Duration(r.int()), Wait: time.Duration(r.int()),
			Status: int(r.int()), Class: decode(classes, r.int()), Bytes: r.int(),
			RequestID: r.str(), Err: r.str(), Partial: r.str(),
			Cost: (*verbatim.Money)(r.maybe()),
		})
	}, `SELECT k, n, start, total, wait, status, class, bytes, request_id, error, partial, cost FROM attempt WHERE place = ? ORDER BY k`, place)
	if err == nil && gap {
		err = c.damage("an attempt of place %d of run %d is missing", sequenceOf(place), place>>32)
	}
	return list, err
}

func (s *scanner) corrupt(err error) error {
	return &Error{Kind: Corrupt, Path: s.c.path, What: "the database is damaged", Err: err,
		Hint: verifyHint}
}
