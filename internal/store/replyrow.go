package store

import (
	"time"

	"verbatim"
	"verbatim/internal/reasoning"
	"verbatim/internal/store/sqlite"
)

// reply inserts the row of the table reply. It returns 0 if the position has a record already.
func (k *inserter) reply(position int64, item savedItem, prompt any, outcome int64, grader any, rec *verbatim.Record, attempt *verbatim.Attempt) (int64, error) {
	const bare = `
		INSERT INTO reply (place, item, trial, prompt, max_tokens, outcome, grader, brief)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
	if rec.Reply == nil {
		brief := k.brief(position, item, rec.Trial, outcome, rec.Grade)
		if k.Words.Err != nil {
			return 0, k.Words.Err
		}
		n, _, err := k.c.Exec(bare, position, item.ID, rec.Trial, prompt, number(rec.MaxTokens), outcome, grader, brief)
		return n, err
	}
	args, err := k.replyRow(k.args[:0], position, item, prompt, outcome, grader, rec, attempt)
	if err != nil {
		return 0, err
	}
	n, _, err := k.c.Exec(insertReply+replyValues+` ON CONFLICT DO NOTHING`, args...)
	return n, err
}

const (
	insertReply = `
		INSERT INTO reply (place, item, trial, prompt, max_tokens, outcome, grader, finish, finish_raw,
			prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens,
			start, first_byte, first_reasoning, first_content, total, served_model, fingerprint, reasoning_field,
			sent, applied, cost, batch, try, try_wait, try_total, try_status, try_bytes, brief, claimed, queued, marks) VALUES `
	replyValues = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

// replyRow appends the values of insertReply to args. attempt is the only attempt of the reply if
// this row holds it, otherwise nil.
func (k *inserter) replyRow(args []any, position int64, item savedItem, prompt any, outcome int64, grader any, rec *verbatim.Record, attempt *verbatim.Attempt) ([]any, error) {
	r := rec.Reply
	finish, err := codeOf(finishes, r.Finish)
	if err != nil {
		return nil, err
	}
	u, t := &r.Usage, &r.Times
	var n, wait, total, status, bytes any
	if attempt != nil {
		n, wait, status, bytes = attempt.N, number(attempt.Wait), number(attempt.Status), number(attempt.Bytes)
		if attempt.Total != t.Total {
			total = int64(attempt.Total)
		}
	}
	word := func(text string) any { return k.Words.maybe(clean(text)) }
	args = append(args, position, item.ID, rec.Trial, prompt, number(rec.MaxTokens), outcome, grader, finish, word(r.FinishRaw),
		u.Prompt, u.Completion, u.Reasoning, u.Cached,
		instant(t.Start), t.FirstByte, t.FirstReasoning, t.FirstContent, number(t.Total), word(r.ServedModel), word(r.Fingerprint), word(r.ReasoningField),
		k.sent(clean(r.Sent), rec.MaxTokens), word(r.Applied), money(r.Cost), word(r.Batch), n, wait, total, status, bytes,
		k.brief(position, item, rec.Trial, outcome, rec.Grade), money(r.Claimed), t.Queued, packMarks(reasoning.Of(r), t.Queued))
	return args, k.Words.Err
}

// sent returns the value of the column sent: the word of the request, negative if the token limit
// is masked in it.
func (k *inserter) sent(text string, limit int) any {
	if masked, ok := maskTokenLimit(text, limit); ok {
		return -k.Words.Id(masked)
	}
	return k.Words.maybe(text)
}

// inlineAttempt returns the only attempt of a reply if the row of the table reply can hold all of
// it; otherwise nil, and the table attempt holds the attempts.
func inlineAttempt(r *verbatim.Reply) *verbatim.Attempt {
	if r == nil || len(r.Attempts) != 1 {
		return nil
	}
	a := &r.Attempts[0]
	if a.Class != "" || a.Err != "" || a.Partial != "" || a.Upstream != "" || a.Cost != nil || a.RequestID != r.RequestID ||
		instant(a.Start) != instant(r.Times.Start) {
		return nil
	}
	return a
}

// The columns of a reply, in the order in which reply reads them: those that Read.Tables needs,
// and the others.
const (
	tableColumns = `r.finish, r.finish_raw, r.prompt_tokens, r.completion_tokens, r.reasoning_tokens,
	r.start, r.first_reasoning, r.first_content, r.total, r.served_model, r.fingerprint, r.applied, r.reasoning_field, r.cost, r.try, ` + extraColumn
	otherColumns = `r.cached_tokens, r.first_byte, r.batch,
	r.sent, r.try_wait, r.try_total, r.try_status, r.try_bytes, r.claimed`
	tableCount, otherCount = 16, 9
)

// replyColumns returns the columns of a reply that s.read needs, each after a comma.
func (s *scanner) replyColumns() string {
	switch {
	case s.read.Scores:
		return ``
	case s.read.Tables:
		return `, ` + tableColumns
	}
	return `, ` + tableColumns + `, r.max_tokens, ` + otherColumns
}

// reply decodes the next columns of r, which are replyColumns. Without a reply it skips them.
func (s *scanner) reply(r *sqlite.Rows, row *Row) error {
	finish, there := r.Raw().(int64)
	if !there {
		r.Skip(tableCount - 1)
		if !s.read.Tables {
			row.Rec.MaxTokens = int(r.Int())
			r.Skip(otherCount)
		}
		return nil
	}
	d := s.replies
	if d == nil {
		d = &replyData{}
	}
	reply := &d.reply
	*reply = verbatim.Reply{Finish: Decode(finishes, finish)}
	row.Rec.Reply = reply
	raw := r.Int()
	if s.read.Tables && reply.Finish != verbatim.FinishOther {
		raw = 0 // Finish says the same
	}
	u, t := &reply.Usage, &reply.Times
	u.Prompt, u.Completion, u.Reasoning = sqlite.Optional(r, &d.tokens[0]), sqlite.Optional(r, &d.tokens[1]), sqlite.Optional(r, &d.tokens[2])
	if ns, ok := r.Raw().(int64); ok {
		t.Start = time.Unix(0, ns).UTC()
	}
	t.FirstReasoning, t.FirstContent, t.Total = sqlite.Optional(r, &d.durations[2]), sqlite.Optional(r, &d.durations[0]), time.Duration(r.Int())
	reply.FinishRaw = s.Table.Lookup(raw)
	for _, to := range []*string{&reply.ServedModel, &reply.Fingerprint, &reply.Applied, &reply.ReasoningField} {
		*to = s.Table.Lookup(r.Int())
	}
	reply.Cost = sqlite.Optional(r, &d.cost)
	if n, ok := r.Raw().(int64); ok {
		row.inline = &d.inline[0]
		*row.inline = verbatim.Attempt{N: int(n), Start: t.Start, Total: t.Total}
	}
	if !d.extra(r.Raw()) {
		return s.c.CorruptError("the marks of the reasoning of position %d of run %d cannot be read", row.Rec.Seq, s.run)
	}
	if !s.read.Tables {
		s.replyDetails(r, row, d)
	}
	return nil
}

// replyDetails decodes max_tokens and otherColumns, which Read.Tables leaves out.
func (s *scanner) replyDetails(r *sqlite.Rows, row *Row, d *replyData) {
	reply := &d.reply
	row.Rec.MaxTokens = int(r.Int())
	reply.Usage.Cached, reply.Times.FirstByte = sqlite.Optional(r, &d.tokens[3]), sqlite.Optional(r, &d.durations[1])
	reply.Batch, row.sent = s.Table.Lookup(r.Int()), r.Int()
	wait, total, status, bytes := time.Duration(r.Int()), r.Raw(), r.Int(), r.Int()
	reply.Claimed = sqlite.Optional(r, &d.claimed)
	if a := row.inline; a != nil {
		a.Wait, a.Status, a.Bytes = wait, int(status), bytes
		if total, ok := total.(int64); ok {
			a.Total = time.Duration(total)
		}
	}
}
