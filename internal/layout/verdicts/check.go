package verdicts

import (
	"strconv"
	"strings"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report/result"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/earlystop"
)

// Check is the document of a check: the verdict, then the numbers behind it.
func Check(c *result.Check, o layout.Options) *table.Document {
	return &table.Document{
		Title: "verbatim " + c.Kind, Value: c, Raw: o.Raw,
		Data:  func() *table.Table { return checkData(c) },
		Body:  func(columns int) []table.Block { return checkBody(c, o, columns) },
		Tests: func() []table.Suite { return checkTests(c, o) },
	}
}

func checkBody(c *result.Check, o layout.Options, columns int) []table.Block {
	var body []table.Block
	paint, sentence := terminal.Alert, strings.ToUpper(checkTitle(c))+"  "+CheckSentence(c)
	switch {
	case columns == 0:
		body = append(body, table.Heading{Text: "verbatim " + c.Kind + ": " + strings.ToUpper(checkTitle(c))})
		paint, sentence = terminal.Bold, CheckSentence(c)
	case c.Word == verdict.Worse:
		paint = terminal.Bad
	case c.Word.Settled():
		paint = terminal.Good
	}
	body = append(body, table.Paragraph{Text: sentence, Paint: paint})
	if c.Ended != "" {
		body = append(body, table.Paragraph{Text: "Stopped early: " + terminal.Visible(c.Ended)})
	}
	body = append(body, table.Blank{}, checkFacts(c), changeList(c, o))
	if len(c.Notes)+len(c.Advice) > 0 {
		body = append(body, table.Blank{}, layout.WarningList(c.Notes))
	}
	for _, a := range c.Advice {
		body = append(body, table.Paragraph{Text: terminal.Visible(a.Text)})
		if a.Command != "" {
			body = append(body, table.Command(terminal.Visible(a.Command)))
		}
	}
	return body
}

// changeList lists the first changed items.
func changeList(c *result.Check, o layout.Options) table.List {
	list := table.List{Kind: table.Examples}
	for _, ch := range shownChanges(c) {
		text := terminal.Visible(ch.Before) + " → " + terminal.Visible(ch.Now)
		list.Items = append(list.Items, table.Item{Text: text, Command: o.Program.Show(changedRun(c, ch), ch.Item)})
	}
	return list
}

// checkTests is a test suite with one test: a failure where the model is worse, an error
// where there is no verdict, unless the exit code says that this passes or fails.
func checkTests(c *result.Check, o layout.Options) []table.Suite {
	took := strconv.FormatFloat(c.Seconds, 'f', 3, 64)
	test := table.Case{Class: "verbatim." + c.Kind, Name: terminal.Visible(c.Run.Model) + " against " + terminal.Visible(c.Against.Name), Time: took}
	var b strings.Builder
	b.WriteString("\n")
	table.WriteText(&b, checkBody(c, o, terminal.Style{}.Columns()), terminal.Style{})
	outcome := &table.Outcome{Message: CheckSentence(c), Type: checkTitle(c), Text: b.String()}
	switch {
	case c.ExitCode == 0:
		test.Out = outcome.Text
	case c.Word == verdict.Worse || c.ExitCode == 3:
		test.Failure = outcome
	default:
		test.Error = outcome
	}
	suite := table.Suite{Name: "verbatim " + c.Kind, Time: took, Timestamp: c.Started.UTC().Format("2006-01-02T15:04:05"), Cases: []table.Case{test}}
	t := checkData(c)
	for i, column := range t.Columns {
		if cell := t.Rows[0].Cells[i]; cell != "" {
			suite.Properties = append(suite.Properties, table.Property{Name: column.Head, Value: cell})
		}
	}
	return []table.Suite{suite}
}

// checkData has one row.
func checkData(c *result.Check) *table.Table {
	t := layout.DataTable("verdict", "scope", "bound", "alpha", "baseline", "run", "model", "score", "items", "asked", "pairs", "unanswered", "calls_saved", "difference", "low", "high")
	cells := []string{string(c.Word), string(c.Scope), number.Plain(c.Bound), number.Plain(c.Alpha), terminal.Visible(c.Against.Name), terminal.Visible(c.Run.Name), terminal.Visible(c.Run.Model),
		metricWord(c.Metric), layout.Digits(c.Items), layout.Digits(c.Sent), layout.Digits(c.Pairs), layout.Digits(c.Unanswered), layout.Digits(c.Saved), "", "", ""}
	if c.Difference != nil {
		for i, v := range []float64{*c.Difference, c.Deciding.Low, c.Deciding.High} {
			cells[13+i] = strconv.FormatFloat(v, 'f', 6, 64)
		}
	}
	t.Add(cells...)
	return t
}

// mostShown is how many changes of each kind are laid out for people.
const mostShown = 5

// changedRun names the run whose answer is not right.
func changedRun(c *result.Check, ch earlystop.Change) string {
	if ch.Right {
		return c.Against.Ref
	}
	return c.Run.Ref
}

// shownChanges returns the first changes, those for the worse before the others.
func shownChanges(c *result.Check) []earlystop.Change {
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
