package store

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// The columns of a row in the order in which columnRow reads them: keyColumns, replyColumns,
// gradeColumns, textColumns.
const (
	keyColumns = `r.place, r.item, i.hash, r.trial, r.prompt, r.grader, r.outcome, i.tail, i.series, i.facts, i.grader, r.brief`

	gradeColumns = `g.grader, g.outcome, g.label, g.exact, g.extracted, g.score, g.repair, g.flags, g.detail, g.measures, g.rule, g.span`
	gradeCount   = 12

	textColumns = `q.prompt, q.want, q.source, q.others, a.place, a.text, a.reasoning, a.request_id, a.limits, a.tokens`
)

// columnRow decodes the current row of r into s.row.
func (s *scanner) columnRow(r *sqlite.Rows) error {
	row := &s.row
	rec, position := &row.Rec, r.Int()
	rec.Seq = sequenceOf(position)
	row.Item, row.Hash = r.Int(), r.Int()
	rec.Trial = int(r.Int())
	row.Prompt, row.grader = r.OptInt(), r.Int()
	outcome := r.Int()
	rec.Outcome = Decode(outcomes, outcome)
	it := savedItem{ID: row.Item, Tail: r.Raw(), Series: r.Int(), facts: r.Int(), grader: r.Int()}
	rec.Item = s.item(s.itemData(), joinID(s.Table.Lookup(it.Series), it.Tail), it.facts, it.grader)
	packed := r.Bytes()
	if !s.read.Scores {
		if err := s.reply(r, row); err != nil {
			return err
		}
	}
	if rec.Grade = s.grade(r); s.Table.Err() != nil {
		return s.Table.Err()
	}
	if packed != nil && (!row.Brief.unpack(packed) || !row.Brief.matches(row, it, outcome) || !s.matchesGrade(&row.Brief, rec.Grade)) {
		return s.c.CorruptError("the brief of position %d of run %d differs from its columns", rec.Seq, s.run)
	}
	if rec.Grade != nil {
		rec.Outcome = rec.Grade.Outcome
	}
	if s.read.Scores {
		if g := rec.Grade; g != nil {
			g.Repair, g.Flags, g.Rule, g.Span = "", nil, "", nil
			if g.Outcome != verbatim.Truncated {
				g.Detail = ""
			}
		}
		return nil
	}
	if s.read.Texts {
		if err := s.texts(r, row); err != nil {
			return err
		}
	}
	return s.details(row, position)
}

// item makes an item without its texts in data. facts and grader are words.
func (s *scanner) item(data *itemData, id string, facts, grader int64) *verbatim.Item {
	data.item = verbatim.Item{ID: id, Facts: s.Table.Facts(facts), Grader: s.Table.Lookup(grader)}
	return &data.item
}

// matches reports whether a brief has the values of the columns of its reply and its item.
func (b *brief) matches(row *Row, it savedItem, outcome int64) bool {
	return b.Seq == row.Rec.Seq && b.Trial == int64(row.Rec.Trial) && b.outcome == outcome && b.grader == row.grader &&
		b.Series == it.Series && b.facts == it.facts && b.itemGrader == it.grader && b.matchesTail(it.Tail)
}

func (b *brief) matchesTail(tail any) bool {
	switch tail := tail.(type) {
	case int64:
		if b.Text == nil {
			return b.Tail == tail
		}
		return string(b.Text) == strconv.FormatInt(tail, 10)
	case string:
		return b.Text != nil && string(b.Text) == tail
	}
	return true
}

// matchesGrade reports whether a brief has the values of a grade, if there is one.
func (s *scanner) matchesGrade(b *brief, g *verbatim.Grade) bool {
	if g == nil {
		return true
	}
	return s.Table.Lookup(b.grader) == g.Grader && s.Table.Lookup(b.label) == g.Label && b.Exact == g.Exact && b.Extracted == g.Extracted &&
		b.Scored == (g.Score != nil) && (g.Score == nil || *g.Score == b.Score) && Decode(outcomes, b.outcome) == g.Outcome
}

// grade decodes the next columns of r, which are gradeColumns; nil if they are NULL.
func (s *scanner) grade(r *sqlite.Rows) *verbatim.Grade {
	id := r.OptInt()
	if id == nil {
		r.Skip(gradeCount - 1)
		return nil
	}
	g := &verbatim.Grade{Grader: s.Table.Lookup(*id), Outcome: Decode(outcomes, r.Int()), Label: s.Table.Lookup(r.Int())}
	g.Exact, g.Extracted, g.Score = r.Int() != 0, r.Int() != 0, r.OptFloat()
	g.Repair, g.Flags, g.Detail = s.Table.Lookup(r.Int()), s.Table.flags(r.Int()), r.Text()
	packed := r.Bytes()
	if s.read.Measures {
		g.Measures = s.Table.measures(nil, packed)
	}
	g.Rule, g.Span = s.Table.Lookup(r.Int()), unpackSpan(r.OptInt())
	return g
}

// texts decodes the next columns of r, which are textColumns, into a row that has the other
// columns already.
func (s *scanner) texts(r *sqlite.Rows, row *Row) error {
	rec := &row.Rec
	row.Text = itemRow{Prompt: r.Text(), Want: r.Text(), Source: r.Text(), Others: r.Text()}
	it, err := decodeItem(row.Text, imagesOf(s.c))
	if err != nil {
		return s.Table.corrupt("an item", err)
	}
	it.ID, it.Facts, it.Grader = rec.Item.ID, rec.Item.Facts, rec.Item.Grader
	if again, err := encodeItem(it); err != nil || again.Hash != row.Hash {
		return s.c.CorruptError("item %q of position %d does not have its hash", it.ID, rec.Seq)
	}
	rec.Item = it
	switch {
	case row.Prompt == nil:
		rec.Prompt = it.Prompt
	case *row.Prompt != 0:
		_, body, err := readPrompt(s.ctx, s.c, *row.Prompt)
		if err != nil {
			return err
		}
		if rec.Prompt, err = decodePrompt(body, imagesOf(s.c)); err != nil {
			return s.Table.corrupt("a prompt", err)
		}
	}
	if rec.Reply == nil {
		return nil
	}
	rec.Reply.Sent = s.Table.Lookup(max(row.sent, -row.sent))
	if row.sent < 0 {
		rec.Reply.Sent = unmaskTokenLimit(rec.Reply.Sent, rec.MaxTokens)
	}
	if r.Raw() == nil {
		return s.c.CorruptError("the text of position %d of run %d is missing", rec.Seq, s.run)
	}
	rec.Reply.Text, rec.Reply.Reasoning, rec.Reply.RequestID = r.Text(), r.Text(), r.Text()
	limits, tokens := r.Bytes(), r.Bytes()
	if limits != nil {
		err = s.Table.corrupt("the rate limits of a reply", json.Unmarshal(limits, &rec.Reply.Limits))
	}
	if tokens != nil && err == nil {
		err = s.Table.corrupt("the log probabilities of a reply", json.Unmarshal(tokens, &rec.Reply.Tokens))
	}
	return err
}

// readPrompt returns the hash and the JSON of the prompt with a row number.
func readPrompt(ctx context.Context, c *sqlite.Conn, id int64) (hash int64, body string, err error) {
	found, err := c.QueryOne(ctx, func(r *sqlite.Rows) { hash, body = r.Int(), r.Text() }, `SELECT hash, body FROM prompt WHERE id = ?`, id)
	switch {
	case err != nil:
	case !found:
		err = c.CorruptError("a prompt is missing")
	case hashOf(body) != hash:
		err = c.CorruptError("a prompt does not have its hash")
	}
	return hash, body, err
}

// details reads the failure and the attempts of a record from their tables.
func (s *scanner) details(row *Row, position int64) error {
	rec := &row.Rec
	if !rec.Outcome.Answered() {
		r, err := s.failures.At(position)
		if err != nil {
			return err
		}
		if r != nil {
			rec.Failure = &verbatim.Failure{Class: Decode(classes, r.Int())}
			if f := rec.Failure; !s.read.Tables {
				f.Status, f.After, f.Who, f.Hint = int(r.Int()), time.Duration(r.Int()), r.Text(), r.Text()
				if text := r.Text(); text != "" {
					f.Err = errors.New(text)
				}
			}
		}
	}
	if !s.read.Attempts && !s.read.Tables || rec.Reply == nil && rec.Failure == nil {
		return nil
	}
	s.List = s.List[:0]
	if !s.read.Tables {
		s.List = nil
	}
	var err error
	switch {
	case row.inline == nil:
		err = s.attemptsAt(position)
	case s.read.Tables && row.inline.N <= 1: // the first attempt succeeded: Read.Tables leaves it out
	default:
		row.inline.RequestID = rec.Reply.RequestID
		s.List = append(s.List, *row.inline)
	}
	if rec.Reply != nil {
		rec.Reply.Attempts = s.List
	} else {
		rec.Failure.Attempts = s.List
	}
	return err
}

// AttemptsAt appends the rows of the table attempt for a position to s.List.
func (s *scanner) attemptsAt(position int64) error {
	for {
		r, err := s.Attempts.At(position)
		if r == nil || err != nil {
			return err
		}
		if r.Int() != int64(len(s.List)) {
			return s.c.CorruptError("an attempt of position %d of run %d is missing", sequenceOf(position), s.run)
		}
		a := verbatim.Attempt{N: int(r.Int()), Start: moment(r.OptInt()), Class: Decode(classes, r.Int()), Cost: sqlite.Optional(r, new(verbatim.Money))}
		a.Upstream = s.Table.Lookup(r.Int())
		if !s.read.Tables {
			a.Total, a.Wait, a.Status, a.Bytes = time.Duration(r.Int()), time.Duration(r.Int()), int(r.Int()), r.Int()
			a.RequestID, a.Err, a.Partial = r.Text(), r.Text(), r.Text()
		}
		s.List = append(s.List, a)
	}
}
