package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// errAnswered is the error of a record for a position that has an answer.
var errAnswered = errors.New("has an answer already, which is never replaced")

// Insert saves a record at a free position, or at one whose record has no answer. It returns
// the outcome of the record that it replaced, "" for none. A position with an answer is an
// errAnswered.
func (k *inserter) Insert(e *Entry) (replaced verbatim.Outcome, err error) {
	item, prompt, err := k.itemAndPrompt(e)
	if err != nil {
		return "", err
	}
	return k.Record(e.Run, item, prompt, &e.Rec)
}

// itemAndPrompt returns the results of Item and Prompt for an entry.
func (k *inserter) itemAndPrompt(e *Entry) (item savedItem, prompt any, err error) {
	if item, err = k.Item(&e.item); err == nil {
		prompt, err = k.Prompt(e.prompt, item.ID)
	}
	return item, prompt, err
}

// Record is Insert for an item and a prompt that are saved already.
func (k *inserter) Record(run int64, item savedItem, prompt any, rec *verbatim.Record) (replaced verbatim.Outcome, err error) {
	position := positionKey(run, rec.Seq)
	var grader any
	outcome, err := codeOf(outcomes, rec.Outcome)
	if err != nil {
		return "", err
	}
	key := tallyKey{run, 0, outcome}
	if g := rec.Grade; g != nil {
		if key.grader, key.outcome, err = k.grade(position, g); err != nil {
			return "", fmt.Errorf("position %d: %w", rec.Seq, err)
		}
		grader, outcome = key.grader, key.outcome
	}
	attempt, tried := inlineAttempt(rec.Reply), k.Tried[position]
	if tried {
		attempt = nil // the table attempt has earlier ones
		delete(k.Tried, position)
	}
	n, err := k.reply(position, item, prompt, outcome, grader, rec, attempt)
	if err == nil && n == 0 {
		attempt = nil // the attempts of the replaced record stay in the table attempt
		if replaced, err = k.clear(position, rec.Failure); err == nil {
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

// clear deletes a record without an answer, except for its attempts, and returns its outcome. An answer
// is deleted only if it turned out to be none: it is by, with all attempts of the reply.
func (k *inserter) clear(position int64, by *verbatim.Failure) (verbatim.Outcome, error) {
	var old, grader int64
	if _, err := k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { old, grader = r.Int(), r.Int() }, `SELECT outcome, coalesce(grader, 0) FROM reply WHERE place = ?`, position); err != nil {
		return "", err
	}
	replaced := Decode(outcomes, old)
	delete := []string{`DELETE FROM reply WHERE place = ?`, `DELETE FROM failure WHERE place = ?`}
	if replaced.Answered() {
		if by == nil || by.Class != verbatim.Shortened || len(by.Attempts) == 0 {
			return "", fmt.Errorf("position %d of run %d %w", sequenceOf(position), position>>32, errAnswered)
		}
		delete = append(delete, `DELETE FROM answer WHERE place = ?`, `DELETE FROM grade WHERE place = ?`)
		if _, _, err := k.c.Exec(`DELETE FROM attempt WHERE place = ? AND n >= ?`, position, by.Attempts[0].N); err != nil {
			return "", err
		}
	}
	for _, sql := range delete {
		if _, _, err := k.c.Exec(sql, position); err != nil {
			return "", err
		}
	}
	k.tally[tallyKey{position >> 32, grader, old}]--
	return replaced, nil
}

// atOnce is the number of records that one statement for each table inserts. A statement costs
// much more than a row of it; more rows gain little.
const atOnce = 8

// InsertAll is Insert for several records, in their order. It calls done for each one with the
// outcome of the record that it replaced.
func (k *inserter) insertAll(group []*Entry, done func(e *Entry, replaced verbatim.Outcome)) error {
	for some := range slices.Chunk(group, atOnce) {
		fresh, err := k.allNew(some)
		if err != nil {
			return err
		}
		if fresh {
			if err := k.insertMany(some); err != nil {
				return err
			}
		}
		for _, e := range some {
			var replaced verbatim.Outcome
			if !fresh {
				if replaced, err = k.Insert(e); err != nil {
					return err
				}
			}
			done(e, replaced)
		}
	}
	return nil
}

// allNew reports whether insertMany can save these records: there are atOnce of them, each has a
// reply, and each has a free position of its own.
func (k *inserter) allNew(some []*Entry) (bool, error) {
	if len(some) < atOnce {
		return false, nil
	}
	args := k.args[:0]
	for i, e := range some {
		if e.Rec.Reply == nil || slices.ContainsFunc(some[:i], func(other *Entry) bool { return other.position() == e.position() }) {
			return false, nil
		}
		args = append(args, e.position())
	}
	occupied, err := k.c.QueryOne(context.Background(), func(*sqlite.Rows) {}, anyOccupied, args...)
	return !occupied && err == nil, err
}

// anyOccupied selects a row if one of atOnce positions has a record.
var anyOccupied = `SELECT 1 FROM reply WHERE place IN (?` + strings.Repeat(`, ?`, atOnce-1) + `) LIMIT 1`

// insertMany saves records for which allNew holds, table by table.
func (k *inserter) insertMany(some []*Entry) error {
	var row [atOnce]struct {
		item            savedItem
		outcome, grader int64
		prompt          any
		inline          *verbatim.Attempt // nil: the table attempt has the attempts
		tried           bool
	}
	var err error
	for i, e := range some {
		if row[i].item, row[i].prompt, err = k.itemAndPrompt(e); err != nil {
			return err
		}
	}
	args := k.args[:0]
	for i, e := range some {
		if args, row[i].grader, row[i].outcome, err = k.gradeRow(args, e.position(), e.Rec.Grade); err != nil {
			return fmt.Errorf("position %d: %w", e.Rec.Seq, err)
		}
	}
	if err := k.c.InsertMany(`INSERT`+intoGrade, args, atOnce); err != nil {
		return err
	}
	args = args[:0]
	for i, e := range some {
		if row[i].tried = k.Tried[e.position()]; !row[i].tried {
			row[i].inline = inlineAttempt(e.Rec.Reply)
		}
		if args, err = k.replyRow(args, e.position(), row[i].item, row[i].prompt, row[i].outcome, row[i].grader, &e.Rec, row[i].inline); err != nil {
			return err
		}
	}
	if err := k.c.InsertMany(insertReply, args, atOnce); err != nil {
		return err
	}
	k.args = args[:0] // of the three, this list is the longest
	args = args[:0]
	for _, e := range some {
		args = answerRow(args, e.position(), e.Rec.Reply)
	}
	if err := k.c.InsertMany(insertAnswer, args, atOnce); err != nil {
		return err
	}
	for i, e := range some {
		k.tally[tallyKey{e.Run, row[i].grader, row[i].outcome}]++
		if err := k.removeReservations(e.position()); err != nil {
			return err
		}
		if row[i].inline == nil {
			delete(k.Tried, e.position())
			if err := k.Attempts(e.position(), e.Rec.Reply.Attempts, row[i].tried); err != nil {
				return err
			}
		}
	}
	return nil
}

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

// An inserter saves records within write transactions of one connection. After a transaction
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

// newInserter returns an inserter on a connection.
func newInserter(c *sqlite.Conn) *inserter {
	return &inserter{c: c, Words: &stringIDs{c: c, byID: map[string]int64{}}, Items: map[itemKey]savedItem{}, tally: map[tallyKey]int64{},
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

// maxWords is the most words, facts or items that are remembered at a time. Those that repeat
// within a run are far fewer. A server that sends another fingerprint with every reply must not
// fill the memory.
const maxWords = 4096

// stringIDs finds and gives the words of texts, within write transactions. Err is the first error;
// after it, words may be 0. So check it before words are saved.
type stringIDs struct {
	Err  error
	c    *sqlite.Conn
	byID map[string]int64
}

// Id returns the word of a text, and saves it first if necessary.
func (w *stringIDs) Id(text string) int64 {
	if id, ok := w.byID[text]; ok || w.Err != nil {
		return id
	}
	var id int64
	found, err := w.c.QueryOne(context.Background(), func(r *sqlite.Rows) { id = r.Int() }, `SELECT id FROM word WHERE text = ?`, text)
	if err == nil && !found {
		_, id, err = w.c.Exec(`INSERT INTO word (text) VALUES (?)`, text)
	}
	if w.Err = err; err != nil {
		return 0
	}
	return putBounded(w.byID, text, id)
}

// maybe is Id for a column that is NULL without a text: it returns nil for "".
func (w *stringIDs) maybe(text string) any {
	if text == "" {
		return nil
	}
	return w.Id(text)
}

// A stringTable returns the texts of words, and the values of words that hold JSON. It remembers
// at most maxWords of each. After an error, which Err returns, it may return zero values.
type stringTable struct {
	c         *sqlite.Conn
	err       error
	texts     wordCache[string]
	flagLists wordCache[[]string]
	facts     wordCache[map[string]string]
}

// newStringTable returns a table that reads words on a connection when they are needed.
func newStringTable(c *sqlite.Conn) *stringTable {
	return &stringTable{c: c, texts: wordCache[string]{byID: map[int64]string{}},
		flagLists: wordCache[[]string]{byID: map[int64][]string{}}, facts: wordCache[map[string]string]{byID: map[int64]map[string]string{}}}
}

// Err returns the first error.
func (m *stringTable) Err() error { return m.err }

// Lookup returns the text of a word; "" for 0.
func (m *stringTable) Lookup(id int64) string {
	return m.texts.get(m, id, func(id int64) (text string) {
		found, err := m.c.QueryOne(context.Background(), func(r *sqlite.Rows) { text = r.Text() }, `SELECT text FROM word WHERE id = ?`, id)
		if err == nil && !found {
			err = m.c.CorruptError("a word is missing")
		}
		m.err = cmp.Or(m.err, err)
		return text
	})
}

// Facts returns the facts that a word holds; nil for 0. The map is shared.
func (m *stringTable) Facts(id int64) map[string]string {
	return m.facts.get(m, id, func(id int64) (facts map[string]string) {
		m.decode(id, &facts, "the facts of an item")
		return facts
	})
}

// flags returns the flags that a word holds; nil for 0. The list is shared.
func (m *stringTable) flags(id int64) []string {
	return m.flagLists.get(m, id, func(id int64) (flags []string) {
		m.decode(id, &flags, "the flags of a grade")
		return flags
	})
}

// decode decodes the JSON that a word holds into v. what names it in an error.
func (m *stringTable) decode(id int64, v any, what string) {
	text := m.Lookup(id)
	if m.err == nil {
		m.err = m.corrupt(what, json.Unmarshal([]byte(text), v))
	}
}

// corrupt returns the Corrupt error of a value that cannot be read; nil for nil.
func (m *stringTable) corrupt(what string, err error) error {
	if err == nil {
		return nil
	}
	return sqlite.UnreadableError(m.c.Path, what, err)
}

// A wordCache remembers the values of words.
type wordCache[T any] struct {
	byID map[int64]T
	// The last values, by the word modulo the length: a scan looks up the same few words all the
	// time, and a search in a map takes longer than most of a record.
	last [1024]struct {
		id int64
		v  T
	}
}

// get returns the value of a word, which read returns if it is not remembered; the zero value for
// the word 0. After an error of m nothing more is remembered.
func (w *wordCache[T]) get(m *stringTable, id int64, read func(id int64) T) (v T) {
	if id == 0 {
		return v
	}
	last := &w.last[uint64(id)%uint64(len(w.last))]
	if last.id == id {
		return last.v
	}
	v, known := w.byID[id]
	if !known {
		if v = read(id); m.err != nil {
			return v
		}
		putBounded(w.byID, id, v)
	}
	last.id, last.v = id, v
	return v
}

// putBounded sets m[k] to v and returns v. A map with maxWords elements is emptied first.
func putBounded[K comparable, V any](m map[K]V, k K, v V) V {
	if len(m) >= maxWords {
		clear(m)
	}
	m[k] = v
	return v
}

// A Set is a set of numbers from 0. It takes a bit for each number up to the largest. The zero value
// is empty.
type BitSet struct{ words []uint64 }

// Add adds n, which must be at least 0, and reports whether it was not in the set.
func (s *BitSet) Add(n int64) bool {
	for int64(len(s.words)) <= n/64 {
		s.words = append(s.words, 0)
	}
	word, bit := &s.words[n/64], uint64(1)<<(n%64)
	fresh := *word&bit == 0
	*word |= bit
	return fresh
}

// Has reports whether n is in the set.
func (s *BitSet) Has(n int64) bool {
	return n >= 0 && n/64 < int64(len(s.words)) && s.words[n/64]&(1<<(n%64)) != 0
}

// Remove removes n from the set.
func (s *BitSet) Remove(n int64) {
	if s.Has(n) {
		s.words[n/64] &^= uint64(1) << (n % 64)
	}
}

// The requests of a run differ only in their token limits, which depend on the expected answers.
// With a mask for the limit, the text of all of them is one word, and not one for every length.

// tokenLimitMark is the mask for the token limit.
const tokenLimitMark = "$max_tokens"

// maskTokenLimit replaces the token limit in a request by tokenLimitMark if the limit occurs
// exactly once as the value of a member. It reports whether it did.
func maskTokenLimit(sent string, limit int) (string, bool) {
	if limit <= 0 || strings.Contains(sent, tokenLimitMark) {
		return sent, false
	}
	number := strconv.Itoa(limit)
	at := -1
	for from := 0; ; {
		i := strings.Index(sent[from:], number)
		if i < 0 {
			break
		}
		i += from
		from = i + len(number)
		if i == 0 || sent[i-1] != ':' || from == len(sent) || sent[from] != ',' && sent[from] != '}' {
			continue
		}
		if at >= 0 {
			return sent, false
		}
		at = i
	}
	if at < 0 {
		return sent, false
	}
	return sent[:at] + tokenLimitMark + sent[at+len(number):], true
}

// unmaskTokenLimit is the reverse of maskTokenLimit.
func unmaskTokenLimit(sent string, limit int) string {
	return strings.Replace(sent, tokenLimitMark, strconv.Itoa(limit), 1)
}
