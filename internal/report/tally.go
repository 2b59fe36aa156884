package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A tally counts names. The zero value is ready.
type tally struct {
	byName[tallyCount, *tallyCount]
	lastName  string // that was counted last
	lastCount *tallyCount
}

// A tallyCount is how often a name was counted.
type tallyCount int64

func (n *tallyCount) merge(o *tallyCount) { *n += *o }

const (
	maxKept  = 512 // names with a count of their own
	maxNames = 64  // names that reports show, the commonest
	Others   = "(others)"
)

// add counts one more of name.
func (t *tally) add(name string) { t.addN(name, 1) }

// addN counts n more of name.
func (t *tally) addN(name string, n int64) {
	if t.lastCount == nil || t.lastName != name {
		t.lastName, t.lastCount = name, t.of(name, maxKept)
	}
	*t.lastCount += tallyCount(n)
}

func (t *tally) merge(o *tally) {
	t.byName.merge(&o.byName, maxKept)
	t.lastCount = nil
}

// ranked returns the counts, commonest first and equal ones by name: of at most maxNames names,
// and the sum of all others under the name Others. It is nil without counts.
func (t *tally) ranked() []Count {
	if len(t.values) == 0 {
		return nil
	}
	counts := make([]Count, 0, len(t.values))
	for name, n := range t.values {
		counts = append(counts, Count{name, int64(*n)})
	}
	sortCounts(counts)
	rest := int64(0)
	if t.rest != nil {
		rest = int64(*t.rest)
	}
	for _, c := range counts[min(len(counts), maxNames):] {
		rest += c.N
	}
	counts = counts[:min(len(counts), maxNames)]
	if rest > 0 {
		if i := slices.IndexFunc(counts, func(c Count) bool { return c.Name == Others }); i >= 0 {
			counts[i].N += rest
		} else {
			counts = append(counts, Count{Others, rest})
		}
		sortCounts(counts)
	}
	return counts
}

// sortCounts sorts counts, commonest first and equal ones by name.
func sortCounts(counts []Count) {
	slices.SortStableFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
}

// listCounts returns the names with their counts in brackets, separated by commas.
func listCounts(counts []Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = fmt.Sprintf("%s (%d)", c.Name, c.N)
	}
	return strings.Join(parts, ", ")
}

// ListSome is listCounts of the first five counts, with the number of the others.
func ListSome(counts []Count) string {
	const shown = 5
	if len(counts) <= shown+1 { // one more takes no more room than its number
		return listCounts(counts)
	}
	return fmt.Sprintf("%s and %d more", listCounts(counts[:shown]), len(counts)-shown)
}
