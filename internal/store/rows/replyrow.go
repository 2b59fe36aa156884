package rows

import "verbatim"

// reply writes the narrow row. It reports 0 where the position is occupied.
func (k *Inserter) reply(place int64, item SavedItem, prompt any, outcome int64, grader any, rec *verbatim.Record, try *verbatim.Attempt) (int64, error) {
	const bare = `
		INSERT INTO reply (place, item, trial, prompt, max_tokens, outcome, grader, brief)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
	if rec.Reply == nil {
		brief, err := k.Brief(place, item, rec.Trial, outcome, rec.Grade)
		if err != nil {
			return 0, err
		}
		n, _, err := k.c.Exec(bare, place, item.ID, rec.Trial, prompt, number(int64(rec.MaxTokens)), outcome, grader, brief)
		return n, err
	}
	args, err := k.replyRow(k.args[:0], place, item, prompt, outcome, grader, rec, try)
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

// replyRow adds the values of a narrow row with a reply to args.
func (k *Inserter) replyRow(args []any, place int64, item SavedItem, prompt any, outcome int64, grader any, rec *verbatim.Record, try *verbatim.Attempt) ([]any, error) {
	r := rec.Reply
	finish, err := CodeOf(Finishes, r.Finish)
	if err != nil {
		return nil, err
	}
	var word [6]any
	for i, text := range [6]string{r.FinishRaw, r.ServedModel, r.Fingerprint, r.ReasoningField, r.Applied, r.Batch} {
		if word[i], err = k.Words.maybe(Clean(text)); err != nil {
			return nil, err
		}
	}
	sent, err := k.sent(Clean(r.Sent), rec.MaxTokens)
	if err != nil {
		return nil, err
	}
	brief, err := k.Brief(place, item, rec.Trial, outcome, rec.Grade)
	if err != nil {
		return nil, err
	}
	u, t := &r.Usage, &r.Times
	var n, wait, total, status, bytes any
	if try != nil {
		n, wait, status, bytes = try.N, duration(try.Wait), number(int64(try.Status)), number(try.Bytes)
		if try.Total != t.Total {
			total = int64(try.Total)
		}
	}
	return append(args, place, item.ID, rec.Trial, prompt, number(int64(rec.MaxTokens)), outcome, grader, finish, word[0],
		u.Prompt, u.Completion, u.Reasoning, u.Cached,
		Instant(t.Start), t.FirstByte, t.FirstReasoning, t.FirstContent, duration(t.Total), word[1], word[2], word[3],
		sent, word[4], money(r.Cost), word[5], n, wait, total, status, bytes, brief, money(r.Claimed), t.Queued, packMarks(r.Reasoning)), nil
}

// sent returns what the column sent of a reply says.
func (k *Inserter) sent(text string, limit int) (any, error) {
	text, masked := maskTokenLimit(text, limit)
	id, err := k.Words.maybe(text)
	if masked && err == nil {
		id = -id.(int64)
	}
	return id, err
}

// InlineAttempt returns the one try of a reply of which the reply's row can hold all
// that there is to say; nil where the table attempt has to.
func InlineAttempt(r *verbatim.Reply) *verbatim.Attempt {
	if r == nil || len(r.Attempts) != 1 {
		return nil
	}
	a := &r.Attempts[0]
	if a.Class != "" || a.Err != "" || a.Partial != "" || a.Cost != nil || a.RequestID != r.RequestID ||
		Instant(a.Start) != Instant(r.Times.Start) {
		return nil
	}
	return a
}

// money is an amount as it is saved. What cannot be a cost is not known.
func money(m *verbatim.Money) any {
	if m == nil || *m < 0 || *m > verbatim.MaxMoney {
		return nil
	}
	return int64(*m)
}
