package layout

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/earlystop"
)

// Check returns the document of a check or of a run until a verdict: the verdict, then the numbers
// behind it.
func Check(c *report.Check, o Options) *table.Document {
	return &table.Document{
		Title: "verbatim " + c.Kind, Value: c, Raw: o.Raw,
		Data:  func() *table.Table { return checkData(c) },
		Body:  func(columns int) []table.Block { return checkBody(c, o, columns) },
		Tests: func() []table.Suite { return checkTests(c, o) },
	}
}

// Checks returns the document of the checks of one or several models.
func Checks(list []*report.Check, exitCode int, o Options) *table.Document {
	d := Check(list[0], o)
	if len(list) == 1 {
		return d
	}
	d.Value = report.CheckList{Format: "verbatim/checks/1", Alpha: list[0].AlphaTogether, Checks: list, ExitCode: exitCode}
	d.Data = func() *table.Table {
		all := checkData(list[0])
		for _, c := range list[1:] {
			all.Rows = append(all.Rows, checkData(c).Rows...)
		}
		return all
	}
	d.Body = func(columns int) (body []table.Block) {
		for i, c := range list {
			if i > 0 {
				body = append(body, table.Blank{}, table.Divider{}, table.Blank{})
			}
			body = append(body, checkBody(c, o, columns)...)
		}
		return body
	}
	d.Tests = func() (all []table.Suite) {
		for _, c := range list {
			all = append(all, checkTests(c, o)...)
		}
		return all
	}
	return d
}

func checkBody(c *report.Check, o Options, columns int) []table.Block {
	paint := terminal.Alert
	switch {
	case c.Word == verdict.Worse:
		paint = terminal.Bad
	case c.Word.Settled():
		paint = terminal.Good
	}
	body := conclusion{c.Kind, strings.ToUpper(checkTitle(c)), checkSentence(c), paint}.blocks(columns)
	body = append(body, endedBlocks(c.Ended)...)
	body = append(body, table.Blank{}, checkFacts(c), changeList(c, o))
	return append(body, adviceBlocks(c.Notes, c.Advice)...)
}

// changeList lists the first changed items, each with the command that shows the wrong answer.
func changeList(c *report.Check, o Options) table.List {
	list := table.List{Kind: table.Examples}
	for _, ch := range shownChanges(c) {
		text := terminal.Visible(ch.Before) + " → " + terminal.Visible(ch.Now)
		list.Items = append(list.Items, table.Item{Text: text, Command: o.Program.Show(changedRun(c, ch), ch.Item)})
	}
	return list
}

// checkTests returns a suite with one test. By the exit code it passes, or fails if the model is
// worse; without a verdict it is an error.
func checkTests(c *report.Check, o Options) []table.Suite {
	suite := newSuite(c.Kind, c.Seconds, c.Started)
	test := table.Case{Class: "verbatim." + c.Kind, Name: terminal.Visible(c.Run.Model) + " against " + terminal.Visible(c.Against.Name), Time: suite.Time}
	outcome := &table.Outcome{Message: checkSentence(c), Type: checkTitle(c), Text: testText(checkBody(c, o, terminal.Style{}.Columns()))}
	setOutcome(&test, outcome, c.ExitCode == 0, c.Word == verdict.Worse || c.ExitCode == 3)
	suite.Cases = []table.Case{test}
	t := checkData(c)
	for i, column := range t.Columns {
		if cell := t.Rows[0].Cells[i]; cell != "" {
			suite.Properties = append(suite.Properties, table.Property{Name: column.Head, Value: cell})
		}
	}
	return []table.Suite{suite}
}

// checkData has one row.
func checkData(c *report.Check) *table.Table {
	t := dataTable("verdict", "scope", "bound", "alpha", "baseline", "run", "model", "score", "items", "asked", "pairs", "unanswered", "calls_saved", "difference", "low", "high")
	difference, low, high := "", "", ""
	if c.Difference != nil {
		number := func(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }
		difference, low, high = number(*c.Difference), number(c.Deciding.Low), number(c.Deciding.High)
	}
	t.Add(string(c.Word), string(c.Scope), number.Plain(c.Bound), number.Plain(c.Alpha), terminal.Visible(c.Against.Name), terminal.Visible(c.Run.Name), terminal.Visible(c.Run.Model),
		metricWord(c.Metric), digits(c.Items), digits(c.Sent), digits(c.Pairs), digits(c.Unanswered), digits(c.Saved), difference, low, high)
	return t
}

// mostShown is the largest number of changes of each kind that are listed.
const mostShown = 5

// changedRun names the run whose answer is wrong.
func changedRun(c *report.Check, ch earlystop.Change) string {
	if ch.Right {
		return c.Against.Ref
	}
	return c.Run.Ref
}

// shownChanges returns the first changes: those for the worse, then those for the better.
func shownChanges(c *report.Check) []earlystop.Change {
	var lost, gained []earlystop.Change
	for _, ch := range c.Changes.First {
		if ch.Right {
			gained = append(gained, ch)
		} else {
			lost = append(lost, ch)
		}
	}
	return append(lost[:min(len(lost), mostShown)], gained[:min(len(gained), mostShown)]...)
}

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
	alpha, all := c.Alpha, ""
	if c.Together > 1 {
		alpha, all = c.AlphaTogether, " of "+number.Count(int64(c.Together))+" models together (Holm)"
	}
	rate := "wrong in at most " + number.PlainPercent(alpha) + " %" + all
	if c.Kind == "check" {
		rate = "wrong in at most " + number.PlainPercent(alpha/2) + " % each way" + all
	}
	switch {
	case c.FinalLook:
		return []string{"decided by the last look at all items", "wrong in at most " + number.PlainPercent(alpha) + " % each way" + all + " (exact bound)"}
	case !c.Word.Settled():
		return []string{"maximum error rate " + number.PlainPercent(alpha) + " %" + all}
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
