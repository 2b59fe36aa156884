package simpe

import (
	"cmp"
	"slices"

	"verbatim"
	"verbatim/internal/stats"
)

// A count sums up requests.
type count struct {
	requests, answered, right int
	lengths                   int       // their sum, of requests whose length is known
	seconds                   []float64 // of answers that tell theirs
}

// count sums up the requests of a family within lengths; nil counts all.
func (t *entrant) count(family string, within *verbatim.Lengths) (c count) {
	for _, try := range t.requests[family] {
		if within != nil && (try.length < within.Min || try.length > within.Max) {
			continue
		}
		c.requests++
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

// other counts the requests of a family that are in none of its bands: those of a
// length that is not known, and of one that simpE never asks.
func (t *entrant) other(test test) (c count) {
	for _, try := range t.requests[test.family] {
		inside := slices.ContainsFunc(test.bands, func(l verbatim.Lengths) bool { return l.Min <= try.length && try.length <= l.Max })
		if inside {
			continue
		}
		c.requests++
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

// A test is one of the three, with the lengths that are reported together.
type test struct {
	family, title, unit string
	bands               []verbatim.Lengths // of the documents
	steps               []verbatim.Lengths // finer, for curves; every one is within a band
}

// results are what the runs say, counted.
type results struct{ entrants []*entrant }

// An entrant is a run that took the tests.
type entrant struct {
	run      verbatim.Run
	name     string
	note     string
	requests map[string][]request // by family, in the order of the plan
	failures map[string]*kinds
	left     int64 // records of other families
}

// A request is one request.
type request struct {
	length   int // 0: not known, as of requests that simpE left out
	answered bool
	right    bool
	seconds  float64 // 0: not known
}

// tests lists the tests. The bands are the documents'; simpE's code goes beyond
// 500 characters, which has a band of its own.
func tests() []test {
	return []test{
		{"reverse", "Reversal", "characters",
			[]verbatim.Lengths{{Min: 2, Max: 8}, {Min: 9, Max: 16}, {Min: 17, Max: 30}},
			[]verbatim.Lengths{{Min: 2, Max: 4}, {Min: 5, Max: 8}, {Min: 9, Max: 12}, {Min: 13, Max: 16}, {Min: 17, Max: 20}, {Min: 21, Max: 25}, {Min: 26, Max: 30}}},
		{"copy", "Rehearsal", "characters",
			[]verbatim.Lengths{{Min: 10, Max: 50}, {Min: 51, Max: 200}, {Min: 201, Max: 500}, {Min: 501, Max: 600}},
			[]verbatim.Lengths{{Min: 10, Max: 50}, {Min: 51, Max: 100}, {Min: 101, Max: 200}, {Min: 201, Max: 300}, {Min: 301, Max: 400}, {Min: 401, Max: 500}, {Min: 501, Max: 600}}},
		{"add", "Addition", "digits",
			[]verbatim.Lengths{{Min: 3, Max: 10}, {Min: 11, Max: 20}, {Min: 21, Max: 30}},
			[]verbatim.Lengths{{Min: 3, Max: 6}, {Min: 7, Max: 10}, {Min: 11, Max: 15}, {Min: 16, Max: 20}, {Min: 21, Max: 25}, {Min: 26, Max: 30}}},
	}
}
