package app

import (
	"context"
	"encoding/json"
	"slices"

	"verbatim"
	"verbatim/internal/store"
)

// defaultReasoning is the allowance for a model that must reason, without saved
// replies.
const defaultReasoning = 8192

// reasoningTokens returns the reasoning allowance of the runs. It is the same for all
// models, because they are compared. The option counts first, then the allowance of a run
// that is continued, then twice the 99th percentile of a model's saved replies.
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
	most := 0
	for _, t := range targets {
		n, err := j.estimatedReasoning(ctx, t)
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}

// estimatedReasoning returns the allowance of a model that has no run to continue.
func (j *Job) estimatedReasoning(ctx context.Context, t target) (n int, err error) {
	params := over(t.Params, j.options.Params)
	var habits store.UsageStats
	if j.store != nil { // a forecast may have none
		habits, err = j.store.UsageStats(ctx, t.Name, func(r verbatim.Run) bool {
			return r.Params.Effort == params.Effort && equal(r.Params.ReasoningBudget, params.ReasoningBudget)
		})
	}
	switch {
	case err != nil:
		return 0, err
	case habits.Reasoning99 != nil:
		n = int(2 * *habits.Reasoning99)
	case params.ReasoningBudget == nil && !slices.Contains([]string{"", "none", "off", "false", "minimal"}, params.Effort):
		n = defaultReasoning
	}
	if params.ReasoningBudget != nil {
		n = max(n, int(*params.ReasoningBudget)) // some APIs require a token limit above it
	}
	return n, nil
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

// equal compares optional numbers.
func equal(a, b *int64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
