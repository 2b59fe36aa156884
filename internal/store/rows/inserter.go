package rows

import (
	"context"
	"fmt"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// An Entry is a record on its way into the file, with what can be prepared
// outside of the transaction.
type Entry struct {
	Run    int64
	Rec    verbatim.Record
	item   ItemRow
	prompt *PromptRow // nil: the item's own

	Room int64 // what it takes in the Writer; 0: it was left
}

// NewEntry prepares a record, and refuses one that contradicts itself.
func NewEntry(run int64, rec verbatim.Record) (Entry, error) {
	e := Entry{Run: run, Rec: rec}
	if rec.Item == nil || rec.Seq < 0 || rec.Seq > MaxSeq || run < 1 || run >= 1<<31 {
		return e, fmt.Errorf("place %d of run %d: not a record that can be saved", rec.Seq, run)
	}
	if answered := rec.Outcome.Answered(); answered != (rec.Grade != nil) || !answered && rec.Reply != nil {
		return e, fmt.Errorf("place %d: outcome %q with reply %v and grade %v", rec.Seq, rec.Outcome, rec.Reply != nil, rec.Grade != nil)
	}
	var err error
	if e.item, err = EncodeItem(rec.Item); err != nil {
		return e, err
	}
	e.prompt, err = EncodePrompt(rec.Prompt, rec.Item.Prompt, e.item.Prompt)
	if err != nil {
		return e, fmt.Errorf("item %q: %w", rec.Item.ID, err)
	}
	return e, nil
}

// A PromptRow is what was sent where it is not the item's own prompt.
type PromptRow struct {
	Hash  int64
	Body  string // JSON; "" when it is not known what was sent
	blobs []Blob
}

// EncodePrompt returns the row of a prompt that is not the item's own.
func EncodePrompt(sent, own verbatim.Prompt, ownJSON string) (*PromptRow, error) {
	if len(sent) == 0 {
		return &PromptRow{}, nil
	}
	if len(sent) == len(own) && &sent[0] == &own[0] {
		return nil, nil
	}
	var p PromptRow
	var j jsonText
	j.prompt(sent, &p.blobs)
	if j.invalid {
		return nil, fmt.Errorf("the prompt is not valid UTF-8")
	}
	if p.Body = string(j.b); p.Body == ownJSON {
		return nil, nil
	}
	p.Hash = HashOf(p.Body)
	return &p, nil
}

// An Inserter writes records, inside write transactions of one conn. After one that
// failed it is of no use: it remembers numbers that were never given.
type Inserter struct {
	c     *sqlite.Conn
	Words *stringIDs
	Items map[ItemKey]SavedItem
	known bool // the last item was in the file already: look before inserting
	tally map[tallyKey]int64
	// reserved are positions with reservations in the file, and tried those with attempts
	// and no record: rare, or few at a time.
	reserved, Tried map[int64]bool
	args            []any // of the statement that is being made
}

// An ItemKey tells an item from others: its hash, and the two parts of its id.
type ItemKey struct {
	Hash   int64
	Series string
	Tail   any
}

// A tallyKey names a row of tally, or one of graded where outcome is -1.
type tallyKey struct{ run, grader, outcome int64 }

// NewInserter returns an Inserter on a connection.
func NewInserter(c *sqlite.Conn) *Inserter {
	return &Inserter{c: c, Words: newStringIDs(c), Items: map[ItemKey]SavedItem{}, tally: map[tallyKey]int64{},
		reserved: map[int64]bool{}, Tried: map[int64]bool{}, args: make([]any, 0, 32)}
}

// Item returns an item as it is saved; it is saved now if it was not.
func (k *Inserter) Item(row *ItemRow) (it SavedItem, err error) {
	key := ItemKey{Hash: row.Hash, Series: row.Series, Tail: row.Tail}
	if it, ok := k.Items[key]; ok {
		return it, nil
	}
	series, err := k.Words.Id(row.Series)
	if err != nil {
		return it, err
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
	return PutBounded(k.Items, key, it), nil
}

// Prompt returns what the column prompt of a reply says.
func (k *Inserter) Prompt(p *PromptRow, item int64) (any, error) {
	if p == nil {
		return nil, nil
	}
	if p.Body == "" {
		return 0, nil
	}
	if err := InsertBlobs(k.c, p.blobs); err != nil {
		return nil, err
	}
	n, id, err := k.c.Exec(`INSERT INTO prompt (item, hash, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, item, p.Hash, p.Body)
	if err == nil && n == 0 {
		_, err = k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { id = r.Int() },
			`SELECT id FROM prompt WHERE item = ? AND hash = ?`, item, p.Hash)
	}
	return id, err
}

// FlushCounts writes the counts that the records of this transaction changed.
func (k *Inserter) FlushCounts() error {
	for key, n := range k.tally {
		var err error
		switch {
		case n == 0:
		case key.outcome < 0:
			_, _, err = k.c.Exec(`INSERT INTO graded (run, grader, n) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`,
				key.run, key.grader, n)
		default:
			_, _, err = k.c.Exec(`INSERT INTO tally (run, grader, outcome, n) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`,
				key.run, key.grader, key.outcome, n)
		}
		if err != nil {
			return err
		}
	}
	clear(k.tally)
	return nil
}
