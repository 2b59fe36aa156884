package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"verbatim"
)

// A Leaderboard ranks runs by their mean scores, with simultaneous rank intervals.
type Leaderboard struct {
	Metric     string  `json:"metric"` // the score
	Confidence float64 `json:"confidence"`
	// Paired: the numbers are over the items that all runs answered. Otherwise the numbers of
	// each run are over its own items.
	Paired  bool  `json:"paired"`
	Items   int64 `json:"items"`    // that all runs answered
	LeftOut int64 `json:"left_out"` // that not all runs answered
	// Stratified is the stratification of the posterior.
	Stratified stratification `json:"stratified_by"`
	// Places are ordered by falling Mean; runs that are not ranked come last.
	Places []RankPlace `json:"places"`
	// Ahead[i][j] is the posterior probability that place i is ahead of place j on fresh
	// items. Ahead[i][j] and Ahead[j][i] add up to 1.
	Ahead [][]float64 `json:"p_ahead"`
	// IndistinguishableSets are maximal sets of places that are pairwise indistinguishable.
	// A place can be in several. Sets of one place are left out.
	IndistinguishableSets [][]int `json:"tied_sets,omitempty"`
	Notes                 []Note  `json:"notes,omitempty"`
}

// A Place is one run in a Leaderboard.
type RankPlace struct {
	RunInfo
	// Items is the number of items of Mean. If it is 0, Mean and Range mean nothing.
	Items int64   `json:"items"`
	Mean  float64 `json:"mean"`
	Range         // interval of the mean by item (stats.ItemScores); a report has the same one
	// Unanswered is the share of its items without an answer.
	Unanswered float64 `json:"unanswered_share"`
	// Rank counts from 1; runs with equal means share a rank. It is 0 for a run that is not
	// ranked, with the reason in Unranked.
	Rank     int    `json:"rank"`
	Unranked string `json:"unranked,omitempty"`
	// RankLow and RankHigh are the best and the worst rank of the simultaneous rank
	// interval. The intervals of all runs hold together: see stats.RankIntervals.
	RankLow  int `json:"rank_low"`
	RankHigh int `json:"rank_high"`
	// RankProbabilities are the probabilities of all ranks, from the first to the last.
	RankProbabilities []float64 `json:"p_rank"`
	// Indistinguishable lists the indexes of the places indistinguishable from this one.
	Indistinguishable []int `json:"tied,omitempty"`
}

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

// notes lists what limits the ranks.
func (f *ranker) notes(how stratification) []Note {
	var list []Note
	note := func(kind, format string, args ...any) {
		list = append(list, Note{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	for _, e := range f.entrants {
		if e.unranked != "" {
			note("unranked", "%s is not ranked: %s.", f.name(e), e.unranked)
		}
	}
	if f.scores.N() == 0 {
		note("unpaired", "No item was answered by all runs: each is ranked on its own items of the same tasks and lengths. Common items would distinguish runs better.")
	} else {
		f.noteLeftOut(note)
	}
	for _, e := range f.contenders {
		if share := 1 - float64(e.answered)/float64(e.asked); share > f.o.MaxUnanswered+Rounding {
			note("unanswered", "%s has no answer to %.1f %% of its items: its rank depends on the others, which may be easier.", f.name(e), 100*share)
		}
	}
	f.noteTruncation(note)
	f.noteSettings(note)
	switch {
	case how == byLength:
		note("strata", "Some task has a single item at some length: the posterior is stratified by length only.")
	case how == Unstratified && len(f.cellSizes) > 1:
		note("strata", "Some length has a single item: the posterior is not stratified.")
	}
	if f.unbalanced() {
		note("weights", "Tasks and lengths have different numbers of items: all items have equal weight, not all tasks and lengths.")
	}
	return list
}

// name is what a sentence calls a run: its model, or its own name if several runs have that
// model.
func (f *ranker) name(e *contender) string {
	for _, other := range f.entrants {
		if other != e && other.side.Run.Model == e.side.Run.Model {
			return e.side.Run.Name
		}
	}
	return e.side.Run.Model
}

// noteLeftOut gives the number of items left out, and the run that answered fewest.
func (f *ranker) noteLeftOut(note func(kind, format string, args ...any)) {
	if f.leftOut == 0 {
		return
	}
	least := f.contenders[0]
	for _, e := range f.contenders {
		if e.answered < least.answered {
			least = e
		}
	}
	all := f.scores.N() + f.leftOut
	note("left_out", "%d of %d items are left out because not all runs answered them; %s answered fewest: %d.", f.leftOut, all, f.name(least), least.answered)
}

// noteTruncation names runs that were truncated more often than others.
func (f *ranker) noteTruncation(note func(kind, format string, args ...any)) {
	share := func(e *contender) float64 { return float64(e.undecided) / float64(max(e.answers, 1)) }
	least := 1.0
	for _, e := range f.contenders {
		least = min(least, share(e))
	}
	for _, e := range f.contenders {
		if gap := share(e) - least; gap > f.o.MaxTruncatedGap+Rounding {
			note("limits", "The token limit truncated %.1f %% of the answers of %s before they could be judged: with more tokens it may rank higher.", 100*share(e), f.name(e))
		}
	}
}

// noteSettings lists other differences between the runs.
func (f *ranker) noteSettings(note func(kind, format string, args ...any)) {
	first := &f.contenders[0].side.Run
	plans, params, reasoning, trials := false, false, false, false
	published := 0
	var undefined []string // number of answers with the name of the run
	for _, e := range f.contenders {
		r := &e.side.Run
		plans = plans || r.Plan.Hash != first.Plan.Hash
		reasoning = reasoning || r.Params.ReasoningTokens != first.Params.ReasoningTokens
		trials = trials || r.Plan.Trials != first.Plan.Trials
		params = params || !sameParams(r, first)
		if e.graders["published"] > 0 {
			published++
		}
		if e.undefined > 0 {
			undefined = append(undefined, fmt.Sprintf("%d of %s", e.undefined, f.name(e)))
		}
		if t := r.Test; t != nil {
			note("stopped", "%s is a run of %s, which stops early. The probabilities are posterior; their error rate is not guaranteed.", f.name(e), t.Kind)
		}
	}
	if len(undefined) > 0 {
		note("undefined", "The score of some answers is undefined and counts 0: %s.", strings.Join(undefined, ", "))
	}
	for _, n := range []struct {
		is         bool
		kind, text string
	}{
		{plans && f.scores.N() > 0, "plans", "The runs have different plans: items are matched by id."},
		{reasoning, "token_limit", "The reasoning limits differ. A model with fewer tokens may be truncated more often."},
		{params, "parameters", "The runs have different parameters: the ranks are those of models and parameters together."},
		{trials, "trials", "The runs have different numbers of trials: the mean score over the trials of an item counts."},
		{published > 0 && published < len(f.contenders), "published", "Some runs have published scores without answers: other grading rules may apply."},
	} {
		if n.is {
			note(n.kind, "%s", n.text)
		}
	}
}
