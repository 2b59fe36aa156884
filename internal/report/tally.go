package report

import (
	"cmp"
	"slices"
)

// A tally counts names. It keeps at most maxNames of them apart: names come
// from servers and files, which may give every record another one.
type tally map[string]int64

const (
	maxNames = 64
	others   = "(others)"
)

// add counts one more of name; the zero tally is ready to use.
func (t *tally) add(name string) { t.addN(name, 1) }

func (t *tally) addN(name string, n int64) {
	if *t == nil {
		*t = make(tally)
	}
	if _, known := (*t)[name]; !known && len(*t) >= maxNames {
		name = others
	}
	(*t)[name] += n
}

func (t *tally) merge(o tally) {
	for _, c := range o.ranked() { // ranked: which names are kept must not hang on the order of a map
		t.addN(c.Name, c.N)
	}
}

// ranked returns the counts, commonest first, equal ones by name.
func (t tally) ranked() []Count {
	if len(t) == 0 {
		return nil
	}
	counts := make([]Count, 0, len(t))
	for name, n := range t {
		counts = append(counts, Count{name, n})
	}
	slices.SortFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
	return counts
}
