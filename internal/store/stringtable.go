package store

import (
	"cmp"
	"context"
	"encoding/json"

	"verbatim/internal/store/sqlite"
)

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

func newStringIDs(c *sqlite.Conn) *stringIDs { return &stringIDs{c: c, byID: map[string]int64{}} }

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
