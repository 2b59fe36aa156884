package damage

import (
	"slices"

	"verbatim"
	"verbatim/internal/pylit"
)

// A list is the expected answer of an item as the spoilers of lists see it.
type list struct {
	want     []any
	source   []any // the list to sort; nil if unknown
	printed  string
	mistakes []verbatim.Mistake
}

func listOf(it *verbatim.Item) list {
	l := list{want: it.Want.List, printed: Right(it), mistakes: it.Mistakes}
	if it.Source != nil && it.Source.IsList() {
		l.source = it.Source.List
	}
	return l
}

// same reports whether two lists are printed alike, and so have the same values of the same types.
func same(a, b []any) bool { return pylit.Format(a) == pylit.Format(b) }

// print prints a spoilt list; ok is false if it is the right one, its reverse, or the list to sort.
func (l list) print(items []any) (reply string, ok bool) {
	return pylit.Format(items), !same(items, l.want) && !same(items, l.source) && !same(items, reversed(l.want))
}

// redraw draws a list until it fits and print accepts it; ok is false if none of the attempts does.
func (l list) redraw(draw func() []any, fits func([]any) bool) (reply string, ok bool) {
	for range attempts {
		items := draw()
		if reply, ok := l.print(items); ok && fits(items) {
			return reply, true
		}
	}
	return "", false
}

// startsLike reports whether items are the beginning of the expected list.
func (l list) startsLike(items []any) bool {
	return len(items) <= len(l.want) && same(items, l.want[:len(items)])
}

func reversed(items []any) []any {
	out := slices.Clone(items)
	slices.Reverse(out)
	return out
}
