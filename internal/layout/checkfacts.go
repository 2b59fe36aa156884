package layout

import (
	"fmt"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

func mean(v *float64) []string {
	if v == nil {
		return nil
	}
	return []string{"mean " + strconv.FormatFloat(*v, 'f', 3, 64)}
}

func checkedRunParts(r report.CheckedRun) []string {
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
func checkFacts(c *report.Check) table.Facts {
	var list table.Facts
	if c.Difference != nil {
		in, p := c.Scopes[0], c.Posterior
		list = append(list, table.Fact{Name: "diff", Parts: []string{
			number.Signed(*c.Difference, 3) + " in " + metricWord(c.Metric),
			fmt.Sprintf("%s %% anytime-valid interval %s", number.PlainPercent(1-c.Alpha), number.SignedRange(in.Low, in.High, 3)),
		}})
		belief := []string{"95 % interval " + number.SignedRange(p.Low, p.High, 3)}
		if c.Kind == "check" {
			belief = append(belief, fmt.Sprintf("worse by more than %s with probability %s", number.Plain(c.Bound), number.Probability(p.Worse)))
		} else {
			belief = append(belief, fmt.Sprintf("worse %s, equivalent %s, better %s", number.Probability(p.Worse), number.Probability(p.Equivalent), number.Probability(p.Better)))
		}
		list = append(list, table.Fact{Name: "posterior", Parts: append(belief, "error rate not guaranteed")})
	}
	list = append(list,
		table.Fact{Name: "baseline", Parts: append(mean(c.BaselineMean), checkedRunParts(c.Against)...)},
		table.Fact{Name: "model", Parts: append(mean(c.ModelMean), checkedRunParts(c.Run)...)},
		table.Fact{Name: "items", Parts: checkItems(c)}, table.Fact{Name: "rule", Parts: checkRule(c)})
	if parts := CostWords(c.Cost); len(parts) > 0 && !report.Free(c.Price, c.Cost) {
		list = append(list, table.Fact{Name: "cost", Parts: parts})
	}
	if c.Changes.Lost+c.Changes.Gained > 0 {
		list = append(list, table.Fact{Name: "changes", Parts: []string{
			number.Count(int64(c.Changes.Lost)) + " right in the baseline only",
			number.Count(int64(c.Changes.Gained)) + " right in this run only",
		}})
	}
	return list
}

// checkRule says what the verdict is about, and its error rate.
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
		parts = append(parts, "decided by the final test on all items")
	}
	return parts
}

func checkItems(c *report.Check) []string {
	parts := []string{number.Count(int64(c.Sent)) + " of " + number.Count(int64(c.Items)) + " sent"}
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
