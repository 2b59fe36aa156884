package verdicttest

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/verdict"
)

// StoredScore is the suite's own score, as the command uses it by default.
func StoredScore(_ *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	if g.Score == nil {
		return 0, false
	}
	return *g.Score, true
}

// SmallOptions are the command's options with few resamples of tasks, which take longest.
func SmallOptions() verdict.Options {
	o := verdict.Defaults("score", StoredScore)
	o.Resamples = 20
	return o
}

// EachRecord streams records; it may be ranged over more than once.
func EachRecord(records []verbatim.Record) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// MakeItem returns an item of a family at a length.
func MakeItem(family string, length, index int) *verbatim.Item {
	facts := map[string]string{verbatim.FactFamily: family}
	if length > 0 {
		facts[verbatim.FactLength] = strconv.Itoa(length)
	}
	return &verbatim.Item{ID: fmt.Sprintf("%s@1/len=%d/seed=1/%d", family, length, index), Facts: facts}
}

// MakeRecord is an answer with a score; it is right if the score is 1.
func MakeRecord(seq int, it *verbatim.Item, trial int, score float64) verbatim.Record {
	g := &verbatim.Grade{Outcome: verbatim.Wrong, Label: "altered", Score: &score, Grader: "text/1"}
	if score == 1 {
		g.Outcome, g.Label, g.Exact, g.Extracted = verbatim.Pass, "pass", true, true
	}
	return verbatim.Record{Seq: int64(seq), Item: it, Trial: trial, Outcome: g.Outcome, Grade: g}
}

// LostRecord is a record without an answer.
func LostRecord(seq int, it *verbatim.Item, trial int) verbatim.Record {
	return verbatim.Record{Seq: int64(seq), Item: it, Trial: trial, Outcome: verbatim.Errored}
}

// MakeSide makes a side of records. All sides have the same plan.
func MakeSide(name string, records ...verbatim.Record) verdict.Side {
	return verdict.Side{
		Run: verbatim.Run{N: 1, Name: name, Model: "model " + name, Started: time.Unix(int64(len(name)), int64(name[0])),
			Plan: verbatim.Plan{Hash: "p", Suite: "custom", Edition: verbatim.Standard, Trials: 1, Count: int64(len(records))}},
		Records: EachRecord(records),
	}
}

// SideOfScores makes a side whose items have these scores, of one family and length.
func SideOfScores(name string, s ...float64) verdict.Side {
	var records []verbatim.Record
	for i, v := range s {
		records = append(records, MakeRecord(i, MakeItem("copy", 8, i), 0, v))
	}
	return MakeSide(name, records...)
}

// DrawSides makes two sides over families and lengths with n items in each cell, in blocks.
// The scores of b are below those of a by about shift.
func DrawSides(families, lengths, n int, shift float64, seed uint64) (a, b verdict.Side) {
	r := rand.New(rand.NewPCG(seed, 1))
	var ra, rb []verbatim.Record
	for i := range n {
		for f := range families {
			for l := range lengths {
				it := MakeItem("task"+strconv.Itoa(f), 2<<l, i)
				hard := 0.05 + 0.1*float64(l)
				draw := func(shift float64) float64 {
					if r.Float64() > hard+shift {
						return 1
					}
					return float64(r.IntN(997)) / 997
				}
				ra = append(ra, MakeRecord(len(ra), it, 0, draw(0)))
				rb = append(rb, MakeRecord(len(rb), it, 0, draw(shift)))
			}
		}
	}
	return MakeSide("a", ra...), MakeSide("bb", rb...)
}

// BinarySides makes two sides of n items at each length. At length i, worse[i] items are right
// in A only, and the others in both.
func BinarySides(n int, worse ...int) (a, b verdict.Side) {
	var ra, rb []verbatim.Record
	for l, w := range worse {
		for i := range n {
			it := MakeItem("copy", 2<<l, i)
			score := 1.0
			if i < w {
				score = 0
			}
			ra, rb = append(ra, MakeRecord(len(ra), it, 0, 1)), append(rb, MakeRecord(len(rb), it, 0, score))
		}
	}
	return MakeSide("a", ra...), MakeSide("bb", rb...)
}

// HasNote reports whether a list has a note of a kind.
func HasNote(list []verdict.Note, kind string) bool {
	return slices.ContainsFunc(list, func(n verdict.Note) bool { return n.Kind == kind })
}

// Compare compares two runs or ends the test.
func Compare(t testing.TB, a, b verdict.Side, o verdict.Options) *verdict.Comparison {
	t.Helper()
	c, err := verdict.Compare(a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
