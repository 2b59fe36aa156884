package layout

import (
	"fmt"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/earlystop"
)

// mean prints a mean score, if it is known.
func mean(v *float64) []string {
	if v == nil {
		return nil
	}
	return []string{"mean " + strconv.FormatFloat(*v, 'f', 3, 64)}
}

// checkedRunParts names a run and its model.
func checkedRunParts(r report.CheckedRun) []string {
	parts := []string{terminal.Visible(r.Name), terminal.Visible(r.Model)}
	if r.N > 0 {
		parts = append([]string{"run " + number.Count(r.N)}, parts...)
	}
	return parts
}

// metricWord names the metric in a sentence.
func metricWord(metric report.Metric) string {
	if metric == report.MetricScore || metric == "" {
		return "score"
	}
	return string(metric)
}

// checkFacts returns the figures of a check.
func checkFacts(c *report.Check) table.Facts {
	var list table.Facts
	if c.Difference != nil {
		diff := []string{number.Signed(*c.Difference, 3) + " in " + metricWord(c.Metric), intervalText(c.Deciding)}
		list = append(list, table.Fact{Name: "diff", Parts: diff})
		if c.Deciding.Kind == earlystop.Final { // at an early stop the posterior guarantees nothing
			list = append(list, table.Fact{Name: "posterior", Parts: posteriorText(c)})
		}
	}
	list = append(list,
		table.Fact{Name: "baseline", Parts: append(append(mean(c.BaselineMean), checkedRunParts(c.Against)...), baselineError(c)...)},
		table.Fact{Name: "model", Parts: append(mean(c.ModelMean), checkedRunParts(c.Run)...)},
		table.Fact{Name: "items", Parts: checkItems(c)}, table.Fact{Name: "rule", Parts: checkRule(c)})
	if parts := costWords(c.Cost); len(parts) > 0 && !report.Free(c.Price, c.Cost) {
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

// checkRule has the scopes of the verdict, with their own verdicts if there are several, and its error
// rate.
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
	return append(parts, ruleClaim(c)...)
}

// ruleClaim says how the verdict was decided, how often such a verdict is wrong, and how this is known.
func ruleClaim(c *report.Check) []string {
	rate := "wrong in at most " + number.PlainPercent(c.Alpha) + " %"
	if c.Kind == "check" {
		rate = "wrong in at most " + number.PlainPercent(c.Alpha/2) + " % each way"
	}
	switch {
	case c.FinalLook:
		return []string{"decided by the last look at all items", "wrong in at most " + number.PlainPercent(c.Alpha) + " % each way (simulated, not proved)"}
	case !c.Word.Settled():
		return []string{"maximum error rate " + number.PlainPercent(c.Alpha) + " %"}
	}
	return []string{"decided by bets", rate + " (theorem, for any number of looks)"}
}

// intervalText prints an interval with its confidence and its kind.
func intervalText(i *earlystop.DecidingInterval) string {
	kind := "anytime-valid interval"
	if i.Kind == earlystop.Final {
		kind = "interval of the last look"
	}
	return fmt.Sprintf("%s %% %s %s", number.PlainPercent(i.Confidence), kind, number.SignedRange(i.Low, i.High, 3))
}

// posteriorText has the posterior probabilities of the last look.
func posteriorText(c *report.Check) []string {
	p := c.Posterior
	if c.Kind == "check" {
		return []string{fmt.Sprintf("worse by more than %s with probability %s", number.Plain(c.Bound), number.Probability(p.Worse))}
	}
	return []string{fmt.Sprintf("worse %s, equivalent %s, better %s", number.Probability(p.Worse), number.Probability(p.Equivalent), number.Probability(p.Better))}
}

// baselineError has the standard error of the baseline, which all its checks share; nil if it is too
// small to print.
func baselineError(c *report.Check) []string {
	if e := c.BaselineError; e != nil && e.SE >= 0.0005 {
		return []string{fmt.Sprintf("standard error %.3f of its own answers", e.SE)}
	}
	return nil
}

// checkItems has the numbers of items that were sent, compared and saved.
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
