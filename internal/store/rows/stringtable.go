package rows

import (
	"context"
	"encoding/json"

	"verbatim/internal/store/sqlite"
)

// MaxWords is the most words, facts or items that are remembered at a time. Those that repeat
// within a run are far fewer. A server that sends another fingerprint with every reply must not
// fill the memory.
const MaxWords = 4096

// stringIDs finds and gives the words of texts, within write transactions.
type stringIDs struct {
	c    *sqlite.Conn
	byID map[string]int64
}

func newStringIDs(c *sqlite.Conn) *stringIDs { return &stringIDs{c: c, byID: map[string]int64{}} }

// Id returns the word of a text, and saves it first if necessary.
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
	return PutBounded(w.byID, text, id), nil
}

// maybe is Id for a column that is NULL without a text: it returns nil for "".
func (w *stringIDs) maybe(text string) (any, error) {
	if text == "" {
		return nil, nil
	}
	return w.Id(text)
}

// A StringTable returns the texts of words, and the values of words that hold JSON. It remembers
// at most MaxWords of each.
type StringTable struct {
	c         *sqlite.Conn
	texts     wordCache[string]
	flagLists wordCache[[]string]
	facts     wordCache[map[string]string]
}

// NewStringTable returns a table that reads words on a connection when they are needed.
func NewStringTable(c *sqlite.Conn) *StringTable {
	return &StringTable{c: c, texts: wordCache[string]{byID: map[int64]string{}},
		flagLists: wordCache[[]string]{byID: map[int64][]string{}}, facts: wordCache[map[string]string]{byID: map[int64]map[string]string{}}}
}

// Lookup returns the text of a word; "" for 0.
func (m *StringTable) Lookup(id int64) (string, error) { return m.texts.get(id, m.read) }

// Facts returns the facts that a word holds; nil for 0. The map is shared.
func (m *StringTable) Facts(id int64) (map[string]string, error) {
	return m.facts.get(id, func(id int64) (map[string]string, error) {
		return decodeWord[map[string]string](m, id, "the facts of an item")
	})
}

// flags returns the flags that a word holds; nil for 0. The list is shared.
func (m *StringTable) flags(id int64) ([]string, error) {
	return m.flagLists.get(id, func(id int64) ([]string, error) {
		return decodeWord[[]string](m, id, "the flags of a grade")
	})
}

func (m *StringTable) read(id int64) (text string, err error) {
	found, err := m.c.QueryOne(context.Background(), func(r *sqlite.Rows) { text = r.Text() }, `SELECT text FROM word WHERE id = ?`, id)
	if err == nil && !found {
		err = m.c.CorruptError("a word is missing")
	}
	return text, err
}

// decodeWord decodes the JSON that a word holds. what names it in an error.
func decodeWord[T any](m *StringTable, id int64, what string) (v T, err error) {
	text, err := m.Lookup(id)
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return v, m.corrupt(what, err)
	}
	return v, nil
}

// corrupt returns the Corrupt error of a value that cannot be read.
func (m *StringTable) corrupt(what string, err error) error {
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
// the word 0.
func (w *wordCache[T]) get(id int64, read func(id int64) (T, error)) (v T, err error) {
	if id == 0 {
		return v, nil
	}
	last := &w.last[uint64(id)%uint64(len(w.last))]
	if last.id == id {
		return last.v, nil
	}
	v, known := w.byID[id]
	if !known {
		if v, err = read(id); err != nil {
			return v, err
		}
		PutBounded(w.byID, id, v)
	}
	last.id, last.v = id, v
	return v, nil
}

// PutBounded sets m[k] to v and returns v. A map with MaxWords elements is emptied first.
func PutBounded[K comparable, V any](m map[K]V, k K, v V) V {
	if len(m) >= MaxWords {
		clear(m)
	}
	m[k] = v
	return v
}
