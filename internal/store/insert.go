package store

import (
	"context"
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// MaxSeq is the last place that a run can have, so that run and place fit one
// integer.
const MaxSeq = 1<<32 - 1

// positionKey is the key of a position in a run.
func positionKey(run, seq int64) int64 { return run<<32 | seq }

// sequenceOf is the position in the run that a key belongs to.
func sequenceOf(place int64) int64 { return place & MaxSeq }

// span is the first and last key of a run.
func span(run int64) (first, last int64) { return positionKey(run, 0), positionKey(run, MaxSeq) }

// An entry is a record on its way into the file, with what can be prepared
// outside of the transaction.
type entry struct {
	run    int64
	rec    verbatim.Record
	item   itemRow
	prompt *promptRow // nil: the item's own

	room int64 // what it takes in the Writer; 0: it was left
}

// A promptRow is what was sent where it is not the item's own prompt.
type promptRow struct {
	hash  int64
	body  string // JSON; "" when it is not known what was sent
	blobs []blob
}

// newEntry prepares a record, and refuses one that contradicts itself.
func newEntry(run int64, rec verbatim.Record) (entry, error) {
	e := entry{run: run, rec: rec}
	if rec.Item == nil || rec.Seq < 0 || rec.Seq > MaxSeq || run < 1 || run >= 1<<31 {
		return e, fmt.Errorf("place %d of run %d: not a record that can be kept", rec.Seq, run)
	}
	if answered := rec.Outcome.Answered(); answered != (rec.Grade != nil) || !answered && rec.Reply != nil {
		return e, fmt.Errorf("place %d: outcome %q with reply %v and grade %v", rec.Seq, rec.Outcome, rec.Reply != nil, rec.Grade != nil)
	}
	var err error
	if e.item, err = encodeItem(rec.Item); err != nil {
		return e, err
	}
	e.prompt, err = encodePrompt(rec.Prompt, rec.Item.Prompt, e.item.prompt)
	if err != nil {
		return e, fmt.Errorf("item %q: %w", rec.Item.ID, err)
	}
	return e, nil
}

func encodePrompt(sent, own verbatim.Prompt, ownJSON string) (*promptRow, error) {
	if len(sent) == 0 {
		return &promptRow{}, nil
	}
	if len(sent) == len(own) && &sent[0] == &own[0] {
		return nil, nil
	}
	var p promptRow
	var j jsonText
	j.prompt(sent, &p.blobs)
	if j.invalid {
		return nil, fmt.Errorf("the prompt is not valid UTF-8")
	}
	if p.body = string(j.b); p.body == ownJSON {
		return nil, nil
	}
	p.hash = hashOf(p.body)
	return &p, nil
}

// An inserter writes records, inside write transactions of one conn. After one that
// failed it is of no use: it remembers numbers that were never given.
type inserter struct {
	c     *sqlite.Conn
	words *stringIDs
	items map[itemKey]savedItem
	known bool // the last item was in the file already: look before inserting
	tally map[tallyKey]int64
	// reserved are positions with reservations in the file, and tried those with attempts
	// and no record: rare, or few at a time.
	reserved, tried map[int64]bool
	args            []any // of the statement that is being made
}

type itemKey struct {
	hash   int64
	series string
	tail   any
}

// A tallyKey names a row of tally, or one of graded where outcome is -1.
type tallyKey struct{ run, grader, outcome int64 }

func newInserter(c *sqlite.Conn) *inserter {
	return &inserter{c: c, words: newStringIDs(c), items: map[itemKey]savedItem{}, tally: map[tallyKey]int64{},
		reserved: map[int64]bool{}, tried: map[int64]bool{}, args: make([]any, 0, 32)}
}

// item returns an item as it is saved; it is saved now if it was not.
func (k *inserter) item(row *itemRow) (it savedItem, err error) {
	key := itemKey{row.hash, row.series, row.tail}
	if it, ok := k.items[key]; ok {
		return it, nil
	}
	series, err := k.words.id(row.series)
	if err != nil {
		return it, err
	}
	if k.known {
		it, err = row.find(k.c, series)
	}
	if err == nil && it.id == 0 {
		k.known = false
		it, err = row.insert(k.c, k.words, series)
	}
	if err == nil && it.id == 0 {
		k.known = true
		it, err = row.find(k.c, series)
	}
	if err != nil {
		return it, err
	}
	return putBounded(k.items, key, it), nil
}

// prompt returns what the column prompt of a reply says.
func (k *inserter) prompt(p *promptRow, item int64) (any, error) {
	if p == nil {
		return nil, nil
	}
	if p.body == "" {
		return 0, nil
	}
	if err := insertBlobs(k.c, p.blobs); err != nil {
		return nil, err
	}
	n, id, err := k.c.Exec(`INSERT INTO prompt (item, hash, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, item, p.hash, p.body)
	if err == nil && n == 0 {
		_, err = k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { id = r.Int() },
			`SELECT id FROM prompt WHERE item = ? AND hash = ?`, item, p.hash)
	}
	return id, err
}

// insert writes one record: a new place, or the position of a record without an
// answer. It returns the outcome of the record that it replaced, "" for none.
// It never replaces an answer.
func (k *inserter) insert(e *entry) (replaced verbatim.Outcome, err error) {
	item, err := k.item(&e.item)
	if err != nil {
		return "", err
	}
	prompt, err := k.prompt(e.prompt, item.id)
	if err != nil {
		return "", err
	}
	return k.record(e.run, item, prompt, &e.rec)
}

// record is keep for an item and a prompt that are saved already.
func (k *inserter) record(run int64, item savedItem, prompt any, rec *verbatim.Record) (replaced verbatim.Outcome, err error) {
	place := positionKey(run, rec.Seq)
	var grader any
	outcome, err := codeOf(outcomes, rec.Outcome)
	if err != nil {
		return "", err
	}
	key := tallyKey{run, 0, outcome}
	if g := rec.Grade; g != nil {
		if key.grader, key.outcome, err = k.grade(place, g); err != nil {
			return "", fmt.Errorf("place %d: %w", rec.Seq, err)
		}
		grader, outcome = key.grader, key.outcome
		k.tally[tallyKey{run, key.grader, -1}]++
	}
	try, tried := inlineAttempt(rec.Reply), k.tried[place]
	if tried {
		try = nil // it stands with those before
		delete(k.tried, place)
	}
	n, err := k.reply(place, item, prompt, outcome, grader, rec, try)
	if err == nil && n == 0 {
		try = nil // it stands with those that were in vain
		if replaced, err = k.clear(place); err == nil {
			_, err = k.reply(place, item, prompt, outcome, grader, rec, nil)
		}
	}
	if err != nil {
		return "", err
	}
	k.tally[key]++
	if err := k.removeReservations(place); err != nil {
		return "", err
	}
	return replaced, k.insertTexts(place, rec, try == nil, tried || replaced != "")
}

// clear removes a record without an answer, so that another can take its place.
// Its attempts stay.
func (k *inserter) clear(place int64) (verbatim.Outcome, error) {
	var old int64
	if _, err := k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { old = r.Int() }, `SELECT outcome FROM reply WHERE place = ?`, place); err != nil {
		return "", err
	}
	replaced := decode(outcomes, old)
	if replaced.Answered() {
		return "", fmt.Errorf("place %d of run %d has an answer already, which is never replaced", sequenceOf(place), place>>32)
	}
	for _, sql := range []string{`DELETE FROM reply WHERE place = ?`, `DELETE FROM failure WHERE place = ?`} {
		if _, _, err := k.c.Exec(sql, place); err != nil {
			return "", err
		}
	}
	k.tally[tallyKey{place >> 32, 0, old}]--
	return replaced, nil
}

// duration is a length of time as it is saved; 0 is NULL.
func duration(d time.Duration) any {
	if d == 0 {
		return nil
	}
	return int64(d)
}
