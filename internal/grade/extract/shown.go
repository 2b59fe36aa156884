package extract

import (
	"strings"
	"sync"

	"verbatim/internal/pylit"
)

// A shown is what the prompt of a question about a list shows: its lists, and their items.
// The right order is not in it.
type shown struct {
	lists [][]pylit.Value
	texts map[string]pylit.Value // items that are texts, as they are written
	keys  map[string]bool        // items by what keyOf returns
	cells []pylit.Kind           // the kinds of the columns of rows; nil without rows
}

// maxShown is the number of lists that are read from a prompt.
const maxShown = 64

// newShown reads the lists of the prompt's texts. given is the input, which is one of them
// or is made of several.
func newShown(item pylit.Kind, given []pylit.Value, prompt []string) *shown {
	h := &shown{texts: map[string]pylit.Value{}, keys: map[string]bool{}}
	if given != nil {
		h.lists = append(h.lists, given)
	}
	for _, t := range prompt {
		for attempts := 0; len(h.lists) < maxShown && attempts < 20*maxShown; attempts++ {
			at := strings.IndexByte(t, '[')
			if at < 0 {
				break
			}
			t = t[at:]
			v, n, ok := new(pylit.Parser).Prefix(t)
			if !ok {
				t = t[1:]
				continue
			}
			if items := v.Items(); v.Kind() == pylit.List && len(items) > 0 {
				h.lists = append(h.lists, items)
			}
			t = t[n:]
		}
	}
	for _, list := range h.lists {
		for _, v := range list {
			if v.Kind() == item {
				h.learn(v)
			}
		}
	}
	return h
}

func (h *shown) learn(v pylit.Value) {
	h.keys[keyOf(v)] = true
	switch v.Kind() {
	case pylit.Str:
		h.texts[v.Text()] = v
	case pylit.List:
		if h.cells == nil {
			for _, cell := range v.Items() {
				h.cells = append(h.cells, cell.Kind())
			}
		}
	}
}

// keyOf returns what an item is looked up by: whether it is one of those that were shown.
func keyOf(v pylit.Value) string {
	if v.Kind() == pylit.Str {
		return strings.ToLower(v.Text())
	}
	return strings.TrimSuffix(v.String(), ".0")
}

// known returns how many items were shown.
func (h *shown) known(items []pylit.Value) (n int) {
	for _, v := range items {
		if h.keys[keyOf(v)] {
			n++
		}
	}
	return n
}

// isInput reports whether items are a list of the prompt.
func (h *shown) isInput(items []pylit.Value) bool {
	for _, list := range h.lists {
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

// shownOnce returns a function that reads a prompt when it is called first.
func shownOnce(item pylit.Kind, given []pylit.Value, prompt []string) func() *shown {
	return sync.OnceValue(func() *shown { return newShown(item, given, prompt) })
}
