package verdict

import (
	"fmt"
	"math"

	"verbatim"
)

// Options say how runs are compared. Start from Defaults.
type Options struct {
	// On names the score, and Score gives it of an answer; false where it is
	// undefined, which counts 0 and is said.
	Metric string
	Score  func(*verbatim.Item, *verbatim.Grade) (float64, bool)
	// Rope is the largest difference of mean scores, either way, that makes no
	// difference (a region of practical equivalence): 0 or more, below 1.
	Rope float64
	// Threshold is the probability from which a verdict is given, and Confidence
	// that of the intervals.
	Threshold, Confidence float64
	// A verdict is withheld above MaxUnanswered, a share of pairs, and above
	// MaxLimitGap, a difference between the shares of answers that the token limit
	// ended before anything was decided.
	MaxUnanswered, MaxLimitGap float64
	// Flips is how many items are listed that one side has right and the other has
	// not; below 0: all.
	Flips int
	// Resamples is how often tasks are drawn anew for the interval of a limit over
	// several of them, and Seed is that of the draws. 0: no limits are found, which
	// take most of the time.
	Resamples int
	Seed      uint64
	// Limits keeps limits for further comparisons; nil: each finds its own. It changes
	// no result.
	Horizons *HorizonCache
}

// Defaults returns the options of the command without flags, for a score.
func Defaults(on string, score func(*verbatim.Item, *verbatim.Grade) (float64, bool)) Options {
	return Options{
		Metric: on, Score: score,
		Rope: 0.02, Threshold: 0.95, Confidence: 0.95,
		MaxUnanswered: 0.02, MaxLimitGap: 0.02,
		Flips: 20, Resamples: 1000, Seed: 1,
	}
}

// power is that of the numbers of items that would settle a verdict.
const power = 0.8

// Validate rejects options that have no meaning.
func (o *Options) Validate() error {
	for _, c := range []struct {
		name  string
		value float64
		ok    bool
	}{
		{"the region of practical equivalence", o.Rope, o.Rope >= 0 && o.Rope < 1},
		{"the threshold", o.Threshold, o.Threshold > 0.5 && o.Threshold < 1},
		{"the confidence", o.Confidence, o.Confidence > 0 && o.Confidence < 1},
		{"the bound on unanswered pairs", o.MaxUnanswered, o.MaxUnanswered >= 0 && o.MaxUnanswered <= 1},
		{"the bound on undecided limits", o.MaxLimitGap, o.MaxLimitGap >= 0 && o.MaxLimitGap <= 1},
	} {
		if !c.ok || math.IsNaN(c.value) {
			return fmt.Errorf("%s cannot be %v", c.name, c.value)
		}
	}
	if o.Score == nil {
		return fmt.Errorf("a comparison needs a score")
	}
	return nil
}
