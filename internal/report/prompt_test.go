package report

import (
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// TestParametersDiffer: runs with different parameters are warned about.
func TestParametersDiffer(t *testing.T) {
	budget := int64(100)
	runs := []Block{{Head: Head{Name: "a"}}, {Head: Head{Name: "b", Params: verbatim.Params{ReasoningBudget: &budget}}}}
	warned := func() bool {
		return slices.ContainsFunc(comparisonWarnings(runs), func(w Warning) bool { return w.Kind == "parameters" })
	}
	if !warned() {
		t.Error("two reasoning budgets side by side, and no warning")
	}
	if runs[0].Head.Params.ReasoningBudget = &budget; warned() {
		t.Error("the same budget, and a warning")
	}
}

func TestVariantText(t *testing.T) {
	for want, v := range map[string]*verbatim.Variant{
		"":                               nil,
		"1 shot":                         {Shots: 1},
		"2 shots, paraphrase 1":          {Shots: 2, Paraphrase: "1"},
		"no system prompt":               {System: "-"},
		"system prompt “Be␊brief.␛[31m”": {System: "Be\nbrief.\x1b[31m"},
		"1 shot, system prompt “" + strings.Repeat("é", 40) + "…”": {Shots: 1, System: strings.Repeat("é", 41)},
		"system prompt “" + strings.Repeat("é", 40) + "”":          {System: strings.Repeat("é", 40)},
	} {
		if got := VariantText(v); got != want {
			t.Errorf("%+v is %q, want %q", v, got, want)
		}
	}
}
