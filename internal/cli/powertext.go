package cli

import (
	"fmt"
	"strings"

	"verbatim/internal/terminal"
	"verbatim/internal/verdict/poweranalysis"
)

// powerText says what a plan can tell.
func powerText(p *poweranalysis.Result) string {
	c := &p.Check
	seen := fmt.Sprintf("a difference of %.3f or more", p.Compare.Detectable)
	if p.Compare.Detectable > 1 {
		seen = "no difference, for these are too few items"
	}
	equivalent := "no number of items"
	if p.Compare.Equivalent != nil {
		equivalent = digits(*p.Compare.Equivalent) + " items"
	}
	lines := []string{
		fmt.Sprintf("What answers to %s items can tell, with a chance of %.0f %% where none is named:", digits(p.Items), 100*p.Power),
		"  compare  " + seen + " is seen",
		fmt.Sprintf("           equivalence within ±%g takes %s", p.Compare.Rope, equivalent),
		"           " + spreadText(&p.Compare.Variability),
		fmt.Sprintf("  check    margin %g: unchanged, it passes with a chance of %.0f %%, after %s items on average", c.Margin, 100*c.Unchanged.Passed, rounded(c.Unchanged.MeanItems)),
		fmt.Sprintf("           worse by %.2f, it fails with a chance of %.0f %%, after %s items", c.Loss, 100*c.Worse.Worse, rounded(c.Worse.MeanItems)),
		"           " + spreadText(&c.Variability),
	}
	return strings.Join(lines, "\n")
}

func rounded(n float64) string { return digits(int64(n + 0.5)) }

// spreadText says what numbers rest on.
func spreadText(s *poweranalysis.Variability) string {
	var names []string
	for _, name := range s.Runs {
		names = append(names, terminal.Visible(name))
	}
	of := strings.Join(names, " and ")
	why := "20 % disagreement is assumed, without saved runs to estimate it from"
	switch s.Basis {
	case poweranalysis.FromPairs:
		why = fmt.Sprintf("as on the %s items of %s", digits(s.Items), of)
	case poweranalysis.FromRepeats:
		why = fmt.Sprintf("as repeated answers to %s items of %s", digits(s.Items), of)
	case poweranalysis.FromRates:
		why = fmt.Sprintf("by the shares of right answers in %s, were they independent", of)
	}
	return fmt.Sprintf("(sd of a difference %.2f: %s)", s.SD, why)
}
