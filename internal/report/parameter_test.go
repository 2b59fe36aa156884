package report

import (
	"testing"

	"verbatim"
)

// TestParameters: all parameters that were sent are named; the model's defaults are
// named only if nothing was sent.
func TestParameters(t *testing.T) {
	half, budget := 0.5, int64(100)
	for _, c := range []struct {
		params verbatim.Params
		want   string
	}{
		{verbatim.Params{}, "the model's defaults"},
		{verbatim.Params{ReasoningTokens: 7}, "reasoning tokens 7"},
		{verbatim.Params{ReasoningBudget: &budget}, "reasoning budget 100"},
		{verbatim.Params{Temperature: &half, Effort: "low"}, "temperature 0.5, effort low"},
	} {
		if got := ParameterText(c.params); got != c.want {
			t.Errorf("%+v: %q, want %q", c.params, got, c.want)
		}
	}
}
