package grade

import (
	"bytes"
	"math"
	"math/big"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"verbatim/internal/grade/runes"
	"verbatim/internal/pylit"
)

// A sortKey is a key by which a list may be sorted by mistake. of returns the key of an item; false if it
// has none.
type sortKey struct {
	name string
	of   func(v pylit.Value) (key pylit.Value, ok bool)
}

func sortKeys() []sortKey {
	fold := cases.Fold()
	return []sortKey{
		{"value", numberOf},
		{"length", func(v pylit.Value) (pylit.Value, bool) {
			return pylit.MakeInt(int64(utf8.RuneCountInString(v.Text()))), v.Kind() == pylit.Str
		}},
		{"casefold", func(v pylit.Value) (pylit.Value, bool) {
			return pylit.MakeStr(foldCase(fold, v.Text())), v.Kind() == pylit.Str
		}},
		{"code point", func(v pylit.Value) (pylit.Value, bool) { return v, v.Kind() == pylit.Str }},
		{"the digits as text", func(v pylit.Value) (pylit.Value, bool) {
			return pylit.MakeStr(v.String()), v.Kind() == pylit.Int || v.Kind() == pylit.Float
		}},
		{"absolute value", absolute},
	}
}

// foldCase returns s, case-folded. A Caser allocates memory for each text, which ASCII does not need.
func foldCase(fold cases.Caser, s string) string {
	if runes.IsASCII(s) {
		return strings.ToLower(s)
	}
	return fold.String(s)
}

// otherKey: the expected items, ascending by another key. Items with equal
// keys are in ascending order or in that of the question. This tells a list
// sorted by length from any list of words of one length.
func (l *comparison) otherKey() (string, bool) {
	if !l.permuted() {
		return "", false
	}
	for _, key := range sortKeys() {
		if sortedBy(l.items, l.source, key) {
			return "by " + key.name, true
		}
	}
	return "", false
}

// sortedBy reports whether items are sorted by a key: see otherKey.
func sortedBy(items, source []pylit.Value, key sortKey) bool {
	var last, next []byte
	ties, steps := false, false // items with equal keys that descend; keys that differ
	for i, item := range items {
		k, ok := key.of(item)
		if !ok {
			return false
		}
		next = pylit.AppendKey(next[:0], k)
		if i > 0 {
			c := bytes.Compare(last, next)
			if c > 0 {
				return false
			}
			steps = steps || c < 0
			ties = ties || c == 0 && descend(items[i-1], item)
		}
		last, next = next, last
	}
	return !ties || steps && source != nil && stable(items, source, key)
}

func descend(a, b pylit.Value) bool {
	return bytes.Compare(pylit.AppendKey(nil, a), pylit.AppendKey(nil, b)) > 0
}

// stable reports whether items with equal keys are in the order of the source.
func stable(items, source []pylit.Value, key sortKey) bool {
	place, _ := newRanks(source, items).places()
	var last pylit.Value
	for i, item := range items {
		k, _ := key.of(item)
		if i > 0 && pylit.Equal(last, k) && place[i] < place[i-1] {
			return false
		}
		last = k
	}
	return true
}

// numberOf returns the number that an item is, or that its text spells in digits
// or in English words.
func numberOf(v pylit.Value) (pylit.Value, bool) {
	switch v.Kind() {
	case pylit.Int, pylit.Float:
		return v, true
	case pylit.Str:
		if n, ok := wordNumber(v.Text()); ok {
			return pylit.MakeInt(n), true
		}
		return pylit.Cast(v, pylit.Float)
	}
	return pylit.Value{}, false
}

// absolute returns a number without its sign.
func absolute(v pylit.Value) (pylit.Value, bool) {
	switch v.Kind() {
	case pylit.Int:
		if n, small := v.Int64(); small && n >= 0 {
			return v, true
		}
		return pylit.MakeBig(new(big.Int).Abs(v.Big())), true
	case pylit.Float:
		return pylit.MakeFloat(math.Abs(v.Float64())), true
	}
	return pylit.Value{}, false
}

// signLost: the expected numbers apart from some signs, in any
// order.
func (l *comparison) signLost() (string, bool) {
	if l.counts.missing == 0 || l.counts.missing != l.counts.added {
		return "", false
	}
	want, signs, ok := absolutes(l.want)
	if !ok || len(l.items) != len(l.want) {
		return "", false
	}
	items, others, ok := absolutes(l.items)
	if !ok || signs == others && signs == 0 {
		return "", false
	}
	if _, left := newRanks(want, items).places(); len(left) > 0 {
		return "", false
	}
	return l.describe(), true
}

// absolutes returns numbers without their signs and how many had one.
func absolutes(items []pylit.Value) (out []pylit.Value, signs int, ok bool) {
	out = make([]pylit.Value, len(items))
	for i, item := range items {
		if out[i], ok = absolute(item); !ok {
			return nil, 0, false
		}
		if !pylit.Equal(out[i], item) {
			signs++
		}
	}
	return out, signs, true
}
