package rows

import (
	"context"
	"encoding/json"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// insertTexts writes what is next to the narrow row: texts, the failure, and the
// attempts unless that row has them. Where a record was replaced its attempts
// are counted on from.
func (k *Inserter) insertTexts(position int64, rec *verbatim.Record, attempts, replaced bool) error {
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
		class, err := CodeOf(Classes, f.Class)
		if err != nil {
			return err
		}
		var text string
		if f.Err != nil {
			text = f.Err.Error()
		}
		if _, _, err := k.c.Exec(`INSERT INTO failure (place, class, status, after, who, hint, error) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			position, class, number(int64(f.Status)), duration(f.After), textOf(f.Who), textOf(f.Hint), textOf(text)); err != nil {
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

// answerRow adds the values of a reply's texts to args.
func answerRow(args []any, position int64, r *verbatim.Reply) []any {
	return append(args, position, blobOf(r.Text), blobOf(r.Reasoning), textOf(r.RequestID), encodeLimits(r.Limits), encodeTokens(r.Tokens))
}

// Attempts adds attempts to those of the position.
func (k *Inserter) Attempts(position int64, list []verbatim.Attempt, more bool) error {
	var first int64
	if more {
		if _, err := k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { first = r.Int() },
			`SELECT count(*) FROM attempt WHERE place = ?`, position); err != nil {
			return err
		}
	}
	for i, a := range list {
		class, err := CodeOf(Classes, a.Class)
		if err != nil {
			return err
		}
		upstream, err := k.Words.maybe(Clean(a.Upstream))
		if err != nil {
			return err
		}
		if _, _, err := k.c.Exec(`
			INSERT INTO attempt (place, k, n, start, total, wait, status, class, bytes, request_id, error, partial, cost, upstream)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			position, first+int64(i), a.N, Instant(a.Start), duration(a.Total), duration(a.Wait), number(int64(a.Status)),
			class, number(a.Bytes), textOf(a.RequestID), textOf(a.Err), blobOf(a.Partial), money(a.Cost), upstream); err != nil {
			return err
		}
	}
	return nil
}

// encodeTokens is the JSON of tokens with log probabilities; NULL when there are none.
func encodeTokens(tokens []verbatim.Token) any {
	if len(tokens) == 0 {
		return nil
	}
	b, err := json.Marshal(tokens)
	if err != nil {
		return nil // a number that JSON does not have: as good as none
	}
	return string(b)
}

// encodeLimits is the JSON of rate-limit headers; NULL when there are none.
func encodeLimits(limits map[string]string) any {
	if len(limits) == 0 {
		return nil
	}
	valid := make(map[string]string, len(limits))
	for name, v := range limits {
		valid[Clean(name)] = Clean(v)
	}
	b, _ := json.Marshal(valid) // a map of strings always has a JSON form
	return string(b)
}
