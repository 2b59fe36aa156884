package grade

import (
	"fmt"
	"slices"

	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// A mistake declares a failure label of lists that could be read, and tests whether
// it fits. The detail names items and positions, which count from 0.
type mistake struct {
	listLabel
	holds func(l *comparison) (detail string, ok bool) // the detail of a label that splits another one is not used
}

// mistakes returns the mistakes in the order in which they are tested. Any other list is
// "mixed": items are missing or new, and the others are out of order.
func mistakes() []mistake {
	return []mistake{
		{listLabel{Name: "unchanged", Meaning: "The list was given back as it was, not sorted.", Example: "`[20, 3, 1, 5]`"}, (*comparison).unchanged},
		{listLabel{Name: "reversed_order", Meaning: "The right items, in exactly the opposite order.", Example: "`[20, 5, 3, 1]`"}, (*comparison).reversedOrder},
		{listLabel{Name: traits.OtherKey, Meaning: "The right items, sorted by another rule: by value, as texts, by length or without regard to case.", Example: "`[1, 20, 3, 5]`"}, (*comparison).otherKey},
		{listLabel{Name: "converted", Meaning: "Number words were turned into numbers.", Example: "`[10, 2]` for `[\"ten\", \"two\"]`"}, (*comparison).converted},
		{listLabel{Name: "sign_lost", Meaning: "Items lost or gained a minus sign.", Example: "`[3, 5, 20]` for `[-5, 3, 20]`"}, (*comparison).signLost},
		{listLabel{Name: "looped"}, (*comparison).looped},
		{listLabel{Name: "cut_short"}, (*comparison).cutShort},
		{listLabel{Name: "missing", Meaning: "Items are missing; the others are right and in order.", Example: "`[1, 5, 20]`"}, (*comparison).missing},
		{listLabel{Name: "added", Meaning: "There are items too many: new ones, copies, or those to be left out; the others are right and in order.", Example: "`[1, 3, 4, 5, 20]`"}, (*comparison).added},
		{listLabel{Name: "altered", Meaning: "Items were replaced by others, or all of them; those that are left are in order.", Example: "`[1, 3, 6, 20]`"}, (*comparison).altered},
		{listLabel{Name: "misordered", Meaning: "The right items, some in a wrong place, in no order that another label names.", Example: "`[1, 5, 3, 20]`"}, (*comparison).misordered},
	}
}

type listLabel = traits.Label

func (l *comparison) unchanged() (string, bool) {
	return "", l.source != nil && slices.EqualFunc(l.items, l.source, pylit.Equal)
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

// looped: the list ends in four or more rounds of up to 16 items, eight
// items at least, and has items too many.
func (l *comparison) looped() (string, bool) {
	period, n := itemLoop(l.items)
	if period == 0 || l.counts.added == 0 {
		return "", false
	}
	if loop, _ := itemLoop(l.want); loop != 0 {
		return "", false
	}
	return fmt.Sprintf("%d items at the end repeat %s", n, l.nameItems(l.items[len(l.items)-period:])), true
}

// itemLoop returns the shortest period of the loop that a list ends in, and the number of items of the
// loop; 0 and 0 without a loop.
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
	return l.describedIf(l.counts.missing > 0 && l.counts.added == 0 && l.match().inOrder)
}

func (l *comparison) added() (string, bool) {
	return l.describedIf(l.counts.missing == 0 && l.counts.added > 0 && l.match().inOrder)
}

func (l *comparison) altered() (string, bool) {
	return l.describedIf(l.counts.missing > 0 && l.counts.added > 0 && l.match().inOrder)
}

func (l *comparison) misordered() (string, bool) { return l.describedIf(l.permuted()) }

// describedIf returns the detail of a mistake that holds.
func (l *comparison) describedIf(holds bool) (detail string, ok bool) {
	if holds {
		detail = l.describe()
	}
	return detail, holds
}
