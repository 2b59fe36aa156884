package verdicttest

import (
	"fmt"
	"strconv"

	"verbatim"
	"verbatim/internal/verdict"
)

// RepeatPlan is a plan with a cell of n items of one family at each length.
func RepeatPlan(lengths []int, n, trials int) verbatim.Plan {
	p := verbatim.Plan{Suite: "custom", Trials: trials, Hash: "abc"}
	for _, l := range lengths {
		p.Cells = append(p.Cells, verbatim.Cell{Family: "reverse", Length: verbatim.Lengths{Min: l, Max: l}, N: n})
	}
	return p
}

// RepeatRecords makes the records of a plan. outcome returns the outcome of each request.
func RepeatRecords(p verbatim.Plan, outcome func(item, trial int) verbatim.Outcome) []verbatim.Record {
	var out []verbatim.Record
	for trial := range p.Trials {
		item := 0
		for _, c := range p.Cells {
			for range c.N {
				it := &verbatim.Item{ID: fmt.Sprintf("reverse/%d", item), Facts: map[string]string{
					verbatim.FactFamily: c.Family, verbatim.FactLength: strconv.Itoa(c.Length.Min)}}
				rec := verbatim.Record{Seq: int64(len(out)), Item: it, Trial: trial, Outcome: outcome(item, trial)}
				if rec.Outcome.Answered() {
					rec.Grade = &verbatim.Grade{Outcome: rec.Outcome, Exact: rec.Outcome == verbatim.Pass}
				}
				out = append(out, rec)
				item++
			}
		}
	}
	return out
}

// OutcomeOf is the outcome of a right or a wrong answer.
func OutcomeOf(right bool) verbatim.Outcome {
	if right {
		return verbatim.Pass
	}
	return verbatim.Wrong
}

// ExactScore is 1 for an exact answer, otherwise 0.
func ExactScore(_ *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	if g.Exact {
		return 1, true
	}
	return 0, true
}

// ExactOptions are the options of comparisons by ExactScore.
func ExactOptions() verdict.Options {
	o := verdict.Defaults("exact", ExactScore)
	o.Resamples = 200
	return o
}
