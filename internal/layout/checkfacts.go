package layout

import (
	"fmt"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

func mean(v *float64) []string {
	if v == nil {
		return nil
	}
	return []string{"mean " + strconv.FormatFloat(*v, 'f', 3, 64)}
}

func runParts(r report.CheckedRun) []string {
	parts := []string{terminal.Visible(r.Name), terminal.Visible(r.Model)}
	if r.N > 0 {
		parts = append([]string{"run " + number.Count(r.N)}, parts...)
	}
	return parts
}

// metricWord names the score in prose.
func metricWord(on report.Metric) string {
	if on == report.MetricScore || on == "" {
		return "score"
	}
	return string(on)
}

// checkFacts are the figures of a check, by name.
func checkFacts(c *report.Check) []fact {
	var list []fact
	if c.Difference != nil {
		in, p := c.Scopes[0], c.Posterior
		list = append(list, fact{"diff", []string{
			number.Signed(*c.Difference, 3) + " in " + metricWord(c.Metric),
			fmt.Sprintf("%s %% range %s, at whatever moment one looks", number.PlainPercent(1-c.Alpha), number.SignedRange(in.Low, in.High, 3)),
		}})
		belief := []string{"95 % range " + number.SignedRange(p.Low, p.High, 3)}
		if c.Kind == "check" {
			belief = append(belief, fmt.Sprintf("worse by more than %s with probability %s", number.Plain(c.Bound), number.Probability(p.Worse)))
		} else {
			belief = append(belief, fmt.Sprintf("worse %s, equivalent %s, better %s", number.Probability(p.Worse), number.Probability(p.Equivalent), number.Probability(p.Better)))
		}
		list = append(list, fact{"belief", append(belief, "a description, no guarantee")})
	}
	list = append(list,
		fact{"baseline", append(mean(c.BaselineMean), runParts(c.Against)...)},
		fact{"model", append(mean(c.ModelMean), runParts(c.Run)...)},
		fact{"items", checkItems(c)}, fact{"rule", checkRule(c)})
	if parts := CostWords(c.Cost); len(parts) > 0 && !report.Free(c.Price, c.Cost) {
		list = append(list, fact{"cost", parts})
	}
	if c.Changes.Lost+c.Changes.Gained > 0 {
		list = append(list, fact{"changes", []string{
			number.Count(int64(c.Changes.Lost)) + " right in the baseline and not here",
			number.Count(int64(c.Changes.Gained)) + " the other way round",
		}})
	}
	return list
}

// checkRule says what the verdict is about, and how it is come by.
func checkRule(c *report.Check) []string {
	var parts []string
	for i, s := range c.Scopes {
		part := "scope " + string(s.Scope)
		if i > 0 || c.Kind != "check" {
			word := string(s.Word)
			if s.Word == verdict.Inconclusive {
				word = "undecided"
			}
			part += ": " + word
			if s.At > 0 {
				part += " after " + number.Plural(int64(s.At), "item", "items")
			}
		}
		parts = append(parts, part)
	}
	parts = append(parts, "error rate "+number.PlainPercent(c.Alpha)+" %")
	if c.FinalLook {
		parts = append(parts, "decided by the last look, at all items")
	}
	return parts
}

func checkItems(c *report.Check) []string {
	parts := []string{number.Count(int64(c.Sent)) + " of " + number.Count(int64(c.Items)) + " asked"}
	if c.Allowed < c.Items {
		parts[0] += ", at most " + number.Count(int64(c.Allowed)) + " allowed"
	}
	if c.Pairs != c.Sent {
		parts = append(parts, number.Count(int64(c.Pairs))+" compared")
	}
	if c.Saved > 0 {
		parts = append(parts, number.Plural(int64(c.Saved), "call", "calls")+" saved")
	}
	return parts
}
