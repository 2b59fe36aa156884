package sim

import (
	"math/rand/v2"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/damage"
)

// graders are the graders whose failures can be simulated.
var graders = []string{"text", "list", "sortbench", "sortbench-reference", "integer", "integer-reference"}

// mistakes are the ways in which answers to the items of one grader go wrong.
type mistakes struct{ wrong, wraps choice }

// A choice is spoilers with weights.
type choice struct {
	spoilers []damage.Spoiler
	weights  []float64
	total    float64
}

// newMistakes returns the mistakes for every grader: those of the labels, or a
// realistic mix where there are none.
func newMistakes(labels []string) map[string]mistakes {
	out := map[string]mistakes{}
	for _, grader := range graders {
		var m mistakes
		for _, s := range damage.Spoilers(grader) {
			switch weight := weight(grader, s.Label); {
			case len(labels) > 0 && slices.Contains(labels, s.Label):
				m.wrong.add(s, 1)
			case len(labels) == 0 && weight > 0:
				m.wrong.add(s, weight)
			}
			switch s.Label {
			case "quoted", "fenced", "explained":
				m.wraps.add(s, 1)
			}
		}
		out[grader] = m
	}
	return out
}

func (c *choice) add(s damage.Spoiler, weight float64) {
	c.spoilers, c.weights = append(c.spoilers, s), append(c.weights, weight)
	c.total += weight
}

// spoil draws a spoiler and applies it. Where it has no opportunity the next ones
// are tried, and where none has the answer is right.
func (c choice) spoil(r *rand.Rand, it *verbatim.Item) string {
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

// weight says how common a failure is among wrong answers that are not only
// wrapped: roughly as in replies of small models.
func weight(grader, label string) float64 {
	weights := textWeights
	switch {
	case strings.HasPrefix(grader, "integer"):
		weights = integerWeights
	case grader != "text":
		weights = listWeights
	}
	return weights[label]
}

var (
	textWeights = map[string]float64{
		"dropped_char": 18, "substituted_char": 13, "transposed": 9, "inserted_char": 8, "dropped_run": 8, "cut_short": 7,
		"chunk_reversed": 7, "corrupted": 6, "confusable": 5, "duplicated_run": 5, "segment_moved": 4, "permuted": 4,
		"not_reversed": 3, "substitutions": 3, "case": 3, "looped": 2, "inserted_run": 2, "head_missing": 1, "unrelated": 1,
		"whitespace": 1, "unicode_norm": 0.5, "escaped": 0.5, "empty": 0.5, "reasoning_leak": 0.5, "mojibake": 0.2,
	}
	integerWeights = map[string]float64{
		"off_by_digit": 30, "carry": 25, "dropped_char": 10, "transposed": 7, "corrupted": 7, "inserted_char": 5,
		"substitutions": 5, "grouped": 3, "cut_short": 3, "equation": 2, "decimal": 1, "empty": 0.5, "reasoning_leak": 0.5,
	}
	listWeights = map[string]float64{
		"missing": 30, "misordered": 15, "mixed": 12, "altered": 10, "added": 8, "cut_short": 8, "other_key": 4, "looped": 2,
		"sign_lost": 2, "converted": 2, "unparsed": 1, "unchanged": 1, "reversed_order": 1, "empty": 0.5, "reasoning_leak": 0.5,
	}
)
