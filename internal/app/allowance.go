package app

import (
	"context"
	"encoding/json"
	"slices"

	"verbatim"
)

// reasoningTokens returns the reasoning allowance of the runs. It is the same for all
// models, because they are compared. The option counts first, then the allowance of a run
// that is continued. What other runs have shown does not count: the same command sends the
// same requests in every database.
func (j *Job) reasoningTokens(ctx context.Context, targets []target) (int, error) {
	if n := j.options.ReasoningTokens; n != nil {
		return *n, nil
	}
	if !j.options.New && j.store != nil {
		n, found, err := j.savedReasoning(ctx, targets)
		if err != nil || found {
			return n, err
		}
	}
	most := defaultReasoning
	if j.options.Params.MaxTokens > 0 {
		most = 0 // the user's limit is the whole one
	}
	for _, t := range targets {
		if n := over(t.Params, j.options.Params).ReasoningBudget; n != nil {
			most = max(most, int(*n)) // some APIs require a token limit above it
		}
	}
	return most, nil
}

// savedReasoning returns the allowance of the newest run that this command would continue
// if it had the same.
func (j *Job) savedReasoning(ctx context.Context, targets []target) (n int, found bool, err error) {
	runs, err := j.store.Runs(ctx)
	if err != nil {
		return 0, false, err
	}
	for _, t := range targets {
		want := over(t.Params, j.options.Params)
		for _, r := range slices.Backward(runs) {
			has := r.Params
			has.ReasoningTokens = 0
			if r.Plan.Hash == j.plan.Hash && r.Model == t.Name && r.Origin == "" && sameParams(has, want) {
				n, found = max(n, r.Params.ReasoningTokens), true
				break
			}
		}
	}
	return n, found, nil
}

// sameParams compares parameters as the store does, by their JSON.
func sameParams(a, b verbatim.Params) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
