package store

import (
	"cmp"
	"context"
	"encoding/json"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// insertTexts inserts the rows of a record in the tables answer, failure and, if attempts is set,
// attempt. replaced says that the position has saved attempts already.
func (k *inserter) insertTexts(position int64, rec *verbatim.Record, attempts, replaced bool) error {
	if r := rec.Reply; r != nil {
		if _, _, err := k.c.Exec(insertAnswer+answerValues, answerRow(k.args[:0], position, r)...); err != nil {
			return err
		}
		if !attempts {
			return nil
		}
		return k.Attempts(position, r.Attempts, replaced)
	}
	if f := rec.Failure; f != nil {
		class, err := codeOf(classes, f.Class)
		if err != nil {
			return err
		}
		var text string
		if f.Err != nil {
			text = f.Err.Error()
		}
		if _, _, err := k.c.Exec(`INSERT INTO failure (place, class, status, after, who, hint, error) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			position, class, number(f.Status), number(f.After), textOf(f.Who), textOf(f.Hint), textOf(text)); err != nil {
			return err
		}
		return k.Attempts(position, f.Attempts, replaced)
	}
	return nil
}

const (
	insertAnswer = `INSERT INTO answer (place, text, reasoning, request_id, limits, tokens) VALUES `
	answerValues = `(?, ?, ?, ?, ?, ?)`
)

// answerRow appends the values of insertAnswer to args.
func answerRow(args []any, position int64, r *verbatim.Reply) []any {
	return append(args, position, blobOf(r.Text), blobOf(r.Reasoning), textOf(r.RequestID), encodeLimits(r.Limits), encodeTokens(r.Tokens))
}

// Attempts inserts attempts of a position. more says that it may have saved attempts already.
func (k *inserter) Attempts(position int64, list []verbatim.Attempt, more bool) error {
	var first int64
	if more {
		if _, err := k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { first = r.Int() },
			`SELECT count(*) FROM attempt WHERE place = ?`, position); err != nil {
			return err
		}
	}
	for i, a := range list {
		class, err := codeOf(classes, a.Class)
		upstream := k.Words.maybe(clean(a.Upstream))
		if err := cmp.Or(err, k.Words.Err); err != nil {
			return err
		}
		if _, _, err := k.c.Exec(`
			INSERT INTO attempt (place, k, n, start, total, wait, status, class, bytes, request_id, error, partial, cost, upstream)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			position, first+int64(i), a.N, instant(a.Start), number(a.Total), number(a.Wait), number(a.Status),
			class, number(a.Bytes), textOf(a.RequestID), textOf(a.Err), blobOf(a.Partial), money(a.Cost), upstream); err != nil {
			return err
		}
	}
	return nil
}

// encodeTokens returns the JSON of tokens with log probabilities; nil for none, and for a number
// that JSON cannot hold.
func encodeTokens(tokens []verbatim.Token) any {
	if len(tokens) == 0 {
		return nil
	}
	b, err := json.Marshal(tokens)
	if err != nil {
		return nil
	}
	return string(b)
}

// encodeLimits returns the JSON of rate-limit headers; nil for none.
func encodeLimits(limits map[string]string) any {
	if len(limits) == 0 {
		return nil
	}
	valid := make(map[string]string, len(limits))
	for name, v := range limits {
		valid[clean(name)] = clean(v)
	}
	b, _ := json.Marshal(valid) // a map of strings always has a JSON form
	return string(b)
}
