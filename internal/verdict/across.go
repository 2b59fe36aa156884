package verdict

import (
	"fmt"
	"reflect"

	"verbatim"
)

// AcrossPrompt is the Across of a comparison of two prompts with one model.
const AcrossPrompt = "prompt"

// PromptPairs returns the indices of the runs to compare across prompts: in each group of
// runs that differ in their prompt variants only, every run with the first. A run without a
// partner gives a *Refusal.
func PromptPairs(sides []Side) ([][2]int, error) {
	var groups [][]int
next:
	for i := range sides {
		for g, members := range groups {
			if sameSettings(&sides[members[0]].Run, &sides[i].Run) {
				groups[g] = append(members, i)
				continue next
			}
		}
		groups = append(groups, []int{i})
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

// sameSettings reports whether two runs are of one model with the same parameters. The room
// for reasoning follows from the model, and may differ.
func sameSettings(a, b *verbatim.Run) bool {
	pa, pb := a.Params, b.Params
	pa.ReasoningTokens, pb.ReasoningTokens = 0, 0
	return a.Model == b.Model && a.Origin == b.Origin && reflect.DeepEqual(pa, pb)
}

// checkPromptPair rejects two runs that differ in more than their prompt variants, or not in
// them.
func checkPromptPair(a, b *verbatim.Run) error {
	if err := CheckPlans(a, b, SameEdition, sameSeed, SameVersions, SameFile); err != nil {
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
