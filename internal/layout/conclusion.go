package layout

import (
	"strconv"
	"strings"
	"time"

	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A conclusion is the verdict of a command, with which its document begins.
type conclusion struct {
	command  string // such as "verify"
	word     string // the verdict in a word, in capitals
	sentence string
	paint    terminal.Paint
}

// blocks returns the beginning of a body. Formats without a width, for which columns is 0, have a
// heading.
func (c conclusion) blocks(columns int) []table.Block {
	if columns == 0 {
		return []table.Block{table.Heading{Text: "verbatim " + c.command + ": " + c.word}, table.Paragraph{Text: c.sentence, Paint: terminal.Bold}}
	}
	return []table.Block{table.Paragraph{Text: c.word + "  " + c.sentence, Paint: c.paint}}
}

// endedBlocks says why a test was stopped early; empty if it was not.
func endedBlocks(ended string) []table.Block {
	if ended == "" {
		return nil
	}
	return []table.Block{table.Paragraph{Text: "Stopped early: " + terminal.Visible(ended)}}
}

// adviceBlocks returns the warnings and the advice at the end of a body.
func adviceBlocks(notes []report.Warning, advice []report.Advice) (blocks []table.Block) {
	if len(notes)+len(advice) > 0 {
		blocks = append(blocks, table.Blank{}, warningList(notes))
	}
	for _, a := range advice {
		if a.Text != "" {
			blocks = append(blocks, table.Paragraph{Text: terminal.Visible(a.Text)})
		}
		if a.Command != "" {
			blocks = append(blocks, table.Command(terminal.Visible(a.Command)))
		}
	}
	return blocks
}

// newSuite returns the test suite of a command, without tests.
func newSuite(command string, seconds float64, started time.Time) table.Suite {
	return table.Suite{Name: "verbatim " + command, Time: testTime(seconds), Timestamp: started.UTC().Format("2006-01-02T15:04:05")}
}

// testTime prints the time of a test in seconds.
func testTime(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 3, 64) }

// testText prints a body as the text of a test.
func testText(body []table.Block) string {
	var b strings.Builder
	b.WriteString("\n")
	table.WriteText(&b, body, terminal.Style{})
	return b.String()
}

// setOutcome sets the result of a test. One that neither passed nor failed is an error.
func setOutcome(test *table.Case, o *table.Outcome, passed, failed bool) {
	switch {
	case passed:
		test.Out = o.Text
	case failed:
		test.Failure = o
	default:
		test.Error = o
	}
}

// warningList lists the warnings of a report.
func warningList(warnings []report.Warning) table.List {
	list := table.List{Kind: table.Warnings}
	for _, w := range warnings {
		list.Items = append(list.Items, table.Item{Text: terminal.Visible(w.Text)})
	}
	return list
}

// noteList lists the notes or the warnings of a verdict.
func noteList(kind table.ListKind, notes []verdict.Note) table.List {
	list := table.List{Kind: kind}
	for _, n := range notes {
		list.Items = append(list.Items, table.Item{Text: terminal.Visible(n.Text)})
	}
	return list
}
