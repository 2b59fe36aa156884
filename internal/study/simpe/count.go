package simpe

import (
	"cmp"
	"slices"

	"verbatim"
	"verbatim/internal/stats"
)

// A count sums up tries.
type count struct {
	tries, answered, right int
	lengths                int       // their sum, of tries whose length is known
	seconds                []float64 // of answers that tell theirs
}

// count sums up the tries of a family within lengths; nil counts all.
func (t *entrant) count(family string, within *verbatim.Lengths) (c count) {
	for _, try := range t.tries[family] {
		if within != nil && (try.length < within.Min || try.length > within.Max) {
			continue
		}
		c.tries++
		c.lengths += try.length
		if try.answered {
			c.answered++
		}
		if try.right {
			c.right++
		}
		if try.answered && try.seconds > 0 {
			c.seconds = append(c.seconds, try.seconds)
		}
	}
	slices.Sort(c.seconds)
	return c
}

// other counts the tries of a family that are in none of its bands: those of a
// length that is not known, and of one that simpE never asks.
func (t *entrant) other(test test) (c count) {
	for _, try := range t.tries[test.family] {
		inside := slices.ContainsFunc(test.bands, func(l verbatim.Lengths) bool { return l.Min <= try.length && try.length <= l.Max })
		if inside {
			continue
		}
		c.tries++
		if try.answered {
			c.answered++
		}
		if try.right {
			c.right++
		}
	}
	return c
}

// A share has its interval; ok is false where there is nothing to
// divide by.
type share struct {
	value, low, high float64
	ok               bool
}

func shareOf(n, of int) share {
	if of == 0 {
		return share{}
	}
	low, high := stats.Wilson(n, of, 0.95)
	return share{float64(n) / float64(of), low, high, true}
}

// kinds counts what went wrong, by name.
type kinds struct{ list []kind }

type kind struct {
	name     string
	n        int
	answered bool
}

func (k *kinds) add(rec *verbatim.Record) {
	kind := kind{answered: rec.Outcome.Answered()}
	switch {
	case kind.answered && rec.Grade != nil:
		kind.name = rec.Grade.Label
	case rec.Failure != nil && rec.Failure.Class != "":
		kind.name = string(rec.Failure.Class)
	default:
		kind.name = string(rec.Outcome)
	}
	for i := range k.list {
		if k.list[i].name == kind.name && k.list[i].answered == kind.answered {
			k.list[i].n++
			return
		}
	}
	kind.n = 1
	k.list = append(k.list, kind)
}

// sorted lists the kinds, those of answers first and the commonest first.
func (k *kinds) sorted() []kind {
	if k == nil {
		return nil
	}
	return slices.SortedFunc(slices.Values(k.list), func(a, b kind) int {
		if a.answered != b.answered {
			if a.answered {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name))
	})
}
