package store

import (
	"context"
	"fmt"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// An Entry is a record that waits to be inserted, with the rows that can be made before the
// transaction begins.
type Entry struct {
	Run    int64
	Rec    verbatim.Record
	item   itemRow
	prompt *promptRow // nil: the item's own

	Room int64 // for the Writer: the units of its room that the entry takes
}

// newEntry makes the Entry of a record. It returns an error if the record has no item or no
// valid position, if its outcome does not go with its reply and grade, or if a text of the
// item or the prompt is not valid UTF-8.
func newEntry(run int64, rec verbatim.Record) (Entry, error) {
	e := Entry{Run: run, Rec: rec}
	if rec.Item == nil || rec.Seq < 0 || rec.Seq > MaxSeq || run < 1 || run >= 1<<31 {
		return e, fmt.Errorf("position %d of run %d: the record has no item, or this is no valid position", rec.Seq, run)
	}
	if answered := rec.Outcome.Answered(); answered != (rec.Grade != nil) || !answered && rec.Reply != nil {
		return e, fmt.Errorf("position %d: the outcome %q does not go with the record (it has a reply: %v, a grade: %v)", rec.Seq, rec.Outcome, rec.Reply != nil, rec.Grade != nil)
	}
	var err error
	if e.item, err = encodeItem(rec.Item); err != nil {
		return e, err
	}
	e.prompt, err = encodePrompt(rec.Prompt, rec.Item.Prompt, e.item.Prompt)
	if err != nil {
		return e, fmt.Errorf("item %q: %w", rec.Item.ID, err)
	}
	return e, nil
}

// position is the key of the record's position.
func (e *Entry) position() int64 { return positionKey(e.Run, e.Rec.Seq) }

// A promptRow is a row of the table prompt: a prompt that was sent and is not the item's own.
type promptRow struct {
	Hash  int64
	Body  string // JSON; "": the prompt that was sent is unknown
	blobs []blob
}

// encodePrompt returns the row of the prompt that was sent; nil if it is the item's own prompt,
// whose JSON is ownJSON.
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
	if p.Body = string(j.b); p.Body == ownJSON {
		return nil, nil
	}
	p.Hash = hashOf(p.Body)
	return &p, nil
}

// An Inserter saves records within write transactions of one connection. After a transaction
// that failed it must not be used any more: it remembers numbers of rows that were rolled back.
type inserter struct {
	c     *sqlite.Conn
	Words *stringIDs
	Items map[itemKey]savedItem
	known bool // the last item was in the database already: search before inserting
	tally map[tallyKey]int64
	// reserved are the keys of positions with reservations, and Tried those of positions with
	// attempts and without a record. Both are few.
	reserved, Tried map[int64]bool
	args            []any // memory for the arguments of a statement
}

// An itemKey identifies an item: by its hash and the two parts of its id.
type itemKey struct {
	Hash   int64
	Series string
	Tail   any
}

// A tallyKey is the key of a row of the table tally.
type tallyKey struct{ run, grader, outcome int64 }

// newInserter returns an Inserter on a connection.
func newInserter(c *sqlite.Conn) *inserter {
	return &inserter{c: c, Words: newStringIDs(c), Items: map[itemKey]savedItem{}, tally: map[tallyKey]int64{},
		reserved: map[int64]bool{}, Tried: map[int64]bool{}, args: make([]any, 0, 32)}
}

// Item returns the saved item of a row, and saves it first if necessary.
func (k *inserter) Item(row *itemRow) (it savedItem, err error) {
	key := itemKey{Hash: row.Hash, Series: row.Series, Tail: row.Tail}
	if it, ok := k.Items[key]; ok {
		return it, nil
	}
	series := k.Words.Id(row.Series)
	if k.Words.Err != nil {
		return it, k.Words.Err
	}
	if k.known {
		it, err = row.Find(k.c, series)
	}
	if err == nil && it.ID == 0 {
		k.known = false
		it, err = row.insert(k.c, k.Words, series)
	}
	if err == nil && it.ID == 0 {
		k.known = true
		it, err = row.Find(k.c, series)
	}
	if err != nil {
		return it, err
	}
	return putBounded(k.Items, key, it), nil
}

// Prompt saves a prompt if necessary, and returns the value of the column prompt of a reply to
// the item with that row number.
func (k *inserter) Prompt(p *promptRow, item int64) (any, error) {
	if p == nil {
		return nil, nil
	}
	if p.Body == "" {
		return 0, nil
	}
	if err := insertBlobs(k.c, p.blobs); err != nil {
		return nil, err
	}
	n, id, err := k.c.Exec(`INSERT INTO prompt (item, hash, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, item, p.Hash, p.Body)
	if err == nil && n == 0 {
		_, err = k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { id = r.Int() },
			`SELECT id FROM prompt WHERE item = ? AND hash = ?`, item, p.Hash)
	}
	return id, err
}

// FlushCounts writes the counts of this transaction to the table tally.
func (k *inserter) flushCounts() error {
	for key, n := range k.tally {
		if n == 0 {
			continue
		}
		_, _, err := k.c.Exec(`INSERT INTO tally (run, grader, outcome, n) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`,
			key.run, key.grader, key.outcome, n)
		if err != nil {
			return err
		}
	}
	clear(k.tally)
	return nil
}
