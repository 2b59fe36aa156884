package list

import (
	"fmt"

	"verbatim/internal/pylit"
)

// A listMistake is a way in which a list can be wrong that was read without
// trouble. The detail names items and places; places count from 0.
type mistake struct {
	label string
	holds func(l *comparison) (detail string, ok bool)
}

// mistakes returns the mistakes in the order in which they are tried. Any other list is
// "mixed": items are missing or new, and the rest is out of order.
func mistakes() []mistake {
	return []mistake{
		{"unchanged", (*comparison).unchanged},
		{"reversed_order", (*comparison).reversedOrder},
		{"other_key", (*comparison).otherKey},
		{"converted", (*comparison).converted},
		{"sign_lost", (*comparison).signLost},
		{"looped", (*comparison).looped},
		{"cut_short", (*comparison).cutShort},
		{"missing", (*comparison).missing},
		{"added", (*comparison).added},
		{"altered", (*comparison).altered},
		{"misordered", (*comparison).misordered},
	}
}

// A comparison is a list that was read and the expected list, from which it differs.
type comparison struct {
	want, source []pylit.Value
	items        []pylit.Value
	counts       counts
	ranks        *ranks // nil until someone needs them
	matched      *match // see match
}

// permuted: nothing was lost and nothing came.
func (l *comparison) permuted() bool { return l.counts.missing == 0 && l.counts.added == 0 }

func (l *comparison) unchanged() (string, bool) {
	return "", l.source != nil && pylit.Equal(pylit.MakeList(l.items), pylit.MakeList(l.source))
}

func (l *comparison) reversedOrder() (string, bool) {
	n := len(l.want)
	if len(l.items) != n {
		return "", false
	}
	for i, item := range l.items {
		if !pylit.Equal(item, l.want[n-1-i]) {
			return "", false
		}
	}
	return "", true
}

// looped holds for a list that ends in four or more rounds of up to 16 items, eight
// items at least, that were not all given.
func (l *comparison) looped() (string, bool) {
	period, n := itemLoop(l.items)
	if period == 0 || l.counts.added == 0 {
		return "", false
	}
	if wanted, _ := itemLoop(l.want); wanted != 0 {
		return "", false
	}
	return fmt.Sprintf("%d items at the end repeat %s", n, nameItems(l.items[len(l.items)-period:])), true
}

// itemLoop returns the shortest period with which a list ends and how many items
// follow it; 0 without a period.
func itemLoop(items []pylit.Value) (period, n int) {
	for period = 1; period <= 16; period++ {
		n := period
		for n < len(items) && pylit.Equal(items[len(items)-n-1], items[len(items)-n-1+period]) {
			n++
		}
		if n >= max(4*period, 8) && n <= len(items) {
			return period, n
		}
	}
	return 0, 0
}

func (l *comparison) cutShort() (string, bool) {
	n := len(l.items)
	if n == 0 || n >= len(l.want) || !sameItems(l.items, l.want[:n]) {
		return "", false
	}
	return fmt.Sprintf("%d of %d items", n, len(l.want)), true
}

func (l *comparison) missing() (string, bool) {
	if l.counts.added > 0 || l.counts.missing == 0 || !l.match().inOrder {
		return "", false
	}
	return l.describe(), true
}

func (l *comparison) added() (string, bool) {
	if l.counts.added == 0 || l.counts.missing > 0 || !l.match().inOrder {
		return "", false
	}
	return l.describe(), true
}

func (l *comparison) altered() (string, bool) {
	if l.counts.added == 0 || l.counts.missing == 0 || !l.match().inOrder {
		return "", false
	}
	return l.describe(), true
}

func (l *comparison) misordered() (string, bool) {
	if !l.permuted() {
		return "", false
	}
	return l.describe(), true
}
