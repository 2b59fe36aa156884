package verdict_test

import (
	"errors"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

// promptSides returns two runs of one model, the second with another prompt.
func promptSides() (a, b verdict.Side) {
	a, b = verdicttest.DrawSides(3, 4, 6, 0.3, 1)
	b.Run.Name, b.Run.Model, b.Run.Params = "b", a.Run.Model, a.Run.Params
	b.Run.Plan.Variant, b.Run.Plan.Hash = &verbatim.Variant{Paraphrase: "1"}, "other"
	return a, b
}

// TestAcrossPrompt: two prompts with one model are compared item by item, with the figures
// of any comparison.
func TestAcrossPrompt(t *testing.T) {
	a, b := promptSides()
	o := verdicttest.SmallOptions()
	if _, err := verdict.Compare(a, b, o); err == nil || !strings.Contains(err.Error(), "prompt differs") {
		t.Errorf("without --across: %v", err)
	}
	o.AcrossPrompt = true
	c, err := verdict.Compare(a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	same, other := verdicttest.DrawSides(3, 4, 6, 0.3, 1)
	want := verdicttest.Compare(t, same, other, verdicttest.SmallOptions())
	if c.Across != verdict.AcrossPrompt || c.Items != want.Items || c.Difference != want.Difference || c.Word != want.Word {
		t.Errorf("%+v, want the figures %+v", c.Difference, want.Difference)
	}
}

func TestAcrossPromptRefuses(t *testing.T) {
	for name, change := range map[string]func(*verbatim.Run){
		"model":      func(r *verbatim.Run) { r.Model = "another" },
		"parameters": func(r *verbatim.Run) { r.Params.Effort = "low" },
		"prompt":     func(r *verbatim.Run) { r.Plan.Variant = nil },
		"seed":       func(r *verbatim.Run) { r.Plan.Seed++ },
	} {
		a, b := promptSides()
		change(&b.Run)
		o := verdicttest.SmallOptions()
		o.AcrossPrompt = true
		_, err := verdict.Compare(a, b, o)
		var refused *verdict.Refusal
		if !errors.As(err, &refused) || refused.Field != name || refused.Hint() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPromptPairs: each run is compared with the first of its model.
func TestPromptPairs(t *testing.T) {
	run := func(model, effort, paraphrase string) verdict.Side {
		return verdict.Side{Run: verbatim.Run{Model: model, Params: verbatim.Params{Effort: effort}, Plan: verbatim.Plan{Variant: &verbatim.Variant{Paraphrase: paraphrase}}}}
	}
	pairs, err := verdict.PromptPairs([]verdict.Side{run("a", "", "1"), run("b", "", "1"), run("b", "", "2"), run("a", "", "2"), run("a", "", "3")})
	if err != nil || len(pairs) != 3 || pairs[0] != [2]int{0, 3} || pairs[1] != [2]int{0, 4} || pairs[2] != [2]int{1, 2} {
		t.Errorf("%v, %v", pairs, err)
	}
	if _, err := verdict.PromptPairs([]verdict.Side{run("a", "", "1"), run("a", "low", "2"), run("a", "", "2")}); err == nil {
		t.Error("a run without a partner is not refused")
	}
}
