package grade

import (
	"slices"
	"strings"

	"verbatim/internal/pylit"
)

// ranks are the items of two lists as numbers from 0 on. Equal items have the same number.
type ranks struct {
	want, items []int64
	keys        []string // the key of each number: only equal items have the same key
}

// newRanks numbers the items of two lists in the order of their first places.
func newRanks(want, items []pylit.Value) *ranks {
	r := &ranks{keys: make([]string, 0, len(want))}
	texts := allOf(pylit.Str, want) && allOf(pylit.Str, items)
	known := make(map[string]int64, len(want))
	number := func(items []pylit.Value) []int64 {
		numbers := make([]int64, len(items))
		for i, key := range keysOf(items, texts) {
			n, ok := known[key]
			if !ok {
				n = int64(len(r.keys))
				known[key] = n
				r.keys = append(r.keys, key)
			}
			numbers[i] = n
		}
		return numbers
	}
	r.want = number(want)
	r.items = number(items)
	return r
}

// keysOf returns the keys of items: the texts themselves if all are texts. Other keys are pieces of one
// string, which takes less memory than a string for each.
func keysOf(items []pylit.Value, texts bool) []string {
	keys := make([]string, len(items))
	if texts {
		for i := range items {
			keys[i] = items[i].Text()
		}
		return keys
	}
	const size = 16 // bytes of most keys
	all, ends := make([]byte, 0, size*len(items)), make([]int, len(items))
	for i := range items {
		all = pylit.AppendKey(all, items[i])
		ends[i] = len(all)
	}
	joined, from := string(all), 0
	for i, end := range ends {
		keys[i], from = joined[from:end], end
	}
	return keys
}

// sort numbers the items again, in the order of their values.
func (r *ranks) sort() {
	// Nearly always the expected items are in order already. So they and the other items are sorted
	// separately, then merged.
	first := int64(0)
	for _, n := range r.want {
		first = max(first, n+1)
	}
	order := make([]int64, len(r.keys))
	for i := range order {
		order[i] = int64(i)
	}
	byKey := func(i, j int64) int { return strings.Compare(r.keys[i], r.keys[j]) }
	expected, rest := order[:first], slices.Clone(order[first:])
	slices.SortFunc(expected, byKey)
	slices.SortFunc(rest, byKey)
	for i := len(order) - 1; len(rest) > 0; i-- {
		if last := len(rest) - 1; len(expected) == 0 || byKey(expected[len(expected)-1], rest[last]) < 0 {
			order[i], rest = rest[last], rest[:last]
		} else {
			order[i], expected = expected[len(expected)-1], expected[:len(expected)-1]
		}
	}
	rank, keys := make([]int64, len(order)), make([]string, len(order))
	for i, n := range order {
		rank[n], keys[i] = int64(i), r.keys[n]
	}
	for i, n := range r.want {
		r.want[i] = rank[n]
	}
	for i, n := range r.items {
		r.items[i] = rank[n]
	}
	r.keys = keys
}

// What places returns for items without a place.
const (
	unknown = -1 // no expected item is equal to it
	surplus = -2 // earlier items have all places of equal ones
)

// places returns for each item the first place of an equal expected one that no earlier
// item has, or unknown or surplus. left are the places that no item has.
func (r *ranks) places() (place, left []int) {
	free := make([]int, len(r.keys))   // the first place that is free, from 1
	next := make([]int, len(r.want)+1) // the next place of an equal item
	expected := make([]bool, len(r.keys))
	for i := len(r.want); i > 0; i-- {
		n := r.want[i-1]
		next[i], free[n], expected[n] = free[n], i, true
	}
	place = make([]int, len(r.items))
	used := make([]bool, len(r.want))
	for i, n := range r.items {
		switch p := free[n]; {
		case !expected[n]:
			place[i] = unknown
		case p == 0:
			place[i] = surplus
		default:
			place[i] = p - 1
			used[p-1] = true
			free[n] = next[p]
		}
	}
	for i, is := range used {
		if !is {
			left = append(left, i)
		}
	}
	return place, left
}

func allOf(kind pylit.Kind, items []pylit.Value) bool {
	for i := range items {
		if items[i].Kind() != kind {
			return false
		}
	}
	return true
}
