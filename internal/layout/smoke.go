package layout

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/smoke"
)

// Smoke returns the document of the test of an endpoint under load: the verdict, the rarest fault
// that would have been seen, the faults with the bytes that show them, and the counts of each
// phase.
func Smoke(s *report.Smoke, o Options) *table.Document {
	return &table.Document{
		Title: "verbatim smoke", Value: s, Raw: o.Raw,
		Data:  func() *table.Table { return smokeData(s) },
		Body:  func(columns int) []table.Block { return smokeBody(s, columns) },
		Tests: func() []table.Suite { return smokeTests(s) },
	}
}

func smokeBody(s *report.Smoke, columns int) []table.Block {
	paint := terminal.Alert
	switch s.Word {
	case smoke.Fault:
		paint = terminal.Bad
	case smoke.NoFault:
		paint = terminal.Good
	}
	body := conclusion{"smoke", strings.ToUpper(string(s.Word)), smokeSentence(s), paint}.blocks(columns)
	if s.Word == smoke.NoFault && s.Detectable != nil {
		body = append(body, table.Paragraph{Text: fmt.Sprintf("A fault in %s %% of the replies under load would have been seen with probability 0.8. Rarer ones are not excluded.", number.Percent(s.Detectable))})
	}
	body = append(body, endedBlocks(s.Ended)...)
	var facts table.Facts
	for _, f := range s.Failures {
		evidence, _ := terminal.Excerpt(f.Evidence, 300)
		facts = append(facts, table.Fact{Name: "fault", Parts: []string{string(f.Kind), fmt.Sprintf("call %d, %s", f.Call+1, f.Phase), terminal.Visible(evidence)}})
	}
	for _, p := range s.Phases {
		facts = append(facts, table.Fact{Name: string(p.Phase), Parts: []string{fmt.Sprintf("%d of %d calls answered", p.Replies, p.Planned), fmt.Sprintf("%d copies right", p.Right)}})
	}
	if t := s.Tools; t != nil {
		facts = append(facts, table.Fact{Name: "tools", Parts: toolParts(t)})
	}
	facts = append(facts, table.Fact{Name: "copies", Parts: []string{fmt.Sprintf("%d wrong under load that are right alone", s.WrongUnderLoad), "p " + number.Probability(s.P), "α " + number.Plain(s.Alpha)}})
	body = append(body, table.Blank{}, append(facts, probedFacts(&s.Probed, s.Calls)...))
	return append(body, adviceBlocks(s.Notes, s.Advice)...)
}

// toolParts counts the replies that call the tool.
func toolParts(t *smoke.Tools) []string {
	switch {
	case t.Replies == 0:
		return []string{"not offered"}
	case t.Called == 0:
		return []string{fmt.Sprintf("%d of %d calls answered", t.Replies, t.Planned), "all as text: the tool was never called"}
	}
	return []string{fmt.Sprintf("%d of %d calls answered", t.Replies, t.Planned), fmt.Sprintf("%d call the tool", t.Called), fmt.Sprintf("%d with the exact arguments", t.Right)}
}

// smokeSentence says the verdict of a smoke test in words.
func smokeSentence(s *report.Smoke) string {
	calls := number.Plural(int64(s.Calls), "call", "calls")
	switch {
	case len(s.Failures) > 0:
		f := s.Failures[0]
		return fmt.Sprintf("in %s: %s in call %d (%s). The cause is not known.", calls, f.Kind, f.Call+1, f.Phase)
	case s.Word == smoke.Fault:
		return fmt.Sprintf("in %s: %d copies are wrong under load that are right alone (p %s). The cause is not known.", calls, s.WrongUnderLoad, number.Probability(s.P))
	case s.Word == smoke.NoFault:
		return "in " + calls + ", up to 16 at once."
	}
	return fmt.Sprintf("%s so far, and %d without a reply.", calls, s.Missing)
}

// smokeData has one row with the numbers of a test.
func smokeData(s *report.Smoke) *table.Table {
	t := dataTable("verdict", "faults", "kinds", "wrong_under_load", "p", "alpha", "calls", "unanswered", "detectable_share", "right_alone", "right_loaded", "right_prefix", "tools_called", "tools_right", "model")
	var kinds []string
	for _, f := range s.Failures {
		kinds = append(kinds, string(f.Kind))
	}
	n := strconv.Itoa
	called, right := "", ""
	if s.Tools != nil {
		called, right = n(s.Tools.Called), n(s.Tools.Right)
	}
	t.Add(string(s.Word), n(len(s.Failures)), strings.Join(kinds, ", "), n(s.WrongUnderLoad), Float(&s.P), Float(&s.Alpha), n(s.Calls), n(s.Missing), Float(s.Detectable),
		n(s.Phases[0].Right), n(s.Phases[1].Right), n(s.Phases[2].Right), called, right, terminal.Visible(s.Run.Model))
	return t
}

// smokeTests returns a suite with one test. It is a failure after a fault, and an error if the test
// is undecided.
func smokeTests(s *report.Smoke) []table.Suite {
	suite := newSuite("smoke", s.Seconds, s.Started)
	test := table.Case{Class: "verbatim.smoke", Name: terminal.Visible(s.Run.Model), Time: suite.Time}
	outcome := &table.Outcome{Message: smokeSentence(s), Type: string(s.Word), Text: testText(smokeBody(s, terminal.Style{}.Columns()))}
	setOutcome(&test, outcome, s.Word == smoke.NoFault, s.Word == smoke.Fault)
	suite.Cases = []table.Case{test}
	return []table.Suite{suite}
}
