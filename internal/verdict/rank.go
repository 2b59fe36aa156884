package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"verbatim"
)

// RankOptions are the settings of a leaderboard. The zero values are those of the command
// without flags, except for Score.
type RankOptions struct {
	// Metric names the score, and Score computes it for an answer.
	Metric string
	Score  ScoreFunc
	// ItemScore computes the score of an item from all its answers; nil: it is the mean
	// score of the answers.
	ItemScore ItemScoreFunc
	// Confidence is that of all intervals; 0 is 0.95.
	Confidence float64
	// A note is added if the share of items without an answer is above MaxUnanswered, or
	// if the share of answers truncated before they could be judged exceeds the lowest
	// one by more than MaxTruncatedGap; 0 is 0.02.
	MaxUnanswered, MaxTruncatedGap float64
	Seed                           uint64 // of the draws; 0 is 1
	// Draws is the maximum number of draws for rank probabilities; 0 is the default of
	// stats.ScorePosterior.RankProbabilities.
	Draws int
}

// withDefaults returns the options with their defaults, or rejects them.
func (o RankOptions) withDefaults() (RankOptions, error) {
	o.Confidence = cmp.Or(o.Confidence, 0.95)
	o.MaxUnanswered, o.MaxTruncatedGap = cmp.Or(o.MaxUnanswered, 0.02), cmp.Or(o.MaxTruncatedGap, 0.02)
	o.Seed = cmp.Or(o.Seed, 1)
	switch {
	case o.Score == nil:
		return o, fmt.Errorf("a leaderboard needs a score function")
	case !(o.Confidence > 0 && o.Confidence < 1):
		return o, fmt.Errorf("the confidence must be between 0 and 1, got %v", o.Confidence)
	}
	return o, nil
}

// Rank ranks runs by their mean scores on the items that all of them answered.
//
// Runs of one plan with one trial are read side by side, in memory bounded by the number
// of cells times the square of the number of runs. Other runs are matched by item, in
// memory that grows with the items. If no item was answered by all, runs of the same tasks
// and lengths are ranked on their own items, with a note. Runs of different tasks or lengths
// without a common item give a *Refusal, as do different editions, versions, prompts and
// graders. Other errors are read errors.
//
// The probabilities are those of the mean scores on fresh items of the same families and
// lengths (stats.ScorePosterior). The probability of being ahead equals that of verdict.Compare
// with a ROPE of 0 on the same items. Results depend on the seed, but not on the order of
// records or runs, nor on names. There are no verdicts here: indistinguishable runs need
// not be equivalent, and a run can be ahead by less than a ROPE.
//
// Models that are part of the program are listed but not ranked with others: simulated
// models know the answers, and nano was trained on these kinds of tasks. Runs without an
// answer are not ranked either. The Leaderboard is nil if fewer than two runs can be
// ranked.
func Rank(sides []Side, o RankOptions) (*Leaderboard, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	f, err := newRanker(sides, &o)
	if err != nil || len(f.ranked()) < 2 {
		return nil, err
	}
	if err := f.collect(); err != nil {
		return nil, err
	}
	if f.unrank("it has no answer yet", func(e *contender) bool { return e.answered == 0 }) {
		if len(f.ranked()) < 2 {
			return nil, nil
		}
		if err := f.collect(); err != nil { // items that the others have in common
			return nil, err
		}
	}
	for i, e := range f.entrants {
		for _, other := range f.entrants[:i] {
			if err := CheckGraders(&other.side.Run, &e.side.Run, other.graders, e.graders); err != nil {
				return nil, err
			}
		}
	}
	if f.scores.N() == 0 {
		return f.rankUnpaired()
	}
	return f.rankPaired()
}

// A contender is a run with the sums that a ranking collects over its items.
type contender struct {
	side     *Side
	unranked string // why it is not ranked; empty if it is
	graders  Graders

	asked, answered               int64 // items
	answers, undecided, undefined int64 // of answered items
	scores                        *runScores
}

// A ranker ranks the runs of one leaderboard.
type ranker struct {
	o        *RankOptions
	sides    []*Side
	entrants []*contender // in the order of the sides
	grid     *Grid
	collected
}

// newRanker rejects runs that cannot be ranked together.
func newRanker(sides []Side, o *RankOptions) (*ranker, error) {
	f := &ranker{o: o}
	var plans []*verbatim.Plan
	for i := range sides {
		for j := range i {
			if err := checkPlans(&sides[j].Run, &sides[i].Run, sameEdition, sameVersions, sameFile, samePrompt); err != nil {
				return nil, err
			}
		}
		f.sides, f.entrants = append(f.sides, &sides[i]), append(f.entrants, &contender{side: &sides[i]})
		plans = append(plans, &sides[i].Run.Plan)
	}
	f.grid = NewGrid(plans...)
	f.unrankAmong("it is built into this program", Simulated, BuiltIn)
	f.unrankAmong(NanoUnranked, Nano, Nano)
	return f, nil
}

// unrankAmong takes the runs of a kind out of the ranking, unless all runs are of the kind
// company.
func (f *ranker) unrankAmong(why string, which, company func(*verbatim.Run) bool) {
	if slices.ContainsFunc(f.entrants, func(e *contender) bool { return !company(&e.side.Run) }) {
		f.unrank(why, func(e *contender) bool { return which(&e.side.Run) })
	}
}

// unrank takes runs out of the ranking, and reports whether there were any.
func (f *ranker) unrank(why string, which func(*contender) bool) (found bool) {
	for _, e := range f.entrants {
		if e.unranked == "" && which(e) {
			e.unranked, found = why, true
		}
	}
	return found
}

// ranked lists the runs that are ranked.
func (f *ranker) ranked() (list []*contender) {
	for _, e := range f.entrants {
		if e.unranked == "" {
			list = append(list, e)
		}
	}
	return list
}

// sameMean reports whether two means are equal up to rounding.
func sameMean(x, y float64) bool { return math.Abs(x-y) <= Rounding }
