package grade

import (
	"math"
	"math/big"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"verbatim/internal/pylit"
)

// A listKey is what a list may have been sorted by instead of what was asked for.
type listKey struct {
	name string
	of   func(v pylit.Value) (key pylit.Value, ok bool)
}

func listKeys() []listKey {
	fold := cases.Fold()
	return []listKey{
		{"value", numberOf},
		{"length", func(v pylit.Value) (pylit.Value, bool) {
			return pylit.MakeInt(int64(utf8.RuneCountInString(v.Text()))), v.Kind() == pylit.Str
		}},
		{"casefold", func(v pylit.Value) (pylit.Value, bool) {
			return pylit.MakeStr(fold.String(v.Text())), v.Kind() == pylit.Str
		}},
		{"code point", func(v pylit.Value) (pylit.Value, bool) { return v, v.Kind() == pylit.Str }},
		{"the digits as text", func(v pylit.Value) (pylit.Value, bool) {
			return pylit.MakeStr(v.String()), v.Kind() == pylit.Int || v.Kind() == pylit.Float
		}},
		{"absolute value", absolute},
	}
}

// otherKey holds for the wanted items, ascending by another key. Items with equal
// keys stand in ascending order or as they stood in the question: that tells a list
// sorted by length from any list of words of one length.
func otherKey(l *listComparison) (string, bool) {
	if !l.permuted() {
		return "", false
	}
	for _, key := range listKeys() {
		if sortedBy(l.items, l.source, key) {
			return "by " + key.name, true
		}
	}
	return "", false
}

func sortedBy(items, source []pylit.Value, key listKey) bool {
	var last pylit.Value
	ties := false // items with equal keys that descend
	for i, item := range items {
		k, ok := key.of(item)
		if !ok {
			return false
		}
		if i > 0 {
			c := pylit.Order(last, k)
			if c > 0 {
				return false
			}
			ties = ties || c == 0 && pylit.Order(items[i-1], item) > 0
		}
		last = k
	}
	return !ties || source != nil && stable(items, source, key)
}

// stable reports whether items with equal keys stand as they do in the source.
func stable(items, source []pylit.Value, key listKey) bool {
	place, _ := places(source, items)
	for i := 1; i < len(items); i++ {
		a, _ := key.of(items[i-1])
		b, _ := key.of(items[i])
		if pylit.Order(a, b) == 0 && place[i] < place[i-1] {
			return false
		}
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
		} else if small && n > math.MinInt64 {
			return pylit.MakeInt(-n), true
		}
		return pylit.MakeBig(new(big.Int).Abs(v.Big())), true
	case pylit.Float:
		return pylit.MakeFloat(math.Abs(v.Float64())), true
	}
	return pylit.Value{}, false
}

// signLost holds for numbers that are the wanted ones but for some signs, in any
// order.
func signLost(l *listComparison) (string, bool) {
	if l.counts.missing == 0 || l.counts.missing != l.counts.added {
		return "", false
	}
	want, ok := absolutes(l.want)
	if !ok {
		return "", false
	}
	items, ok := absolutes(l.items)
	if !ok {
		return "", false
	}
	if _, left := places(want, items); len(left) > 0 {
		return "", false
	}
	return l.describe(), true
}

func absolutes(items []pylit.Value) ([]pylit.Value, bool) {
	out := make([]pylit.Value, len(items))
	for i, item := range items {
		v, ok := absolute(item)
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}
