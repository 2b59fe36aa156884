package layout

import (
	"fmt"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// PairNames returns names for the sides of a comparison: their models; their runs if the models are
// the same; in a comparison of prompts, their models with the prompts.
func PairNames(c *verdict.Comparison) (a, b string) {
	if c.Across == verdict.AcrossPrompt {
		return withPrompt(&c.A), withPrompt(&c.B)
	}
	a, b = terminal.Visible(c.A.Model), terminal.Visible(c.B.Model)
	if a == b {
		a, b = terminal.Visible(c.A.Name), terminal.Visible(c.B.Name)
	}
	return a, b
}

// withPrompt names a run by its model and its prompt variant.
func withPrompt(r *verdict.ComparedRun) string {
	return terminal.Visible(r.Model) + " (" + promptName(r) + ")"
}

// promptName names the prompt variant of a run.
func promptName(r *verdict.ComparedRun) string {
	if text := report.VariantText(r.Variant); text != "" {
		return text
	}
	return "the items’ own prompt"
}

// Sentence says the verdict in plain words.
func Sentence(c *verdict.Comparison) string {
	a, b := PairNames(c)
	d := &c.Difference
	span := "95 % " + number.SignedRange(d.Low, d.High, 3)
	switch c.Word {
	case verdict.Worse:
		return fmt.Sprintf("%s is worse than %s: its score is %s lower (%s).", b, a, number.Fixed(-d.Value, 3), span)
	case verdict.Better:
		return fmt.Sprintf("%s is better than %s: its score is %s higher (%s).", b, a, number.Fixed(d.Value, 3), span)
	case verdict.Equivalent:
		return fmt.Sprintf("%s and %s are equivalent: their scores differ by %s (%s), which is within ±%s.", b, a, number.Signed(d.Value, 3), span, number.Plain(c.Rope))
	case verdict.Withheld:
		return fmt.Sprintf("No verdict on %s compared with %s: %s.", b, a, terminal.Visible(strings.Join(c.Why, "; and ")))
	}
	return fmt.Sprintf("No verdict yet on %s compared with %s: its score differs by %s (%s).", b, a, number.Signed(d.Value, 3), span)
}

// Settling says how many more items would give a verdict. It is empty if s is nil, as it is with a
// verdict.
func Settling(s *verdict.ItemsNeeded) string {
	switch {
	case s == nil:
		return ""
	case s.More == nil:
		return "No number of items would give a verdict: the difference is at the edge of what counts as equivalent."
	}
	items := "items"
	if *s.More == 1 {
		items = "item"
	}
	return fmt.Sprintf("About %s more %s would give a verdict (%s), if they differ as these do.", number.Rough(*s.More), items, s.Toward)
}
