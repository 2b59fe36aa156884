package list

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"verbatim/internal/pylit"
)

// counts are what SortBench counts in a list that was read: how far it is from
// ascending order, and what it lost and gained against the list that was given.
type counts struct {
	pairs          int64 // items that stand before a smaller one, for every such one
	neighbors      int   // items that stand directly before a smaller one
	missing, added int   // as multisets
}

// A counter counts lists of one element type and keeps its memory. Time is
// O(n log n) at worst and linear for lists that are nearly in order.
type counter[T cmp.Ordered] struct {
	out  []T   // the list to be counted: put the items here; counting changes it
	work []T   // the other half while it is being sorted
	ends []int // where ascending runs end
}

// count counts t.out against want, which is in ascending order. A NaN is before
// and after nothing, and equal to nothing.
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
	missing, added := difference(want, out)
	c.missing = missing
	c.added += added
	return c
}

func isNaN[T comparable](x T) bool { return x != x }

// split notes where the ascending runs of a list end.
func (t *counter[T]) split(list []T) {
	t.ends = t.ends[:0]
	for i := 1; i < len(list); i++ {
		if list[i-1] > list[i] {
			t.ends = append(t.ends, i)
		}
	}
	t.ends = append(t.ends, len(list))
}

// merge returns the list in ascending order, and how many pairs were not. It
// merges the runs that are there already: models sort nearly right or not at all.
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

// merge merges two ascending lists into to and returns how many pairs of an item
// of a and a smaller one of b there are.
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

// difference returns how many items of a are not in b and how many of b not in a,
// as multisets; both are ascending.
func difference[T cmp.Ordered](a, b []T) (onlyA, onlyB int) {
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

// A scale turns the items of one list into what can be counted fast: ints,
// floats or strings where all items are of that kind, and ranks among the items of
// both lists for everything else.
type scale struct {
	kind   pylit.Kind
	ints   []int64
	floats []float64
	nans   int // which are not among the floats
	texts  []string
	want   []pylit.Value
	// ownOrder: the list is not in the order of its values, as one that was to be sorted
	// downwards, so that its items are counted by their places in it.
	ownOrder bool
}

// newScale returns the scale of a list, its items in ascending order.
func newScale(want []pylit.Value) scale {
	s := scale{kind: pylit.None, want: want}
	if len(want) == 0 {
		return s
	}
	switch kind := want[0].Kind(); kind {
	case pylit.Int:
		s.ints = make([]int64, 0, len(want))
		if fillInts(&s.ints, want) {
			s.kind = kind
			slices.Sort(s.ints)
		}
	case pylit.Float:
		s.floats = make([]float64, 0, len(want))
		if fillFloats(&s.floats, want) {
			s.kind = kind
			s.floats = slices.DeleteFunc(s.floats, isNaN)
			s.nans = len(want) - len(s.floats)
			slices.Sort(s.floats)
		}
	case pylit.Str:
		s.texts = make([]string, 0, len(want))
		if fillTexts(&s.texts, want) {
			s.kind = kind
			slices.Sort(s.texts)
		}
	}
	return s
}

// manyTexts is the number of texts from which to look each up once, for its rank,
// is faster than to compare them with one another.
const manyTexts = 1 << 14

// A tally holds the memory for counting against any scale.
type tally struct {
	ints   counter[int64]
	floats counter[float64]
	texts  counter[string]
}

// count counts the items against the list of the scale. It returns their ranks too,
// where it had to find them.
func (t *tally) count(s *scale, items []pylit.Value) (counts, *ranks) {
	switch {
	case s.ownOrder:
		return t.countPlaces(s, items)
	case s.kind == pylit.Int && fillInts(&t.ints.out, items):
		return t.ints.count(s.ints), nil
	case s.kind == pylit.Float && fillFloats(&t.floats.out, items):
		c := t.floats.count(s.floats)
		c.missing += s.nans
		return c, nil
	case s.kind == pylit.Str && len(items) < manyTexts && fillTexts(&t.texts.out, items):
		return t.texts.count(s.texts), nil
	}
	r := newRanks(s.want, items)
	r.sort()
	want := slices.Clone(r.want)
	slices.Sort(want)
	t.ints.out = append(t.ints.out[:0], r.items...)
	return t.ints.count(want), r
}

// countPlaces counts by the places that the items have in the wanted list. Items that are
// not wanted have none, so that they are in no order with others.
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
	if ascending, ok := ascendingInts(items); ok {
		return ascending
	}
	return ranksAscend(items)
}

// ascendingInts reports whether ints within int64 ascend. It is not ok if there are other items.
func ascendingInts(items []pylit.Value) (ascending, ok bool) {
	ascending = true
	last := int64(math.MinInt64)
	for i := range items {
		n, ok := items[i].Int64()
		if !ok || items[i].Kind() != pylit.Int {
			return false, false
		}
		ascending = ascending && last <= n
		last = n
	}
	return ascending, true
}

// ranksAscend is isAscending for items of any kind, in a map of them.
func ranksAscend(items []pylit.Value) bool {
	r := newRanks(items, nil)
	r.sort()
	return slices.IsSorted(r.want)
}

// fillInts sets dst to the items if all are ints within int64; so do the next two for
// floats and strings.
func fillInts(dst *[]int64, items []pylit.Value) bool {
	*dst = (*dst)[:0]
	for i := range items {
		n, ok := items[i].Int64()
		if !ok || items[i].Kind() != pylit.Int {
			return false
		}
		*dst = append(*dst, n)
	}
	return true
}

func fillFloats(dst *[]float64, items []pylit.Value) bool {
	*dst = (*dst)[:0]
	for i := range items {
		if items[i].Kind() != pylit.Float {
			return false
		}
		*dst = append(*dst, items[i].Float64())
	}
	return true
}

func fillTexts(dst *[]string, items []pylit.Value) bool {
	*dst = (*dst)[:0]
	for i := range items {
		if items[i].Kind() != pylit.Str {
			return false
		}
		*dst = append(*dst, items[i].Text())
	}
	return true
}
