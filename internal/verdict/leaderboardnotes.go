package verdict

import (
	"fmt"
	"strings"
)

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
