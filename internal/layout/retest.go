package layout

import (
	"fmt"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/retest"
)

// Retest returns the document of runs whose items have several answers: how much these differ, and
// the error rates of verdicts that follow.
func Retest(runs []report.Retest, o Options) *table.Document {
	return &table.Document{
		Title: "verbatim aa", Raw: o.Raw, Value: report.RetestList{Format: report.RetestFormat, Runs: runs},
		Data: func() *table.Table { return retestData(runs) },
		Body: func(int) []table.Block {
			var body []table.Block
			for i := range runs {
				if i > 0 {
					body = append(body, table.Blank{})
				}
				body = append(body, retestBody(&runs[i])...)
			}
			return body
		},
	}
}

func retestBody(a *report.Retest) []table.Block {
	body := runTitle(a.Model, a.N, a.Run, a.Note)
	t := a.Twice
	if t == nil {
		return append(body, table.Paragraph{Text: "No item has two answers."})
	}
	return append(body,
		table.Facts{
			{Name: "items", Parts: retestItems(t)},
			{Name: "flips", Parts: []string{number.Percent(&t.Flips.Share) + " % of the items are right in one answer and wrong in another (" + proportionRange(t.Flips) + "; " + number.Count(t.Flips.N) + " of " + number.Count(t.Flips.Of) + ")"}},
			{Name: "scores", Parts: []string{"metric: " + report.Metric(t.Metric).String(), "SD " + number.Fixed(t.Within, 3) + " within an item", number.Fixed(t.Between, 3) + " between items", "intraclass correlation " + knownNumber(t.ICC, 2)}},
			{Name: "drift", Parts: []string{driftText(t.Drift)}},
		},
		table.Blank{}, table.Paragraph{Text: fmt.Sprintf("Verdicts on the run compared with itself, in %s resamples. Worse and better are false alarms: nothing has changed.", number.Count(int64(t.Resamples)))},
		errorRates(t), table.Blank{}, table.Paragraph{Text: retestAdvice(t)}, requiredItems(t))
}

// retestData has one row for each number of items of each run.
func retestData(runs []report.Retest) *table.Table {
	t := dataTable("run", "name", "model", "metric", "items", "compare_worse", "compare_better", "compare_equivalent", "compare_inconclusive", "check_worse", "check_pass", "check_undecided", "check_asked")
	for i := range runs {
		r := &runs[i]
		if r.Twice == nil {
			continue
		}
		for _, n := range r.Twice.Sizes {
			c, k := &n.Compare, &n.Check
			t.Add(digits(r.N), terminal.Visible(r.Run), terminal.Visible(r.Model), r.Twice.Metric, digits(n.Items), Float(&c.Worse.Share), Float(&c.Better.Share), Float(&c.Equivalent.Share), Float(&c.Inconclusive.Share),
				Float(&k.Worse.Share), Float(&k.Pass.Share), Float(&k.Undecided.Share), Float(&k.MeanItems))
		}
	}
	return t
}

// retestItems counts the items and the answers that are left out.
func retestItems(t *retest.Result) []string {
	parts := []string{number.Count(t.Items) + " with two answers"}
	if t.MaxAnswers > 2 {
		parts[0] = number.Count(t.Items) + " with two to " + number.Count(t.MaxAnswers) + " answers"
	}
	if t.Unanswered > 0 {
		parts = append(parts, number.Count(t.Unanswered)+" without, which are left out")
	}
	if t.Undefined > 0 {
		parts = append(parts, number.Count(t.Undefined)+" answers with an undefined score count 0")
	}
	return parts
}

// proportionRange prints the interval of a proportion in per cent.
func proportionRange(p retest.Proportion) string {
	return number.Fixed(100*p.Low, 1) + "–" + number.Fixed(100*p.High, 1)
}

// knownNumber prints a number, or a dash if it is unknown.
func knownNumber(v *float64, decimals int) string {
	if v == nil {
		return number.Missing
	}
	return number.Fixed(*v, decimals)
}

// driftText says whether the endpoint changed between the first and the last pass.
func driftText(d retest.Drift) string {
	s := "last pass minus first " + number.Signed(d.Value, 3) + " (95 %: " + number.SignedRange(d.Low, d.High, 3) + ")"
	if d.Seen {
		return s + ": the endpoint changed between them; the numbers below assume one that did not"
	}
	return s + ": not significant"
}

// errorRates has the rates of verdicts for each number of items.
func errorRates(t *retest.Result) *table.Table {
	out := rightTable("items", "compare:", "worse", "better", "equiv.", "open", "check:", "worse", "pass", "open", "sent")
	for _, n := range t.Sizes {
		c, k := n.Compare, n.Check
		out.Add(number.Count(int64(n.Items)), "", number.Percent(&c.Worse.Share), number.Percent(&c.Better.Share), number.Percent(&c.Equivalent.Share), number.Percent(&c.Inconclusive.Share),
			"", number.Percent(&k.Worse.Share), number.Percent(&k.Pass.Share), number.Percent(&k.Undecided.Share), number.Fixed(k.MeanItems, 0))
	}
	out.Notes = []string{fmt.Sprintf("Shares in %%, within %s points. Compare with a ROPE of ±%s, check with a margin of %s. Sent: mean number of items until the verdict.",
		number.Fixed(100*t.Precision(), 1), number.Plain(t.Rope), number.Plain(t.Margin))}
	return out
}

// retestAdvice says which margins the number of items of the run allows.
func retestAdvice(t *retest.Result) string {
	var parts []string
	for _, e := range t.RequiredMargins {
		parts = append(parts, fmt.Sprintf("%s %% of checks with a margin of %s", number.Fixed(100*e.Share, 0), number.Fixed(e.Margin, 3)))
	}
	return fmt.Sprintf("An unchanged endpoint passes %s with these %s items. More items allow smaller margins:", strings.Join(parts, ", "), number.Count(t.Items))
}

// requiredItems has the number of items that an unchanged endpoint needs to pass, for each margin.
func requiredItems(t *retest.Result) *table.Table {
	out := rightTable("margin", "passes", "items", "resampled")
	for _, n := range t.RequiredItems {
		passed := number.Missing
		if n.Passed != nil {
			passed = number.Percent(&n.Passed.Share) + " (" + proportionRange(*n.Passed) + ")"
		}
		out.Add(number.Plain(n.Margin), number.Fixed(100*n.Share, 0)+" %", number.Count(n.Items), passed)
	}
	return out
}

// rightTable returns a table whose columns are aligned to the right.
func rightTable(heads ...string) *table.Table {
	t := new(table.Table)
	for _, h := range heads {
		t.Columns = append(t.Columns, table.Column{Head: h, Right: true})
	}
	return t
}
