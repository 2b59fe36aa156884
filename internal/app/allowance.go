package app

import (
	"context"
	"encoding/json"
	"slices"

	"verbatim"
	"verbatim/internal/run"
)

// reasoningTokens returns the number of tokens of each limit that are for reasoning. It is the same
// for all models, because they are compared. The option counts first, then the number of a run that
// is continued, then the default. What other runs have shown does not count: the same command sends
// the same requests in every database.
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
	tokens := run.DefaultReasoningTokens
	if j.options.Params.MaxTokens > 0 {
		tokens = 0 // the user's limit is the whole limit
	}
	for _, t := range targets {
		if n := over(t.Params, j.options.Params).ReasoningBudget; n != nil {
			tokens = max(tokens, int(*n)) // some APIs require a token limit above it
		}
	}
	return tokens, nil
}

// savedReasoning returns the tokens for reasoning of the run that this command continues. It is
// the newest run of each target with the same plan and parameters; of several, the largest number.
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
			// Plans of searches are those of no other runs.
			ordinary := r.Test == nil || r.Test.Kind == SearchKind
			if ordinary && r.Plan.Hash == j.plan.Hash && r.Model == t.Name && r.Origin == "" && SameParams(has, want) {
				n, found = max(n, r.Params.ReasoningTokens), true
				break
			}
		}
	}
	return n, found, nil
}

// SameParams reports whether parameters are the same for the database, which saves them as JSON.
func SameParams(a, b verbatim.Params) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
