package grade

import (
	"slices"

	"verbatim/internal/pylit"
)

// A comparison is a list that was read and the expected list, from which it differs.
type comparison struct {
	want, source []pylit.Value
	items        []pylit.Value
	counts       counts
	ranks        *ranks // nil until they are needed
	matched      *match // the result of match, nil until it is called
	rows         bool   // details print rows; those of SortBench's graders say "a list of 2"
}

// permuted reports whether no item is missing and none is new.
func (l *comparison) permuted() bool { return l.counts.missing == 0 && l.counts.added == 0 }

// A match pairs as many items of a list as possible with equal expected ones.
type match struct {
	lost    []pylit.Value // expected items without a partner
	gained  []pylit.Value // items without a partner
	inOrder bool          // the others are in the expected order
}

// match returns the pairing. Of an item that is there too often, the
// first ones are paired or, if those are out of order, the last ones.
func (l *comparison) match() *match {
	if l.matched != nil {
		return l.matched
	}
	start, end := commonEnds(l.want, l.items)
	want, items := l.want[start:len(l.want)-end], l.items[start:len(l.items)-end]
	var order ranks
	if l.ranks == nil {
		order = *newRanks(want, items)
	} else {
		order = ranks{l.ranks.want[start : len(l.want)-end], l.ranks.items[start : len(l.items)-end], l.ranks.keys}
	}
	place, left := order.places()
	m := &match{inOrder: ascending(place)}
	for _, i := range left {
		m.lost = append(m.lost, want[i])
	}
	for i, p := range place {
		if p < 0 {
			m.gained = append(m.gained, items[i])
		}
	}
	if !m.inOrder && slices.Contains(place, surplus) {
		order.want, order.items = slices.Clone(order.want), slices.Clone(order.items)
		slices.Reverse(order.want)
		slices.Reverse(order.items)
		place, _ = order.places()
		m.inOrder = ascending(place)
	}
	l.matched = m
	return m
}

// commonEnds returns how many items are equal at the starts and at the ends of two
// lists, which do not overlap. Most replies are right nearly everywhere.
func commonEnds(a, b []pylit.Value) (start, end int) {
	n := min(len(a), len(b))
	for start < n && pylit.Equal(a[start], b[start]) {
		start++
	}
	for end < n-start && pylit.Equal(a[len(a)-1-end], b[len(b)-1-end]) {
		end++
	}
	return start, end
}

// ascending reports whether the places that are not negative ascend.
func ascending(places []int) bool {
	last := -1
	for _, p := range places {
		if p >= 0 {
			if p < last {
				return false
			}
			last = p
		}
	}
	return true
}
