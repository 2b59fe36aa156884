package verdicts

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report/result"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/preflight"
)

// Preflight is the document of the contracts of an endpoint: the verdict, then a line for each
// contract, with the bytes that show a broken one.
func Preflight(p *result.Preflight, o layout.Options) *table.Document {
	return &table.Document{
		Title: "verbatim preflight", Value: p, Raw: o.Raw,
		Data:  func() *table.Table { return preflightData(p) },
		Body:  func(columns int) []table.Block { return preflightBody(p, columns) },
		Tests: func() []table.Suite { return preflightTests(p) },
	}
}

func preflightBody(p *result.Preflight, columns int) []table.Block {
	var body []table.Block
	word, paint := preflightWord(p.Word)
	sentence := word + "  " + PreflightSentence(p)
	if columns == 0 {
		body = append(body, table.Heading{Text: "verbatim preflight: " + word})
		paint, sentence = terminal.Bold, PreflightSentence(p)
	}
	body = append(body, table.Paragraph{Text: sentence, Paint: paint})
	if p.Ended != "" {
		body = append(body, table.Paragraph{Text: "Stopped early: " + terminal.Visible(p.Ended)})
	}
	var lines table.Facts
	for _, l := range p.Lines {
		parts := append([]string{preflightState(l.State), terminal.Visible(l.Says)}, shownEvidence(&l, columns == 0)...)
		lines = append(lines, table.Fact{Name: string(l.Contract), Parts: parts})
	}
	body = append(body, table.Blank{}, lines, table.Blank{}, probedFacts(&p.Probed, p.Calls))
	if len(p.Notes)+len(p.Advice) > 0 {
		body = append(body, table.Blank{}, layout.WarningList(p.Notes))
	}
	return append(body, adviceBlocks(p.Advice)...)
}

// glimpse is the number of characters of a contract's evidence where nothing is wrong.
const glimpse = 60

// shownEvidence returns the evidence of a contract: all on a page, of what is broken or refused,
// and of who serves; otherwise a glimpse of the first.
func shownEvidence(l *preflight.Line, page bool) (shown []string) {
	whole := page || l.State == preflight.Broken || l.State == preflight.NotOffered || l.Contract == preflight.Upstream || l.Contract == preflight.Finish
	for _, e := range l.Evidence {
		e = terminal.Visible(e)
		if whole {
			shown = append(shown, e)
			continue
		}
		if part, more := terminal.Excerpt(e, glimpse); more > 0 {
			e = part + "…"
		}
		return []string{e}
	}
	return shown
}

// adviceBlocks are the commands that a result recommends.
func adviceBlocks(advice []result.Advice) (blocks []table.Block) {
	for _, a := range advice {
		blocks = append(blocks, table.Paragraph{Text: terminal.Visible(a.Text)})
		if a.Command != "" {
			blocks = append(blocks, table.Command(terminal.Visible(a.Command)))
		}
	}
	return blocks
}

// probedFacts are the figures of every test of one endpoint.
func probedFacts(p *result.Probed, calls int) table.Facts {
	parts := append(checkedRunParts(p.Run), number.Plural(int64(calls), "call", "calls"))
	list := table.Facts{{Name: "endpoint", Parts: parts}}
	if cost := layout.CostWords(p.Cost); len(cost) > 0 && p.Paid {
		list = append(list, table.Fact{Name: "cost", Parts: cost})
	}
	return list
}

// preflightState is a state as it is printed: a broken contract is seen at once.
func preflightState(s preflight.State) string {
	if s == preflight.Broken {
		return "BROKEN"
	}
	return string(s)
}

func preflightWord(w preflight.Word) (string, terminal.Paint) {
	switch w {
	case preflight.AllHeld:
		return "HELD", terminal.Good
	case preflight.SomeBroke:
		return "BROKEN", terminal.Bad
	}
	return "UNDECIDED", terminal.Alert
}

// PreflightSentence says the verdict in words.
func PreflightSentence(p *result.Preflight) string {
	held, broken, open := p.Count(preflight.Held), p.Count(preflight.Broken), p.Count(preflight.Unanswered)
	text := fmt.Sprintf("%s held", number.Plural(int64(held), "contract", "contracts"))
	var names []string
	for _, l := range p.Lines {
		if l.State == preflight.Broken {
			names = append(names, string(l.Contract))
		}
	}
	if broken > 0 {
		text += fmt.Sprintf(", %d broken: %s", broken, strings.Join(names, ", "))
	}
	if open > 0 {
		text += fmt.Sprintf("; %d without a reply", open)
	}
	return text + "."
}

// preflightData has a row for each contract.
func preflightData(p *result.Preflight) *table.Table {
	t := layout.DataTable("number", "contract", "state", "says", "calls", "evidence", "model")
	for _, l := range p.Lines {
		t.Add(strconv.Itoa(l.Number), string(l.Contract), string(l.State), terminal.Visible(l.Says), strconv.Itoa(l.Calls), terminal.Visible(strings.Join(l.Evidence, " · ")), terminal.Visible(p.Run.Model))
	}
	return t
}

// preflightTests has a test for each contract: a failure where it is broken, an error where
// there is no reply, and skipped where it could not be tested.
func preflightTests(p *result.Preflight) []table.Suite {
	took := strconv.FormatFloat(p.Seconds, 'f', 3, 64)
	suite := table.Suite{Name: "verbatim preflight", Time: took, Timestamp: p.Started.UTC().Format("2006-01-02T15:04:05")}
	for _, l := range p.Lines {
		test := table.Case{Class: "verbatim.preflight", Name: string(l.Contract) + " · " + terminal.Visible(p.Run.Model), Time: "0"}
		text := terminal.Visible(l.Says)
		for _, e := range l.Evidence {
			text += "\n" + terminal.Visible(e)
		}
		outcome := &table.Outcome{Message: terminal.Visible(l.Says), Type: string(l.State), Text: text}
		switch l.State {
		case preflight.Broken:
			test.Failure = outcome
		case preflight.Unanswered:
			test.Error = outcome
		case preflight.NotOffered, preflight.NotTestable:
			test.Skipped = outcome
		default:
			test.Out = text
		}
		suite.Cases = append(suite.Cases, test)
	}
	return []table.Suite{suite}
}
