package verification

import (
	"math"

	"verbatim/internal/stats"
	"verbatim/internal/stats/change"
)

// A Size is how large a difference is, with its 95 % interval. Sizes describe, and p values decide:
// the intervals are not adjusted for the number of tests.
type Size struct {
	Name  SizeName `json:"name"`
	Value float64  `json:"value"`
	Low   float64  `json:"low"`
	High  float64  `json:"high"`
}

// A SizeName says what a Size measures. The set is closed.
type SizeName string

// The sizes.
const (
	// TextsBeyond is the share of prompts whose texts differ beyond the sides' own spread. Its
	// interval holds whenever the test has stopped.
	TextsBeyond SizeName = "texts_beyond"
	// WordsBeyond is the share of words whose log probabilities differ beyond the sides' own
	// spread, with the interval of Clopper and Pearson.
	WordsBeyond SizeName = "words_beyond"
	// NatsApart is the mean distance of the log probabilities, with a t interval over the words.
	NatsApart SizeName = "nats_apart"
	// ExactDifference is the share of exactly right first replies of the second side, minus that
	// share of the first side, after the last prompt. Its interval joins exact bounds.
	ExactDifference SizeName = "exact_difference"
)

// sizeConfidence is the confidence of the intervals.
const sizeConfidence = 0.95

// Sizes returns the sizes that the test has measured. Their intervals take longer to compute than
// the verdict. Texts and exact answers of several upstreams have no common size.
func (t *Test) Sizes() (list []Size) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.Logprobs; l != nil && l.Prompts > 0 {
		list = append(list, l.sizes()...)
	}
	if len(t.outcome.strata) != 1 {
		return list
	}
	s := t.outcome.strata[0]
	if n := s.used; n > 0 {
		low, high := change.ShareInterval(s.beyond, n, sizeConfidence)
		list = append(list, Size{TextsBeyond, float64(s.beyond) / float64(n), low, high})
	}
	if n := s.firsts; n > 0 && s.exact != nil {
		low, high := change.PairedInterval(s.alone[0], s.alone[1], n, sizeConfidence)
		list = append(list, Size{ExactDifference, float64(s.alone[1]-s.alone[0]) / float64(n), low, high})
	}
	return list
}

// sizes returns the sizes of the log probabilities.
func (r *LogprobResult) sizes() []Size {
	low, high := change.RateInterval(r.Beyond, r.Prompts, sizeConfidence)
	list := []Size{{WordsBeyond, float64(r.Beyond) / float64(r.Prompts), low, high}}
	n := float64(len(r.distances))
	if n < 2 {
		return list
	}
	mean, squares := 0.0, 0.0
	for _, d := range r.distances {
		mean += d / n
	}
	for _, d := range r.distances {
		squares += (d - mean) * (d - mean)
	}
	room := stats.StudentQuantile((1+sizeConfidence)/2, n-1) * math.Sqrt(squares/(n-1)/n)
	return append(list, Size{NatsApart, mean, max(0, mean-room), mean + room})
}
