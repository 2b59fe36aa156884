package grade

import (
	"cmp"
	"slices"
	"strings"

	"verbatim/internal/pylit"
)

// counts are what SortBench counts in a list that was read: how far it is from
// ascending order, and how its items differ from those of the input, as multisets.
type counts struct {
	pairs          int64 // pairs of an item and a smaller one anywhere behind it
	neighbors      int   // items directly before a smaller one
	missing, added int
}

// A counter counts lists of one element type and keeps its buffers. Time is
// O(n log n) at worst and linear for lists that are nearly in order.
type counter[T cmp.Ordered] struct {
	out  []T   // the list to count, which count changes
	work []T   // the second buffer of the merge sort
	ends []int // where ascending runs end
}

// count compares t.out with want, which is in ascending order. A NaN is in no order with
// others and equal to none.
func (t *counter[T]) count(want []T) counts {
	if slices.Equal(t.out, want) {
		return counts{}
	}
	var c counts
	out := t.out
	if t.split(out); len(t.ends) > 1 || slices.ContainsFunc(out, isNaN) {
		c.neighbors = len(t.ends) - 1
		if out = slices.DeleteFunc(out, isNaN); len(out) < len(t.out) {
			c.added = len(t.out) - len(out)
			t.split(out)
		}
		out, c.pairs = t.merge(out)
	}
	missing, added := listDifference(want, out)
	c.missing = missing
	c.added += added
	return c
}

func isNaN[T comparable](x T) bool { return x != x }

// split sets t.ends to the ends of the ascending runs of a list.
func (t *counter[T]) split(list []T) {
	t.ends = t.ends[:0]
	for i := 1; i < len(list); i++ {
		if list[i-1] > list[i] {
			t.ends = append(t.ends, i)
		}
	}
	t.ends = append(t.ends, len(list))
}

// merge returns the list in ascending order, and the number of pairs that were not. It
// merges the ascending runs of the list: models sort nearly right or not at all.
func (t *counter[T]) merge(list []T) (sorted []T, pairs int64) {
	n := len(list)
	t.work = slices.Grow(t.work[:0], n)[:n]
	from, to, ends := list, t.work, t.ends
	for len(ends) > 1 {
		start, merged := 0, ends[:0]
		for i := 0; i < len(ends); i += 2 {
			mid, end := ends[i], ends[min(i+1, len(ends)-1)]
			pairs += merge(to[start:end], from[start:mid], from[mid:end])
			merged = append(merged, end)
			start = end
		}
		ends = merged
		from, to = to, from
	}
	return from, pairs
}

// merge merges two ascending lists into to. It returns the number of pairs of an item of a and a smaller one
// of b.
func merge[T cmp.Ordered](to, a, b []T) (pairs int64) {
	i, k := 0, 0
	for k < len(b) && i < len(a) {
		if b[k] < a[i] {
			to[i+k] = b[k]
			k++
			pairs += int64(len(a) - i)
		} else {
			to[i+k] = a[i]
			i++
		}
	}
	copy(to[i+k:], a[i:])
	copy(to[len(a)+k:], b[k:])
	return pairs
}

// listDifference returns how many items of a are not in b and how many of b not in a,
// as multisets; both are ascending.
func listDifference[T cmp.Ordered](a, b []T) (onlyA, onlyB int) {
	i, k := 0, 0
	for i < len(a) && k < len(b) {
		switch {
		case a[i] == b[k]:
			i++
			k++
		case a[i] < b[k]:
			i++
			onlyA++
		default:
			k++
			onlyB++
		}
	}
	return onlyA + len(a) - i, onlyB + len(b) - k
}

// A scale is an expected list, prepared for fast counting: as ints,
// floats or strings if all items are of that kind. Other items are counted by their ranks among the items of
// both lists.
type scale struct {
	kind   pylit.Kind
	ints   []int64
	floats []float64
	nans   int // the number of values that are not numbers, which floats does not have
	texts  []string
	want   []pylit.Value
	// ownOrder: the list is not in ascending order, such as one sorted in descending
	// order. Items are counted by their places in it.
	ownOrder bool
}

// newScale returns the scale of a list that is counted in ascending order.
func newScale(want []pylit.Value) scale {
	s := scale{kind: pylit.None, want: want}
	if len(want) == 0 {
		return s
	}
	switch kind := want[0].Kind(); kind {
	case pylit.Int:
		if fill(&s.ints, want, intOf) {
			s.kind = kind
			slices.Sort(s.ints)
		}
	case pylit.Float:
		if fill(&s.floats, want, floatOf) {
			s.kind = kind
			s.floats = slices.DeleteFunc(s.floats, isNaN)
			s.nans = len(want) - len(s.floats)
			slices.Sort(s.floats)
		}
	case pylit.Str:
		if fill(&s.texts, want, textOf) {
			s.kind = kind
			slices.Sort(s.texts)
		}
	}
	return s
}

// manyTexts is the number of texts from which ranks, which need one look-up of each text, are
// faster than comparisons.
const manyTexts = 1 << 14

// A tally holds the buffers for counting by any scale.
type tally struct {
	ints   counter[int64]
	floats counter[float64]
	texts  counter[string]
}

// count counts the items by the scale. It also returns their ranks if it needed them, otherwise nil.
func (t *tally) count(s *scale, items []pylit.Value) (counts, *ranks) {
	switch {
	case s.ownOrder:
		return t.countPlaces(s, items)
	case s.kind == pylit.Int && fill(&t.ints.out, items, intOf):
		return t.ints.count(s.ints), nil
	case s.kind == pylit.Float && fill(&t.floats.out, items, floatOf):
		c := t.floats.count(s.floats)
		c.missing += s.nans
		return c, nil
	case s.kind == pylit.Str && len(items) < manyTexts && fill(&t.texts.out, items, textOf):
		return t.texts.count(s.texts), nil
	}
	r := newRanks(s.want, items)
	r.sort()
	want := slices.Clone(r.want)
	slices.Sort(want)
	t.ints.out = append(t.ints.out[:0], r.items...)
	return t.ints.count(want), r
}

// countPlaces counts by the places that the items have in the expected list. Items that are
// not expected have none, and are in no order with others.
func (t *tally) countPlaces(s *scale, items []pylit.Value) (counts, *ranks) {
	r := newRanks(s.want, items)
	expected := slices.Clone(r.want)
	slices.Sort(expected)
	t.ints.out = t.ints.out[:0]
	for _, n := range r.items {
		if len(expected) > 0 && n <= expected[len(expected)-1] {
			t.ints.out = append(t.ints.out, n)
		}
	}
	unknown := len(items) - len(t.ints.out)
	c := t.ints.count(expected)
	c.added += unknown
	return c, r
}

// isAscending reports whether a list is in the order of its values.
func isAscending(items []pylit.Value) bool {
	if allOf(pylit.Str, items) {
		return slices.IsSortedFunc(items, func(a, b pylit.Value) int { return strings.Compare(a.Text(), b.Text()) })
	}
	var ints []int64
	if fill(&ints, items, intOf) {
		return slices.IsSorted(ints)
	}
	return ranksAscend(items)
}

// ranksAscend is isAscending for items of any kind, but slower.
func ranksAscend(items []pylit.Value) bool {
	r := newRanks(items, nil)
	r.sort()
	return slices.IsSorted(r.want)
}

// fill sets dst to what of returns of the items. It returns false if of does so for one of them.
func fill[T any](dst *[]T, items []pylit.Value, of func(v *pylit.Value) (T, bool)) bool {
	*dst = slices.Grow((*dst)[:0], len(items))
	for i := range items {
		x, ok := of(&items[i])
		if !ok {
			return false
		}
		*dst = append(*dst, x)
	}
	return true
}

// intOf returns an int within int64.
func intOf(v *pylit.Value) (int64, bool) {
	n, ok := v.Int64()
	return n, ok && v.Kind() == pylit.Int
}

func floatOf(v *pylit.Value) (float64, bool) { return v.Float64(), v.Kind() == pylit.Float }

func textOf(v *pylit.Value) (string, bool) { return v.Text(), v.Kind() == pylit.Str }

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
