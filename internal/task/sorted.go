package task

import (
	"math/rand/v2"
	"slices"

	"verbatim"
)

// sorted draws lists that are sorted already.
type sorted struct{ of lister }

func (l sorted) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	list, err := l.of.list(r, n, edition)
	slices.SortFunc(list, compare)
	return list, err
}

// doubled draws lists with every item twice, one after the other.
type doubled struct{ of lister }

func (l doubled) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	if n%2 != 0 {
		return nil, misuse("ask for an even length", "a list that has each item twice cannot have %d items", n)
	}
	list, err := l.of.list(r, n/2, edition)
	out := make([]any, 0, n)
	for _, v := range list {
		out = append(out, v, v)
	}
	return out, err
}
