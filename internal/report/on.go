package report

import (
	"fmt"
	"strings"

	"verbatim"
)

// An On names what the score column holds.
type On string

// The score columns. Without a choice it is the score that the suite itself
// gives: SortBench's in its suite, exactness elsewhere.
const (
	OnScore      On = "score"
	OnExact      On = "exact"      // 1 when right as the rule of the task demands, else 0
	OnPayload    On = "payload"    // 1 when right once a wrapper is removed, else 0
	OnSimilarity On = "similarity" // 1 less the normalised edit distance
	OnSortBench  On = "sortbench"  // SortBench score, in the normalisation of the item's edition
)

// Ons lists the names that --metric takes, the default first.
func Ons() []On { return []On{OnScore, OnExact, OnPayload, OnSimilarity, OnSortBench} }

// ParseOn reads what --metric was given; empty is OnScore.
func ParseOn(s string) (On, error) {
	names := make([]string, 0, len(Ons()))
	for _, on := range Ons() {
		if s == string(on) {
			return on, nil
		}
		names = append(names, string(on))
	}
	if s == "" {
		return OnScore, nil
	}
	return "", fmt.Errorf("there is no score %q; there are %s", s, strings.Join(names, ", "))
}

// String returns the words that head the column in prose.
func (on On) String() string {
	if on == OnScore || on == "" {
		return "the suite's own"
	}
	return string(on)
}

// Score returns the score of an answer to the item, and false where it is undefined.
// Similarity and SortBench scores are among the measures of a grade, which must
// have been read.
func (on On) Score(item *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	switch on {
	case OnExact:
		return one(g.Strict), true
	case OnPayload:
		return one(g.Payload), true
	case OnSimilarity:
		if v, ok := g.Measures["similarity"]; ok {
			return v, true
		}
		return 1, g.Strict // a right answer needs no measuring
	case OnSortBench:
		return sortBench(item, g)
	}
	if g.Score == nil {
		return 0, false
	}
	return *g.Score, true
}

// sortBench is the SortBench score.
func sortBench(item *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	return sortBenchMeasure("sortbench", item, g)
}

// sortBenchMeasure picks the normalisation that the edition asks for; published
// scores come in one of their own. Measures that know no normalisation have one name.
func sortBenchMeasure(name string, item *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	key := name
	switch {
	case name == "faithfulness" || name == "validity":
	case g.Grader == "published":
		key = name + "_published"
	case verbatim.Edition(item.Facts[verbatim.FactEdition]) != verbatim.Reference:
		key = name + "_standard"
	}
	v, ok := g.Measures[key]
	return v, ok
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
