package verdict

import (
	"fmt"
	"math"
)

// Options are the settings of a comparison. Start from Defaults.
type Options struct {
	// Metric names the score, and Score computes it for an answer.
	Metric string
	Score  ScoreFunc
	// ItemScore computes the score of an item from all its answers; nil: it is the mean
	// score of the answers.
	ItemScore ItemScoreFunc
	// AcrossPrompt compares two prompt variants with one model, instead of two models with
	// one prompt.
	AcrossPrompt bool
	// Rope is the half-width of the region of practical equivalence: from 0 to 1.
	Rope float64
	// Threshold is the posterior probability that a verdict needs. Confidence is the
	// probability of the intervals.
	Threshold, Confidence float64
	// Together is the number of comparisons that Adjust will correct together; 0 counts
	// as 1. ItemsNeeded is for a verdict after this correction.
	Together int
	// A verdict is withheld if the share of pairs without an answer is above
	// MaxUnanswered, or if the shares of answers that the token limit truncated before
	// they could be judged differ by more than MaxTruncatedGap.
	MaxUnanswered, MaxTruncatedGap float64
	// flips is the maximum number of flips to list; negative: all are listed.
	Flips int
	// Resamples is the number of bootstrap samples for the horizon over several tasks, and
	// Seed their seed. With 0 resamples no horizons are estimated: they take most of the time.
	Resamples int
	Seed      uint64
	// Horizons keeps horizons for further comparisons; nil keeps none. It does not change
	// results.
	Horizons *HorizonCache
}

// Defaults returns the options of 'verbatim compare' without flags, for a score.
func Defaults(metric string, score ScoreFunc) Options {
	return Options{
		Metric: metric, Score: score,
		Rope: 0.02, Threshold: 0.95, Confidence: 0.95,
		MaxUnanswered: 0.02, MaxTruncatedGap: 0.02,
		Flips: 20, Resamples: 1000, Seed: 1,
	}
}

// Validate rejects options that are out of range, or have no score.
func (o *Options) Validate() error {
	for _, c := range []struct {
		name  string
		value float64
		ok    bool
	}{
		{"the region of practical equivalence", o.Rope, o.Rope >= 0 && o.Rope <= 1},
		{"the threshold", o.Threshold, o.Threshold > 0.5 && o.Threshold < 1},
		{"the confidence", o.Confidence, o.Confidence > 0 && o.Confidence < 1},
		{"the bound on unanswered pairs", o.MaxUnanswered, o.MaxUnanswered >= 0 && o.MaxUnanswered <= 1},
		{"the bound on truncated answers", o.MaxTruncatedGap, o.MaxTruncatedGap >= 0 && o.MaxTruncatedGap <= 1},
	} {
		if !c.ok || math.IsNaN(c.value) {
			return fmt.Errorf("%s is out of range: %v", c.name, c.value)
		}
	}
	if o.Score == nil {
		return fmt.Errorf("a comparison needs a score function")
	}
	return nil
}
