package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"verbatim/internal/listsort"
)

// A tally counts names. Names come from servers and files, which may give every
// record another one, so it keeps at most maxKept apart: the first ones of the
// alphabet, since these do not depend on the order in which names come, or on how
// tallies were merged. The zero tally is ready to use.
type tally struct {
	counts map[string]*int64
	beyond int64  // of names that are not kept
	most   string // the last name of the alphabet that is kept, once there are maxKept

	last string // what was counted last, and its count
	n    *int64
}

const (
	maxKept  = 512
	MaxNames = 64 // so many are shown, the commonest
	Others   = "(others)"
)

// add counts one more of name.
func (t *tally) add(name string) {
	if t.n != nil && t.last == name {
		*t.n++
		return
	}
	t.addN(name, 1)
}

func (t *tally) addN(name string, n int64) {
	if t.counts == nil {
		t.counts = make(map[string]*int64)
	}
	at := t.counts[name]
	if at == nil {
		if len(t.counts) == maxKept && name > t.most {
			t.beyond += n
			return
		}
		at = new(int64)
		t.counts[name] = at
		t.shrink()
	}
	*at += n
	t.last, t.n = name, at
}

// shrink drops the last name of the alphabet where there is one too many.
func (t *tally) shrink() {
	if len(t.counts) > maxKept {
		t.beyond += *t.counts[t.most]
		delete(t.counts, t.most)
	}
	if len(t.counts) < maxKept {
		return
	}
	t.most = ""
	for name := range t.counts {
		t.most = max(t.most, name)
	}
}

func (t *tally) merge(o *tally) {
	for name, n := range o.counts {
		t.addN(name, *n)
	}
	t.beyond += o.beyond
	t.n = nil
}

// ranked returns the counts, commonest first, equal ones by name: at most maxNames,
// and then those of all others together.
func (t *tally) ranked() []Count {
	if len(t.counts) == 0 {
		return nil
	}
	counts := make([]Count, 0, len(t.counts))
	for name, n := range t.counts {
		counts = append(counts, Count{name, *n})
	}
	commonest(counts)
	rest := t.beyond
	for _, c := range counts[min(len(counts), MaxNames):] {
		rest += c.N
	}
	counts = counts[:min(len(counts), MaxNames)]
	if rest > 0 {
		if i := slices.IndexFunc(counts, func(c Count) bool { return c.Name == Others }); i >= 0 {
			counts[i].N += rest
		} else {
			counts = append(counts, Count{Others, rest})
		}
		commonest(counts)
	}
	return counts
}

func commonest(counts []Count) {
	listsort.Stable(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
}

func ListCounts(counts []Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = fmt.Sprintf("%s (%d)", c.Name, c.N)
	}
	return strings.Join(parts, ", ")
}

// ListSome lists the commonest values with their numbers of records.
func ListSome(counts []Count) string {
	const most = 5
	if len(counts) <= most+1 {
		return ListCounts(counts)
	}
	return fmt.Sprintf("%s and %d more", ListCounts(counts[:most]), len(counts)-most)
}
