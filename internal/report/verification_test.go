package report

import (
	"slices"
	"testing"

	"verbatim/internal/verdict/verification"
)

// The two sides of a test may be one model: what holds for the model is noted once, and what holds
// for the replies of a side for each.
func TestNotesOfOneModelTwice(t *testing.T) {
	v := &Verification{Result: &verification.Result{Unanswered: [2]int{1, 2}}, Mixed: true}
	for i := range v.Sides {
		v.Sides[i] = VerifiedSide{CheckedRun: CheckedRun{Model: "m", Note: "simulated"}, Served: []string{"a", "b", "c", "d", "e"}}
	}
	v.Complete()
	want := []Warning{
		{Kind: "built-in", Text: "m is simulated."},
		{Kind: "upstream", Text: "m was served by several upstreams or models: a, b, c, d and 1 more. Their replies were compared together (--mix-upstreams)."},
		{Kind: "unanswered", Text: "1 request to m has no answer. The prompts are left out."},
		{Kind: "upstream", Text: "m was served by several upstreams or models: a, b, c, d and 1 more. Their replies were compared together (--mix-upstreams)."},
		{Kind: "unanswered", Text: "2 requests to m have no answer. The prompts are left out."},
	}
	if !slices.Equal(v.Notes, want) {
		t.Errorf("%q", v.Notes)
	}
}
