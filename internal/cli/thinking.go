package cli

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/store"
)

// usualThinking is what a model is allowed to think that is told to and of which
// no replies are kept.
const usualThinking = 8192

// allowance returns how many tokens the runs allow for thinking: the same for all
// models, for they are compared. What --reasoning-tokens says counts first, then what a
// run has that is continued, then twice what 99 of 100 kept replies of a model
// took.
func (a *asking) allowance(ctx context.Context, targets []target) (int, error) {
	if n, err := strconv.Atoi(a.thinking); err == nil {
		return n, nil
	}
	if !a.fresh && a.store != nil {
		n, found, err := a.keptAllowance(ctx, targets)
		if err != nil || found {
			return n, err
		}
	}
	most := 0
	for _, t := range targets {
		n, err := a.usualAllowance(ctx, t)
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}

// usualAllowance returns what a model is allowed that has no run to continue.
func (a *asking) usualAllowance(ctx context.Context, t target) (n int, err error) {
	params := over(t.Params, a.params)
	var habits store.Habits
	if a.store != nil { // a plan may have none
		habits, err = a.store.Habits(ctx, t.Name, func(r verbatim.Run) bool {
			return r.Params.Effort == params.Effort && equal(r.Params.ReasoningBudget, params.ReasoningBudget)
		})
	}
	switch {
	case err != nil:
		return 0, err
	case habits.Reasoning99 != nil:
		n = int(2 * *habits.Reasoning99)
	case params.ReasoningBudget == nil && !slices.Contains([]string{"", "none", "off", "false", "minimal"}, params.Effort):
		n = usualThinking
	}
	if params.ReasoningBudget != nil {
		n = max(n, int(*params.ReasoningBudget)) // some want the limit above it
	}
	return n, nil
}

// keptAllowance returns the allowance of the newest run that this command would
// continue but for it.
func (a *asking) keptAllowance(ctx context.Context, targets []target) (n int, found bool, err error) {
	runs, err := a.store.Runs(ctx)
	if err != nil {
		return 0, false, err
	}
	for _, t := range targets {
		want := over(t.Params, a.params)
		for _, r := range slices.Backward(runs) {
			has := r.Params
			has.ReasoningTokens = 0
			if r.Plan.Hash == a.plan.Hash && r.Model == t.Name && r.Origin == "" && sameParams(has, want) {
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

func equal(a, b *int64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
