package layout

import (
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
