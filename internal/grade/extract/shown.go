package extract

import (
	"math"
	"strings"
	"sync"

	"verbatim/internal/pylit"
)

// A shown is what the prompt of a question about a list shows: its lists, and their items.
// The right order is not in it. It reads the prompt when that is needed first.
type shown struct {
	item   pylit.Kind
	given  []pylit.Value // the input, which is one of the lists or is made of several
	prompt []string

	reading, learning sync.Once
	lists             [][]pylit.Value
	texts             map[string]pylit.Value // items that are texts, as they are written
	keys              map[itemKey]bool
	cells             []pylit.Kind // the kinds of the columns of rows; nil without rows
}

// maxShown is the number of lists that are read from a prompt.
const maxShown = 64

// read reads the lists of the prompt's texts.
func (h *shown) read() {
	if h.given != nil {
		h.lists = append(h.lists, h.given)
	}
	var p pylit.Parser
	for _, t := range h.prompt {
		for attempts := 0; len(h.lists) < maxShown && attempts < 20*maxShown; attempts++ {
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
				h.lists = append(h.lists, p.Keep(v).Items())
			}
			t = t[n:]
		}
	}
}

// readLists returns the lists of the prompt.
func (h *shown) readLists() [][]pylit.Value {
	h.reading.Do(h.read)
	return h.lists
}

// learned returns h with the items of the lists.
func (h *shown) learned() *shown {
	h.learning.Do(h.learn)
	return h
}

func (h *shown) learn() {
	items := 0
	for _, list := range h.readLists() {
		items = max(items, len(list))
	}
	h.keys = make(map[itemKey]bool, items)
	if h.item == pylit.Str {
		h.texts = make(map[string]pylit.Value, items)
	}
	for _, list := range h.readLists() {
		for i := range list {
			v := &list[i]
			if v.Kind() != h.item {
				continue
			}
			h.keys[keyOf(*v)] = true
			switch {
			case h.item == pylit.Str:
				h.texts[v.Text()] = *v
			case h.item == pylit.List && h.cells == nil:
				for _, cell := range v.Items() {
					h.cells = append(h.cells, cell.Kind())
				}
			}
		}
	}
}

// hasItems reports whether a list of the prompt has an item of the question's kind.
func (h *shown) hasItems() bool {
	for _, list := range h.readLists() {
		for i := range list {
			if list[i].Kind() == h.item {
				return true
			}
		}
	}
	return false
}

// An itemKey is what an item is looked up by: whether it is one of those that were shown.
type itemKey struct {
	text     string
	number   uint64
	fraction bool
}

// keyOf returns the key of an item. Texts have one in lower case; a float has the key of the int
// that it is printed as, apart from ".0".
func keyOf(v pylit.Value) itemKey {
	switch v.Kind() {
	case pylit.Str:
		return itemKey{text: strings.ToLower(v.Text())}
	case pylit.Int:
		if n, ok := v.Int64(); ok {
			return itemKey{number: uint64(n)}
		}
	case pylit.Float:
		const exponents = 1e16 // from here on they are printed with one
		f := v.Float64()
		if f == math.Trunc(f) && math.Abs(f) < exponents && (f != 0 || !math.Signbit(f)) {
			return itemKey{number: uint64(int64(f))}
		}
		return itemKey{number: math.Float64bits(f), fraction: true}
	}
	return itemKey{text: v.String()}
}

// known returns how many items were shown.
func (h *shown) known(items []pylit.Value) (n int) {
	keys := h.learned().keys
	for i := range items {
		if keys[keyOf(items[i])] {
			n++
		}
	}
	return n
}

// isInput reports whether items are a list of the prompt.
func (h *shown) isInput(items []pylit.Value) bool {
	for _, list := range h.readLists() {
		if sameItems(items, list) {
			return true
		}
	}
	return false
}

func sameItems(a, b []pylit.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !pylit.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}
