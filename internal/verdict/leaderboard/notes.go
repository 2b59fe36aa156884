package leaderboard

import (
	"fmt"
	"reflect"
	"strings"

	"verbatim/internal/verdict"
)

// remarks says in words what the ranks rest on where that is not what one would
// expect.
func (f *ranker) remarks(how verdict.Stratification) []verdict.Note {
	var list []verdict.Note
	note := func(kind, format string, args ...any) {
		list = append(list, verdict.Note{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	for _, e := range f.entrants {
		if e.unranked != "" {
			note("unranked", "%s is not ranked: %s.", f.name(e), e.unranked)
		}
	}
	if f.vectors.N() == 0 {
		note("unpaired", "No item was answered by all runs: each is ranked on its own items of the same tasks and lengths, which tells less apart than the same items would.")
	} else {
		f.noteLeftOut(note)
	}
	for _, e := range f.ranks {
		if share := 1 - float64(e.answered)/float64(e.asked); share > f.o.MaxUnanswered+verdict.Rounding {
			note("unanswered", "%s has no answer to %.1f %% of its items: its rank is by the others, and those may be the easier ones.", f.name(e), 100*share)
		}
	}
	f.noteTruncation(note)
	f.noteSettings(note)
	switch {
	case how == verdict.ByLength:
		note("strata", "Some task at some length has a single item: uncertainty is stratified by length alone.")
	case how == verdict.Unstratified && len(f.even) > 1:
		note("strata", "Some length has a single item: uncertainty is not stratified.")
	}
	if f.uneven() {
		note("weights", "Not every task and length has as many items: each item has the same weight, not each task and length.")
	}
	return list
}

// name is what to call a run in a sentence: its model, or the run where several are
// of one.
func (f *ranker) name(e *contender) string {
	for _, other := range f.entrants {
		if other != e && other.side.Run.Model == e.side.Run.Model {
			return e.side.Run.Name
		}
	}
	return e.side.Run.Model
}

// leftOut says how many items do not count, and which run lacks most of them.
func (f *ranker) noteLeftOut(note func(kind, format string, args ...any)) {
	if f.left == 0 {
		return
	}
	least := f.ranks[0]
	for _, e := range f.ranks {
		if e.answered < least.answered {
			least = e
		}
	}
	all := f.vectors.N() + f.left
	note("left_out", "%d of %d items are left out, since not all runs answered them; %s answered fewest, %d.", f.left, all, f.name(least), least.answered)
}

// cutShort says whose answers the token limit ended more often than those of others.
func (f *ranker) noteTruncation(note func(kind, format string, args ...any)) {
	share := func(e *contender) float64 { return float64(e.undecided) / float64(max(e.answers, 1)) }
	least := 1.0
	for _, e := range f.ranks {
		least = min(least, share(e))
	}
	for _, e := range f.ranks {
		if gap := share(e) - least; gap > f.o.MaxLimitGap+verdict.Rounding {
			note("limits", "The token limit ended %.1f %% of the answers of %s before anything was decided: with more tokens it may rank higher.", 100*share(e), f.name(e))
		}
	}
}

// asked says in what else the runs differ that may have decided the result.
func (f *ranker) noteSettings(note func(kind, format string, args ...any)) {
	first := &f.ranks[0].side.Run
	plans, params, thinking, trials := false, false, false, false
	published := 0
	var undefined []string // each with its name
	for _, e := range f.ranks {
		r := &e.side.Run
		plans = plans || r.Plan.Hash != first.Plan.Hash
		thinking = thinking || r.Params.ReasoningTokens != first.Params.ReasoningTokens
		trials = trials || r.Plan.Trials != first.Plan.Trials
		p, q := r.Params, first.Params
		p.ReasoningTokens, q.ReasoningTokens = 0, 0
		params = params || !reflect.DeepEqual(p, q)
		if e.graders["published"] > 0 {
			published++
		}
		if e.undefined > 0 {
			undefined = append(undefined, fmt.Sprintf("%d of %s", e.undefined, f.name(e)))
		}
		if t := r.Test; t != nil {
			note("stopped", "%s is the run of a test (%s), which stops as soon as it knows enough: the probabilities describe its answers, and their error rates are not those of a run of fixed size.", f.name(e), t.Kind)
		}
	}
	if len(undefined) > 0 {
		note("undefined", "The score of some answers is undefined and counts 0: %s.", strings.Join(undefined, ", "))
	}
	for _, n := range []struct {
		is         bool
		kind, text string
	}{
		{plans && f.vectors.N() > 0, "plans", "The runs follow different plans: their items are matched by id."},
		{thinking, "token_limit", "The token limits differ. A model with less may have been cut short."},
		{params, "parameters", "The runs were asked with different parameters: what is ranked is models and parameters together."},
		{trials, "trials", "Not all were asked each item as often: of each item the mean of a run's answers counts."},
		{published > 0 && published < len(f.ranks), "published", "Some scores were published without the answers, and may follow other rules than the grades of the others."},
	} {
		if n.is {
			note(n.kind, "%s", n.text)
		}
	}
}
