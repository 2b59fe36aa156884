package layout

import (
	"fmt"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/earlystop"
)

// checkSentence says the verdict of a check in words.
func checkSentence(c *report.Check) string {
	model, bound := terminal.Visible(c.Run.Model), number.Plain(c.Bound)
	if c.Run.Model == c.Against.Model {
		model += " now"
	}
	switch c.Word {
	case verdict.Pass:
		return model + " is not worse than the baseline by more than " + bound + "."
	case verdict.Worse:
		return model + " is worse than the baseline by more than " + bound + "."
	case verdict.Better:
		return model + " is better than the baseline by more than " + bound + "."
	case verdict.Equivalent:
		return model + " and the baseline differ by no more than " + bound + "."
	case verdict.Withheld:
		return "No verdict: " + withheldReason(c) + "."
	}
	if c.Pairs == 0 {
		return "No item could be compared."
	}
	if c.Kind == "check" {
		return number.Plural(int64(c.Pairs), "item", "items") + " so far do not show whether " + model + " is worse than the baseline by more than " + bound + "."
	}
	return number.Plural(int64(c.Pairs), "item", "items") + " so far do not show whether " + model + " is worse or better than the baseline, or equivalent within ±" + bound + "."
}

// withheldReason says why a verdict is withheld.
func withheldReason(c *report.Check) string {
	if c.Reason == earlystop.ReasonTruncated {
		return fmt.Sprintf("the token limit stopped %.1f %% of the baseline's answers and %.1f %% of these before they could be right", 100*c.Limits[0], 100*c.Limits[1])
	}
	return fmt.Sprintf("%d of %d items have no answer", c.Unanswered+c.Missing, c.Unanswered+c.Missing+c.Pairs)
}

// checkTitle is the verdict in a word.
func checkTitle(c *report.Check) string {
	if c.Word == verdict.Inconclusive {
		return "undecided"
	}
	return string(c.Word)
}
