package model

import (
	"math/rand/v2"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/damage"
)

// simGraders are the graders whose failures can be simulated.
var simGraders = []string{"text", "list", "sortbench", "sortbench-reference", "integer", "integer-reference"}

// simMistakes are the ways in which answers to the items of one grader go wrong.
type simMistakes struct{ wrong, wraps simChoice }

// A simChoice is spoilers with weights.
type simChoice struct {
	spoilers []damage.Spoiler
	weights  []float64
	total    float64
}

// simMistakesFor returns the mistakes for every grader: those of the labels, or a
// realistic mix where there are none.
func simMistakesFor(labels []string) map[string]simMistakes {
	out := map[string]simMistakes{}
	for _, grader := range simGraders {
		var m simMistakes
		for _, s := range damage.Spoilers(grader) {
			switch weight := simWeight(grader, s.Label); {
			case len(labels) > 0 && slices.Contains(labels, s.Label):
				m.wrong.add(s, 1)
			case len(labels) == 0 && weight > 0:
				m.wrong.add(s, weight)
			}
			switch s.Label {
			case "quoted", "fenced", "explained", "wrapped":
				m.wraps.add(s, 1)
			}
		}
		out[grader] = m
	}
	return out
}

func (c *simChoice) add(s damage.Spoiler, weight float64) {
	c.spoilers, c.weights = append(c.spoilers, s), append(c.weights, weight)
	c.total += weight
}

// spoil draws a spoiler and applies it. Where it has no opportunity the next ones
// are tried, and where none has the answer is right.
func (c simChoice) spoil(r *rand.Rand, it *verbatim.Item) string {
	start := 0
	for u := r.Float64() * c.total; start < len(c.weights)-1 && u >= c.weights[start]; start++ {
		u -= c.weights[start]
	}
	for i := range c.spoilers {
		if reply, ok := c.spoilers[(start+i)%len(c.spoilers)].Spoil(r, it); ok {
			return reply
		}
	}
	return damage.Right(it)
}

// simWeight says how common a failure is among wrong answers that are not only
// wrapped: roughly as in replies of small models.
func simWeight(grader, label string) float64 {
	weights := simTextWeights
	switch {
	case strings.HasPrefix(grader, "integer"):
		weights = simSumWeights
	case grader != "text":
		weights = simListWeights
	}
	return weights[label]
}

var (
	simTextWeights = map[string]float64{
		"dropped_char": 18, "substituted_char": 13, "transposed": 9, "inserted_char": 8, "dropped_run": 8, "truncated": 7,
		"chunk_reversed": 7, "corrupted": 6, "confusable": 5, "duplicated_run": 5, "segment_moved": 4, "permuted": 4,
		"not_reversed": 3, "substitutions": 3, "case": 3, "looped": 2, "inserted_run": 2, "head_missing": 1, "unrelated": 1,
		"whitespace": 1, "unicode_norm": 0.5, "escaped": 0.5, "empty": 0.5, "reasoning_leak": 0.5, "mojibake": 0.2,
	}
	simSumWeights = map[string]float64{
		"off_by_digit": 30, "carry": 25, "dropped_char": 10, "transposed": 7, "corrupted": 7, "inserted_char": 5,
		"substitutions": 5, "grouped": 3, "truncated": 3, "equation": 2, "decimal": 1, "empty": 0.5, "reasoning_leak": 0.5,
	}
	simListWeights = map[string]float64{
		"missing": 30, "misordered": 15, "mixed": 12, "altered": 10, "added": 8, "truncated": 8, "other_key": 4, "looped": 2,
		"sign_lost": 2, "converted": 2, "unparsed": 1, "unchanged": 1, "reversed_order": 1, "empty": 0.5, "reasoning_leak": 0.5,
	}
)
