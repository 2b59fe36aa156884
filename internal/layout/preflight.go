package layout

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/preflight"
)

// Preflight returns the document of the contracts of an endpoint: the verdict, then a line for each
// contract, with the bytes that show a broken one.
func Preflight(p *report.Preflight, o Options) *table.Document {
	return &table.Document{
		Title: "verbatim preflight", Value: p, Raw: o.Raw,
		Data:  func() *table.Table { return preflightData(p) },
		Body:  func(columns int) []table.Block { return preflightBody(p, columns) },
		Tests: func() []table.Suite { return preflightTests(p) },
	}
}

func preflightBody(p *report.Preflight, columns int) []table.Block {
	word, paint := preflightWord(p.Word)
	body := append(conclusion{"preflight", word, preflightSentence(p), paint}.blocks(columns), endedBlocks(p.Ended)...)
	var lines table.Facts
	for _, l := range p.Lines {
		parts := append([]string{preflightState(l.State), terminal.Visible(l.Says)}, shownEvidence(&l, columns == 0)...)
		lines = append(lines, table.Fact{Name: string(l.Contract), Parts: parts})
	}
	body = append(body, table.Blank{}, lines, table.Blank{}, probedFacts(&p.Probed, p.Calls))
	return append(body, adviceBlocks(p.Notes, p.Advice)...)
}

// excerptLength is the number of characters that are shown of the evidence of a contract that holds.
const excerptLength = 60

// shownEvidence returns the evidence of a contract. On a page it is complete, and so it is if the
// contract is broken or not offered, and for those that say which server answers and how replies
// end. Otherwise it is an excerpt of the first piece.
func shownEvidence(l *preflight.Line, page bool) (shown []string) {
	whole := page || l.State == preflight.Broken || l.State == preflight.NotOffered || l.Contract == preflight.Upstream || l.Contract == preflight.Finish
	for _, e := range l.Evidence {
		e = terminal.Visible(e)
		if whole {
			shown = append(shown, e)
			continue
		}
		if part, more := terminal.Excerpt(e, excerptLength); more > 0 {
			e = part + "…"
		}
		return []string{e}
	}
	return shown
}

// probedFacts returns the facts that all tests of one endpoint have: the endpoint, the calls and the
// cost.
func probedFacts(p *report.Probed, calls int) table.Facts {
	parts := append(checkedRunParts(p.Run), number.Plural(int64(calls), "call", "calls"))
	list := table.Facts{{Name: "endpoint", Parts: parts}}
	if cost := costWords(p.Cost); len(cost) > 0 && p.Paid {
		list = append(list, table.Fact{Name: "cost", Parts: cost})
	}
	return list
}

// preflightState prints a state. A broken contract is in capitals, to be seen at once.
func preflightState(s preflight.State) string {
	if s == preflight.Broken {
		return "BROKEN"
	}
	return string(s)
}

// preflightWord prints the verdict in a word.
func preflightWord(w preflight.Word) (string, terminal.Paint) {
	switch w {
	case preflight.AllHeld:
		return "HELD", terminal.Good
	case preflight.SomeBroke:
		return "BROKEN", terminal.Bad
	}
	return "UNDECIDED", terminal.Alert
}

// preflightSentence counts the contracts that hold, and names the broken ones.
func preflightSentence(p *report.Preflight) string {
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
func preflightData(p *report.Preflight) *table.Table {
	t := dataTable("number", "contract", "state", "says", "calls", "evidence", "model")
	for _, l := range p.Lines {
		t.Add(strconv.Itoa(l.Number), string(l.Contract), string(l.State), terminal.Visible(l.Says), strconv.Itoa(l.Calls), terminal.Visible(strings.Join(l.Evidence, " · ")), terminal.Visible(p.Run.Model))
	}
	return t
}

// preflightTests returns a suite with a test for each contract. It is a failure if the contract is
// broken, an error without a reply, and skipped if it could not be tested.
func preflightTests(p *report.Preflight) []table.Suite {
	suite := newSuite("preflight", p.Seconds, p.Started)
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
