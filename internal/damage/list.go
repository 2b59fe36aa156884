package damage

import (
	"slices"

	"verbatim"
	"verbatim/internal/pylit"
)

// A list is the expected answer of an item as the spoilers of lists see it.
type list struct {
	want     []any
	source   []any // what was to be sorted; nil when unknown
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

// same reports whether two lists print alike: what prints alike is the same value
// of the same type.
func same(a, b []any) bool { return pylit.Format(a) == pylit.Format(b) }

// print prints a spoilt list; ok is false when it is right after all, or what was
// to be sorted, or the right one in reverse.
func (l list) print(items []any) (string, bool) {
	return pylit.Format(items), !same(items, l.want) && !same(items, l.source) && !same(items, reversed(l.want))
}

// redraw draws lists until one fits done and ok.
func (l list) redraw(draw func() []any, ok func([]any) bool) (string, bool) {
	for range attempts {
		items := draw()
		if reply, fine := l.print(items); fine && ok(items) {
			return reply, true
		}
	}
	return "", false
}

// startsLike reports whether items are the beginning of the wanted list.
func (l list) startsLike(items []any) bool {
	return len(items) <= len(l.want) && same(items, l.want[:len(items)])
}

func reversed(items []any) []any {
	out := slices.Clone(items)
	slices.Reverse(out)
	return out
}
