package extract

import (
	"iter"
	"math"
	"slices"
	"strings"
	"sync"

	"verbatim/internal/pylit"
)

// givenLists are the lists of a prompt, which is read when it is first needed. They are safe for concurrent use.
type givenLists struct {
	item   pylit.Kind
	input  []pylit.Value
	prompt []string

	reading, listing, indexing sync.Once

	lists   [][]pylit.Value
	texts   map[string]bool // the items that are texts, as they are written
	lengths [256]uint64     // of texts by their first byte: a bit for each length up to 62, and one for longer ones
	columns []pylit.Kind    // of rows; nil without rows
	numbers map[number]bool // the items that are numbers
	keys    map[string]bool // the keys of all other items
}

// newGivenLists returns the lists of a prompt's texts. The answer has items of the kind. The input is one of the lists
// or is made of several.
func newGivenLists(item pylit.Kind, input []pylit.Value, prompt []string) *givenLists {
	return &givenLists{item: item, input: input, prompt: prompt}
}

// mostLists is the number of lists that are read from a prompt.
const mostLists = 64

func (l *givenLists) read() {
	if l.input != nil {
		l.lists = append(l.lists, l.input)
	}
	var p pylit.Parser
	for _, t := range l.prompt {
		for attempts := 0; len(l.lists) < mostLists && attempts < 20*mostLists; attempts++ {
			at := strings.IndexByte(t, '[')
			if at < 0 {
				break
			}
			t = t[at:]
			v, n, ok := p.Prefix(t)
			if !ok {
				t = t[1:]
				continue
			}
			if v.Kind() == pylit.List && len(v.Items()) > 0 {
				l.lists = append(l.lists, p.Keep(v).Items())
			}
			t = t[n:]
		}
	}
}

// all returns the lists.
func (l *givenLists) all() [][]pylit.Value {
	l.reading.Do(l.read)
	return l.lists
}

// items yields the items of the kind.
func (l *givenLists) items() iter.Seq[*pylit.Value] {
	return func(yield func(*pylit.Value) bool) {
		for _, list := range l.all() {
			for i := range list {
				if v := &list[i]; v.Kind() == l.item && !yield(v) {
					return
				}
			}
		}
	}
}

// size is the length of the longest list.
func (l *givenLists) size() (n int) {
	for _, list := range l.all() {
		n = max(n, len(list))
	}
	return n
}

// HasItems reports whether a list has an item of the kind.
func (l *givenLists) hasItems() bool {
	for range l.items() {
		return true
	}
	return false
}

// IsOne reports whether items are one of the lists.
func (l *givenLists) isOne(items []pylit.Value) bool {
	return slices.ContainsFunc(l.all(), func(list []pylit.Value) bool { return sameValues(items, list) })
}

// sameValues reports whether two lists have equal items.
func sameValues(a, b []pylit.Value) bool { return slices.EqualFunc(a, b, pylit.Equal) }

// Texts returns the items that are texts, as they are written; nil if the answer has other items.
func (l *givenLists) Texts() map[string]bool {
	if l.item == pylit.Str {
		l.listing.Do(func() {
			l.texts = make(map[string]bool, l.size())
			for v := range l.items() {
				l.texts[v.Text()] = true
				first, length := shape(v.Text())
				l.lengths[first] |= length
			}
		})
	}
	return l.texts
}

// HasText reports whether an item is this text, as it is written. Most other texts
// have another first byte or another length, which takes less time to see than to look them up.
func (l *givenLists) hasText(t string) bool {
	texts := l.Texts()
	first, length := shape(t)
	return l.lengths[first]&length != 0 && texts[t]
}

// shape returns the first byte of a text, and its length as one bit: the last bit is for all lengths from 63 on.
func shape(t string) (first byte, length uint64) {
	if t != "" {
		first = t[0]
	}
	return first, 1 << min(len(t), 63)
}

// Columns returns the kinds of the columns of rows; nil if items are not rows.
func (l *givenLists) Columns() []pylit.Kind {
	l.indexing.Do(l.index)
	return l.columns
}

// Known returns how many of the items the lists have.
func (l *givenLists) known(items []pylit.Value) (n int) {
	for i := range items {
		if l.has(&items[i]) {
			n++
		}
	}
	return n
}

// Has reports whether the lists have an item. The letter case of texts does not count.
func (l *givenLists) has(v *pylit.Value) bool {
	l.indexing.Do(l.index)
	if x, ok := numberOf(v); ok {
		return l.numbers[x]
	}
	return l.keys[keyOf(v)]
}

// index makes the keys of the items.
func (l *givenLists) index() {
	lower := true
	for t := range l.Texts() {
		lower = lower && strings.ToLower(t) == t
	}
	if l.item == pylit.Str && lower {
		l.keys = l.texts
		return
	}
	l.keys = map[string]bool{}
	for v := range l.items() {
		if x, ok := numberOf(v); ok {
			if l.numbers == nil {
				l.numbers = make(map[number]bool, l.size())
			}
			l.numbers[x] = true
			continue
		}
		l.keys[keyOf(v)] = true
		if v.Kind() == pylit.List && l.columns == nil {
			for _, cell := range v.Items() {
				l.columns = append(l.columns, cell.Kind())
			}
		}
	}
}

// keyOf returns the key of an item that is not a number.
func keyOf(v *pylit.Value) string {
	if v.Kind() == pylit.Str {
		return strings.ToLower(v.Text())
	}
	return v.String()
}

// A number is the key of a number.
type number struct {
	bits     uint64
	fraction bool
}

// numberOf returns the key of an int of 64 bits or a float. A float that is printed as an int and ".0" has
// the key of that int.
func numberOf(v *pylit.Value) (x number, ok bool) {
	switch v.Kind() {
	case pylit.Int:
		n, ok := v.Int64()
		return number{bits: uint64(n)}, ok
	case pylit.Float:
		const exponents = 1e16 // from here on they are printed with one
		f := v.Float64()
		if f == math.Trunc(f) && math.Abs(f) < exponents && (f != 0 || !math.Signbit(f)) {
			return number{bits: uint64(int64(f))}, true
		}
		return number{math.Float64bits(f), true}, true
	}
	return x, false
}
