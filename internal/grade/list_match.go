package grade

import (
	"fmt"
	"slices"

	"verbatim/internal/pylit"
)

// A listMatch pairs the items of a list with equal wanted ones, as many as there
// are.
type listMatch struct {
	lost    []pylit.Value // wanted items without a partner
	gained  []pylit.Value // items without a partner
	inOrder bool          // the others stand in the wanted order
}

// match returns the pairing. Where an item stands there more often than wanted, the
// first ones are paired or, if that is out of order, the last ones.
func (l *listComparison) match() *listMatch {
	if l.matched != nil {
		return l.matched
	}
	want, items := trimmed(l.want, l.items)
	place, left := places(want, items)
	m := &listMatch{inOrder: ascending(place)}
	for _, i := range left {
		m.lost = append(m.lost, want[i])
	}
	for i, p := range place {
		if p < 0 {
			m.gained = append(m.gained, items[i])
		}
	}
	if !m.inOrder && l.counts.added > 0 {
		want, items = slices.Clone(want), slices.Clone(items)
		slices.Reverse(want)
		slices.Reverse(items)
		place, _ = places(want, items)
		m.inOrder = ascending(place)
	}
	l.matched = m
	return m
}

// trimmed returns what is between the equal items at the starts and at the ends of
// two lists: most replies are right nearly everywhere.
func trimmed(a, b []pylit.Value) (_, _ []pylit.Value) {
	for len(a) > 0 && len(b) > 0 && pylit.Equal(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && pylit.Equal(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
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

// places returns for each item the place of an equal wanted one that no earlier
// item has, -1 where there is none, and the places that are left.
func places(want, items []pylit.Value) (place, left []int) {
	if len(want) > 0 {
		switch want[0].Kind() {
		case pylit.Int:
			a, b := make([]int64, 0, len(want)), make([]int64, 0, len(items))
			if appendInts(&a, want) && appendInts(&b, items) {
				return placesOf(a, b)
			}
		case pylit.Float:
			a, b := make([]float64, 0, len(want)), make([]float64, 0, len(items))
			if appendFloats(&a, want) && appendFloats(&b, items) {
				return placesOf(a, b)
			}
		case pylit.Str:
			a, b := make([]string, 0, len(want)), make([]string, 0, len(items))
			if appendTexts(&a, want) && appendTexts(&b, items) {
				return placesOf(a, b)
			}
		}
	}
	return placesOf(ranks(want, items))
}

func placesOf[T comparable](want, items []T) (place, left []int) {
	free := make(map[T]int, len(want)) // the first place that is free, from 1
	next := make([]int, len(want)+1)   // the next place of an equal item
	for i := len(want); i > 0; i-- {
		next[i] = free[want[i-1]]
		free[want[i-1]] = i
	}
	place = make([]int, len(items))
	taken := make([]bool, len(want))
	for i, item := range items {
		p := free[item]
		if place[i] = p - 1; p > 0 {
			free[item] = next[p]
			taken[p-1] = true
		}
	}
	for i, is := range taken {
		if !is {
			left = append(left, i)
		}
	}
	return place, left
}

// describe names what was lost and what came, and the first place that is wrong.
func (l *listComparison) describe() string {
	m := l.match()
	lost, gained := "", ""
	if len(m.lost) > 0 {
		lost = "lost " + names(m.lost)
	}
	if len(m.gained) > 0 {
		gained = "got " + names(m.gained)
	}
	order := ""
	if !m.inOrder {
		order = fmt.Sprintf("%d pairs out of order", l.counts.pairs)
	}
	return join("; ", lost, gained, order, l.firstWrong())
}
