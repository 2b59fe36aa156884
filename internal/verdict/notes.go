package verdict

import (
	"fmt"
	"reflect"
	"strconv"

	"verbatim"
)

// A Remark is a sentence about a comparison, and a word for machines.
type Note struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// remarks says in what else the runs differ. Notes are about what a reader may
// have wanted to compare, warnings about what may have decided the result.
func compareSettings(a, b *verbatim.Run) (notes, warnings []Note) {
	pa, pb := a.Params, b.Params
	if pa.ReasoningTokens != pb.ReasoningTokens {
		warnings = append(warnings, Note{"token_limit", fmt.Sprintf("The token limits differ: A may think for %d tokens and B for %d. The one with less may have been cut short.", pa.ReasoningTokens, pb.ReasoningTokens)})
	}
	pa.ReasoningTokens, pb.ReasoningTokens = 0, 0
	if !reflect.DeepEqual(pa, pb) {
		notes = append(notes, Note{"parameters", "The runs were asked with different parameters: the difference is one of models and parameters together."})
	}
	if a.Plan.Trials != b.Plan.Trials && a.Plan.Trials > 0 && b.Plan.Trials > 0 {
		notes = append(notes, Note{"trials", fmt.Sprintf("A was asked each item %s, B %s: of each item the mean of a side's answers counts.", countWord(a.Plan.Trials), countWord(b.Plan.Trials))})
	}
	for _, r := range []struct {
		name       string
		run, other *verbatim.Run
	}{{"A", a, b}, {"B", b, a}} {
		what := ""
		switch {
		case Nano(r.run) && !Nano(r.other):
			what = " is nano, which is built into this program and was trained on tasks of these kinds"
		case Simulated(r.run) && !BuiltIn(r.other):
			what = " is built into this program"
		}
		if what != "" {
			warnings = append(warnings, Note{"built-in", r.name + what + ": this says which of the two answered better here, and ranks neither."})
		}
		if t := r.run.Test; t != nil {
			warnings = append(warnings, Note{"stopped", fmt.Sprintf("%s is the run of a test (%s), which stops as soon as it knows enough: these probabilities describe its answers, and their error rates are not those of a run of fixed size.", r.name, t.Kind)})
		}
	}
	return notes, warnings
}

func countWord(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}
