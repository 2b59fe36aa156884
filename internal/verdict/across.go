package verdict

import (
	"fmt"
	"reflect"
	"slices"

	"verbatim"
)

// AcrossPrompt is the Across of a Comparison of two prompts with one model.
const AcrossPrompt = "prompt"

// PromptPairs returns the indexes of the runs to compare across prompts. Runs of one model
// with the same parameters are a group, and every run of a group is compared with its first
// one. A run that is alone in its group gives a *Refusal.
func PromptPairs(sides []Side) ([][2]int, error) {
	var groups [][]int
	for i := range sides {
		g := slices.IndexFunc(groups, func(members []int) bool { return sameSettings(&sides[members[0]].Run, &sides[i].Run) })
		if g < 0 {
			g, groups = len(groups), append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	var pairs [][2]int
	for _, members := range groups {
		first := &sides[members[0]].Run
		if len(members) == 1 {
			return nil, &Refusal{Field: "prompt", Why: fmt.Sprintf("no other run is of the model %s with the parameters of %s: a comparison across prompts needs two", first.Model, first.Name),
				Do: "name a run of the same model and items with another --shots, --paraphrase, --system or --as"}
		}
		for _, other := range members[1:] {
			pairs = append(pairs, [2]int{members[0], other})
		}
	}
	return pairs, nil
}

// sameSettings reports whether two runs are of one model with the same parameters.
func sameSettings(a, b *verbatim.Run) bool {
	return a.Model == b.Model && a.Origin == b.Origin && sameParams(a, b)
}

// sameParams reports whether two runs have the same parameters. The token limit of the
// reasoning follows from the model, and may differ.
func sameParams(a, b *verbatim.Run) bool {
	pa, pb := a.Params, b.Params
	pa.ReasoningTokens, pb.ReasoningTokens = 0, 0
	return reflect.DeepEqual(pa, pb)
}

// checkPromptPair rejects two runs that do not differ in their prompt variants, or differ in
// more than these.
func checkPromptPair(a, b *verbatim.Run) error {
	if err := checkPlans(a, b, sameEdition, sameSeed, sameVersions, sameFile); err != nil {
		return err
	}
	switch {
	case a.Model != b.Model:
		return &Refusal{RunA: a.Name, RunB: b.Name, Field: "model", A: a.Model, B: b.Model, Do: "compare runs of one model across prompts"}
	case !sameSettings(a, b):
		return &Refusal{RunA: a.Name, RunB: b.Name, Field: "parameters", Why: "their parameters differ, not only their prompts", Do: "run both with the same parameters"}
	case variantOf(&a.Plan) == variantOf(&b.Plan):
		return &Refusal{RunA: a.Name, RunB: b.Name, Field: "prompt", Why: "they have the same prompt: " + describeVariant(variantOf(&a.Plan)),
			Do: "leave out --across prompt, or run one of them with another --shots, --paraphrase, --system or --as"}
	}
	return nil
}
