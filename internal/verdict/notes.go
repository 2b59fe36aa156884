package verdict

import (
	"fmt"

	"verbatim"
)

// A Note is a sentence about a result, with a kind for machines.
type Note struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// settingNotes compares the settings of two runs. A note says what else is compared, a warning
// what may have caused the result.
func settingNotes(a, b *verbatim.Run) (notes, warnings []Note) {
	if x, y := a.Params.ReasoningTokens, b.Params.ReasoningTokens; x != y {
		warnings = append(warnings, Note{"token_limit", fmt.Sprintf("The reasoning limits differ: %d tokens for A, %d for B. The run with fewer may be truncated more often.", x, y)})
	}
	if !sameParams(a, b) {
		notes = append(notes, Note{"parameters", "The runs have different parameters: the difference is due to models and parameters together."})
	}
	if a.Plan.Trials != b.Plan.Trials && a.Plan.Trials > 0 && b.Plan.Trials > 0 {
		notes = append(notes, Note{"trials", fmt.Sprintf("Trials of each item: %d for A, %d for B. The mean score over the trials counts.", a.Plan.Trials, b.Plan.Trials)})
	}
	for _, r := range []struct {
		name       string
		run, other *verbatim.Run
	}{{"A", a, b}, {"B", b, a}} {
		what := ""
		switch {
		case Nano(r.run) && !Nano(r.other):
			what = " is nano, the built-in model, which was trained on some of the tasks here"
		case Simulated(r.run) && !BuiltIn(r.other):
			what = " is built into this program"
		}
		if what != "" {
			warnings = append(warnings, Note{"built-in", r.name + what + ": the comparison does not rank the models."})
		}
		if t := r.run.Test; t != nil {
			warnings = append(warnings, Note{"stopped", fmt.Sprintf("%s is a run of %s, which stops early. The probabilities are posterior; their error rate is not guaranteed.", r.name, t.Kind)})
		}
	}
	return notes, warnings
}
