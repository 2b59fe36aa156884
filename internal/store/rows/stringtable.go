package rows

import (
	"context"
	"encoding/json"

	"verbatim/internal/store/sqlite"
)

// MaxWords bounds the words, facts and items that are remembered at a time. What
// repeats within a run is far fewer; a server that sends another fingerprint
// with every reply must not fill the memory.
const MaxWords = 4096

// stringIDs gives texts that repeat their numbers, inside write transactions.
type stringIDs struct {
	c    *sqlite.Conn
	byID map[string]int64
}

func newStringIDs(c *sqlite.Conn) *stringIDs { return &stringIDs{c: c, byID: map[string]int64{}} }

// Id returns the number of text, which is given now if it has none.
func (w *stringIDs) Id(text string) (int64, error) {
	if id, ok := w.byID[text]; ok {
		return id, nil
	}
	var id int64
	found, err := w.c.QueryOne(context.Background(), func(r *sqlite.Rows) { id = r.Int() }, `SELECT id FROM word WHERE text = ?`, text)
	if err == nil && !found {
		_, id, err = w.c.Exec(`INSERT INTO word (text) VALUES (?)`, text)
	}
	if err != nil {
		return 0, err
	}
	if len(w.byID) >= MaxWords {
		clear(w.byID)
	}
	w.byID[text] = id
	return id, nil
}

// maybe is id for a text whose absence is NULL.
func (w *stringIDs) maybe(text string) (any, error) {
	if text == "" {
		return nil, nil
	}
	return w.Id(text)
}

// StringTable gives numbers their texts back, and what was made of the texts.
type StringTable struct {
	c    *sqlite.Conn
	text map[int64]string
	list map[int64][]string
	fact map[int64]map[string]string

	// What was said last, by the end of its number: a scan asks for the same few all
	// the time, and a map takes longer to ask than most of a record.
	lastText [1024]stringEntry[string]
	lastFact [1024]stringEntry[map[string]string]
}

// A stringEntry is what the word with the number id says.
type stringEntry[T any] struct {
	id int64
	v  T
}

// NewStringTable returns a table that reads words on a connection when they are needed.
func NewStringTable(c *sqlite.Conn) *StringTable {
	return &StringTable{c: c, text: map[int64]string{}, list: map[int64][]string{}, fact: map[int64]map[string]string{}}
}

// Lookup returns the text with the number id; 0 is "".
func (m *StringTable) Lookup(id int64) (string, error) {
	if id == 0 {
		return "", nil
	}
	last := &m.lastText[uint64(id)%uint64(len(m.lastText))]
	if last.id != id {
		text, err := m.ask(id)
		if err != nil {
			return "", err
		}
		*last = stringEntry[string]{id, text}
	}
	return last.v, nil
}

// ask is of for a text that was not said last.
func (m *StringTable) ask(id int64) (string, error) {
	if text, ok := m.text[id]; ok {
		return text, nil
	}
	var text string
	found, err := m.c.QueryOne(context.Background(), func(r *sqlite.Rows) { text = r.Text() }, `SELECT text FROM word WHERE id = ?`, id)
	if err != nil {
		return "", err
	}
	if !found {
		return "", m.c.CorruptError("a word is missing")
	}
	return PutBounded(m.text, id, text), nil
}

// Facts returns the facts that the word id holds; the map is shared.
func (m *StringTable) Facts(id int64) (map[string]string, error) {
	if id == 0 {
		return nil, nil
	}
	last := &m.lastFact[uint64(id)%uint64(len(m.lastFact))]
	if last.id != id {
		facts, err := m.askFacts(id)
		if err != nil {
			return nil, err
		}
		*last = stringEntry[map[string]string]{id, facts}
	}
	return last.v, nil
}

// askFacts is facts for those that were not said last.
func (m *StringTable) askFacts(id int64) (map[string]string, error) {
	if facts, ok := m.fact[id]; ok {
		return facts, nil
	}
	text, err := m.Lookup(id)
	if err != nil {
		return nil, err
	}
	var facts map[string]string
	if err := json.Unmarshal([]byte(text), &facts); err != nil {
		return nil, m.corrupt("the facts of an item", err)
	}
	return PutBounded(m.fact, id, facts), nil
}

// corrupt says that what cannot be read.
func (m *StringTable) corrupt(what string, err error) error {
	return sqlite.UnreadableError(m.c.Path, what, err)
}

// PutBounded keeps v under k in a map that never grows beyond maxWords.
func PutBounded[K comparable, V any](m map[K]V, k K, v V) V {
	if len(m) >= MaxWords {
		clear(m)
	}
	m[k] = v
	return v
}
