package rows

import (
	"context"
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// MaxSeq is the last position that a run can have, so that run and position fit one
// integer.
const MaxSeq = 1<<32 - 1

// PositionKey is the key of a position in a run.
func PositionKey(run, seq int64) int64 { return run<<32 | seq }

// SequenceOf is the position in the run that a key belongs to.
func SequenceOf(position int64) int64 { return position & MaxSeq }

// Span is the first and last key of a run.
func Span(run int64) (first, last int64) { return PositionKey(run, 0), PositionKey(run, MaxSeq) }

// An Entry is a record on its way into the file, with what can be prepared
// outside of the transaction.
type Entry struct {
	Run    int64
	Rec    verbatim.Record
	item   ItemRow
	prompt *PromptRow // nil: the item's own

	Room int64 // what it takes in the Writer; 0: it was left
}

// A PromptRow is what was sent where it is not the item's own prompt.
type PromptRow struct {
	Hash  int64
	Body  string // JSON; "" when it is not known what was sent
	blobs []Blob
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

// Insert writes one record: a new position, or the position of a record without an
// answer. It returns the outcome of the record that it replaced, "" for none.
// It never replaces an answer.
func (k *Inserter) Insert(e *Entry) (replaced verbatim.Outcome, err error) {
	item, err := k.Item(&e.item)
	if err != nil {
		return "", err
	}
	prompt, err := k.Prompt(e.prompt, item.ID)
	if err != nil {
		return "", err
	}
	return k.Record(e.Run, item, prompt, &e.Rec)
}

// Record is keep for an item and a prompt that are saved already.
func (k *Inserter) Record(run int64, item SavedItem, prompt any, rec *verbatim.Record) (replaced verbatim.Outcome, err error) {
	position := PositionKey(run, rec.Seq)
	var grader any
	outcome, err := CodeOf(Outcomes, rec.Outcome)
	if err != nil {
		return "", err
	}
	key := tallyKey{run, 0, outcome}
	if g := rec.Grade; g != nil {
		if key.grader, key.outcome, err = k.grade(position, g); err != nil {
			return "", fmt.Errorf("place %d: %w", rec.Seq, err)
		}
		grader, outcome = key.grader, key.outcome
		k.tally[tallyKey{run, key.grader, -1}]++
	}
	attempt, tried := InlineAttempt(rec.Reply), k.Tried[position]
	if tried {
		attempt = nil // it stands with those before
		delete(k.Tried, position)
	}
	n, err := k.reply(position, item, prompt, outcome, grader, rec, attempt)
	if err == nil && n == 0 {
		attempt = nil // it stands with those that were in vain
		if replaced, err = k.clear(position); err == nil {
			_, err = k.reply(position, item, prompt, outcome, grader, rec, nil)
		}
	}
	if err != nil {
		return "", err
	}
	k.tally[key]++
	if err := k.removeReservations(position); err != nil {
		return "", err
	}
	return replaced, k.insertTexts(position, rec, attempt == nil, tried || replaced != "")
}

// clear removes a record without an answer, so that another can take its place.
// Its attempts stay.
func (k *Inserter) clear(position int64) (verbatim.Outcome, error) {
	var old int64
	if _, err := k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { old = r.Int() }, `SELECT outcome FROM reply WHERE place = ?`, position); err != nil {
		return "", err
	}
	replaced := Decode(Outcomes, old)
	if replaced.Answered() {
		return "", fmt.Errorf("place %d of run %d has an answer already, which is never replaced", SequenceOf(position), position>>32)
	}
	for _, sql := range []string{`DELETE FROM reply WHERE place = ?`, `DELETE FROM failure WHERE place = ?`} {
		if _, _, err := k.c.Exec(sql, position); err != nil {
			return "", err
		}
	}
	k.tally[tallyKey{position >> 32, 0, old}]--
	return replaced, nil
}

// duration is a length of time as it is saved; 0 is NULL.
func duration(d time.Duration) any {
	if d == 0 {
		return nil
	}
	return int64(d)
}
