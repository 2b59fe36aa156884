package simpe

import (
	"cmp"
	"maps"
	"slices"

	"verbatim"
	"verbatim/internal/stats"
)

// A count sums up requests.
type count struct {
	requests, answered, right int
	lengths                   int       // the sum of the known lengths
	seconds                   []float64 // the known times of answers, sorted
}

// all counts the requests of a test.
func (t *entrant) all(test test) count { return t.count(test, func(int) bool { return true }) }

// within counts the requests of a test whose length is in a band.
func (t *entrant) within(test test, band verbatim.Lengths) count {
	return t.count(test, func(length int) bool { return holds(band, length) })
}

// other counts the requests of a test that are in none of its bands: their length is unknown, or
// simpE never asks it.
func (t *entrant) other(test test) count {
	return t.count(test, func(length int) bool {
		return !slices.ContainsFunc(test.bands, func(band verbatim.Lengths) bool { return holds(band, length) })
	})
}

func holds(band verbatim.Lengths, length int) bool { return band.Min <= length && length <= band.Max }

// count sums up the requests of a test whose length is accepted.
func (t *entrant) count(test test, accepts func(length int) bool) (c count) {
	for _, r := range t.requests[test.family] {
		if !accepts(r.length) {
			continue
		}
		c.requests++
		c.lengths += r.length
		if r.answered {
			c.answered++
		}
		if r.right {
			c.right++
		}
		if r.answered && r.seconds > 0 {
			c.seconds = append(c.seconds, r.seconds)
		}
	}
	slices.Sort(c.seconds)
	return c
}

// A share has a 95 % Wilson interval. Without requests ok is false.
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

// A failure is what went wrong with a request: the label of the answer, or the reason why it
// has no answer.
type failure struct {
	name     string
	answered bool
}

func failureOf(rec *verbatim.Record) failure {
	answered := rec.Outcome.Answered()
	switch {
	case answered && rec.Grade != nil:
		return failure{rec.Grade.Label, true}
	case rec.Failure != nil && rec.Failure.Class != "":
		return failure{string(rec.Failure.Class), answered}
	}
	return failure{string(rec.Outcome), answered}
}

// sortedFailures lists counted failures: those of answers first, and among them the commonest
// first.
func sortedFailures(counts map[failure]int) []failure {
	return slices.SortedFunc(maps.Keys(counts), func(a, b failure) int {
		switch {
		case a.answered && !b.answered:
			return -1
		case b.answered && !a.answered:
			return 1
		}
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.name, b.name))
	})
}

// A test is one of simpE's three tests.
type test struct {
	family, title, unit string
	bands               []verbatim.Lengths // the lengths that simpE's documents report together
	steps               []verbatim.Lengths // the lengths of a point of a curve, each within a band
}

// results holds the counted runs.
type results struct{ entrants []*entrant }

// An entrant is a run that took the tests.
type entrant struct {
	run      verbatim.Run
	name     string
	note     string
	requests map[string][]request       // by family, in the order of the plan
	failures map[string]map[failure]int // by family
	left     int64                      // records of other families
}

// A request is what is counted of one request.
type request struct {
	length   int // 0: unknown, as of requests that simpE left out of its files
	answered bool
	right    bool
	seconds  float64 // 0: unknown
}

// tests lists the tests. The bands are those of simpE's documents, and one more for strings of
// more than 500 characters, which its code sends.
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
