package leaderboard

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/verdict"
)

// LeadOptions say how runs are ranked. But for Score the zero values are those of
// the command without flags.
type Options struct {
	// On names the score, and Score gives it of an answer; false where it is
	// undefined, which counts 0 and is said.
	Metric string
	Score  func(*verbatim.Item, *verbatim.Grade) (float64, bool)
	// Confidence is that of all intervals; 0 is 0.95.
	Confidence float64
	// MaxUnanswered is the share of items without an answer, and MaxLimitGap that of
	// answers that the token limit ended before anything was decided beyond the run
	// that has fewest, above which a note doubts the rank; 0 is 0.02.
	MaxUnanswered, MaxLimitGap float64
	Seed                       uint64 // of the draws; 0 is 1
	// Draws bounds the draws that ranks are counted in, from which probabilities of
	// ranks have their error alone; 0: as many as ranks.Posterior.Ranks makes.
	Draws int
}

// settled returns the options with their defaults in place, or refuses them.
func (o Options) withDefaults() (Options, error) {
	o.Confidence = cmp.Or(o.Confidence, 0.95)
	o.MaxUnanswered, o.MaxLimitGap = cmp.Or(o.MaxUnanswered, 0.02), cmp.Or(o.MaxLimitGap, 0.02)
	o.Seed = cmp.Or(o.Seed, 1)
	switch {
	case o.Score == nil:
		return o, fmt.Errorf("a ranking needs a score")
	case !(o.Confidence > 0 && o.Confidence < 1):
		return o, fmt.Errorf("the confidence cannot be %v", o.Confidence)
	}
	return o, nil
}

// Lead ranks runs by their mean scores on the items that all of them answered.
//
// Runs of one plan with one trial are read once, side by side, in memory that is
// bounded by the number of cells times the square of that of runs; others are
// matched by item, in memory that grows with the items. Where no item was answered
// by all, runs that were asked the same tasks at the same lengths are ranked on
// their own items, and a note says so; others are a *Refusal, as are editions,
// versions, prompts and graders that differ. Other errors are those of reading.
//
// The probabilities are those of the mean scores on fresh items of the same families
// and lengths (ranks.Posterior). How likely one run is ahead of another is what Compare
// finds with a region of equivalence of nothing, on the same items. They depend on the
// seed, but not on the order of records or runs, nor on any name. Words such as worse
// and equivalent are not said here: runs that cannot be told apart need not be equivalent,
// and a run that is ahead may be so by less than what makes a difference.
//
// Models that are built into the program are listed and not ranked beside others: those
// that are simulated know the answers, and nano, which is not ranked beside these either,
// was trained on tasks of the kinds that are asked. Neither is a run without an answer.
// The Leaderboard is nil where fewer than two runs can be ranked.
func Rank(sides []verdict.Side, o Options) (*Leaderboard, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	f, err := newRanker(sides, &o)
	if err != nil || f.rankedCount() < 2 {
		return nil, err
	}
	if err := f.gather(); err != nil {
		return nil, err
	}
	if f.unrank("it has no answer yet", func(e *contender) bool { return e.answered == 0 }) {
		if f.rankedCount() < 2 {
			return nil, nil
		}
		if err := f.gather(); err != nil { // what the others have in common
			return nil, err
		}
	}
	for i, e := range f.entrants {
		for _, other := range f.entrants[:i] {
			if err := verdict.CheckGraders(&other.side.Run, &e.side.Run, other.graders, e.graders); err != nil {
				return nil, err
			}
		}
	}
	if f.vectors.N() == 0 {
		return f.rankUnpaired()
	}
	return f.rankPaired()
}

// An entrant is a run with what a ranking gathers of it.
type contender struct {
	side     *verdict.Side
	unranked string // why it is not ranked; empty: it is
	graders  verdict.Graders

	asked, answered               int64 // items
	answers, undecided, undefined int64 // of answered items
	scores                        *runScores
	span                          verdict.Range // of their mean
}

// A field is the runs of a ranking.
type ranker struct {
	o        *Options
	entrants []*contender // in the order of the sides
	grid     *verdict.Grid
	state
}

// newField refuses runs that cannot be ranked together.
func newRanker(sides []verdict.Side, o *Options) (*ranker, error) {
	f := &ranker{o: o}
	var plans []*verbatim.Plan
	for i := range sides {
		for j := range i {
			if err := verdict.CheckPlans(&sides[j].Run, &sides[i].Run, verdict.SameEdition, verdict.SameVersions, verdict.SameFile, verdict.SamePrompt); err != nil {
				return nil, err
			}
		}
		f.entrants = append(f.entrants, &contender{side: &sides[i]})
		plans = append(plans, &sides[i].Run.Plan)
	}
	f.grid = verdict.NewGrid(plans...)
	f.unrankAmong("it is built into this program", verdict.Simulated, verdict.BuiltIn)
	f.unrankAmong(verdict.NanoUnranked, verdict.Nano, verdict.Nano)
	return f, nil
}

// barWhere takes runs out of the ranking of which that is true, unless company is true
// of all runs.
func (f *ranker) unrankAmong(why string, which, company func(*verbatim.Run) bool) {
	if slices.ContainsFunc(f.entrants, func(e *contender) bool { return !company(&e.side.Run) }) {
		f.unrank(why, func(e *contender) bool { return which(&e.side.Run) })
	}
}

// bar takes runs out of the ranking, and reports whether there were any.
func (f *ranker) unrank(why string, which func(*contender) bool) (found bool) {
	for _, e := range f.entrants {
		if e.unranked == "" && which(e) {
			e.unranked, found = why, true
		}
	}
	return found
}

// ranked is how many runs are.
func (f *ranker) rankedCount() int { return len(f.ranked()) }

// contenders lists those that are ranked.
func (f *ranker) ranked() (list []*contender) {
	for _, e := range f.entrants {
		if e.unranked == "" {
			list = append(list, e)
		}
	}
	return list
}

// level says whether two means are the same but for rounding.
func sameMean(x, y float64) bool { return math.Abs(x-y) <= verdict.Rounding }
