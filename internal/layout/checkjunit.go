package layout

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// The elements of a JUnit report that CI systems agree on.
type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Time     string     `xml:"time,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Case       junitCase       `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// CheckJUnit writes the Check as the report of a test suite with one test, as CI
// systems read it: a failure where the model is worse, an error where there is no
// verdict, unless the exit code says that this is let pass or counts as failed. No
// control character and nothing unescaped is in it, whatever a server has said.
func CheckJUnit(w io.Writer, c *report.Check) error {
	took := strconv.FormatFloat(c.Seconds, 'f', 3, 64)
	suite := junitSuite{
		Name: "verbatim " + c.Kind, Tests: 1, Time: took, Timestamp: c.Started.UTC().Format("2006-01-02T15:04:05"),
		Properties: checkProperties(c),
		Case:       junitCase{Class: "verbatim." + c.Kind, Name: terminal.Visible(c.Run.Model) + " against " + terminal.Visible(c.Against.Name), Time: took},
	}
	text := checkPlainText(c)
	outcome := &junitOutcome{Message: CheckSentence(c), Type: checkTitle(c), Text: text}
	switch {
	case c.ExitCode == 0:
		suite.Case.Out = text
	case c.Word == verdict.Worse || c.ExitCode == 3:
		suite.Failures, suite.Case.Failure = 1, outcome
	default:
		suite.Errors, suite.Case.Error = 1, outcome
	}
	all := junitSuites{Name: "verbatim", Tests: 1, Failures: suite.Failures, Errors: suite.Errors, Time: took, Suite: suite}
	return writeXML(w, all)
}

// writeXML writes v as an indented document.
func writeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// checkProperties are the figures of the check, for machines.
func checkProperties(c *report.Check) []junitProperty {
	list := []junitProperty{
		{"verdict", string(c.Word)}, {"scope", string(c.Scope)}, {"bound", number.Plain(c.Bound)}, {"alpha", number.Plain(c.Alpha)},
		{"baseline", terminal.Visible(c.Against.Name)}, {"run", terminal.Visible(c.Run.Name)}, {"model", terminal.Visible(c.Run.Model)},
		{"score", metricWord(c.Metric)}, {"items", strconv.Itoa(c.Items)}, {"asked", strconv.Itoa(c.Sent)}, {"pairs", strconv.Itoa(c.Pairs)},
		{"unanswered", strconv.Itoa(c.Unanswered)}, {"calls_saved", strconv.Itoa(c.Saved)},
	}
	if c.Difference != nil {
		list = append(list,
			junitProperty{"difference", strconv.FormatFloat(*c.Difference, 'f', 6, 64)},
			junitProperty{"low", strconv.FormatFloat(c.Scopes[0].Low, 'f', 6, 64)},
			junitProperty{"high", strconv.FormatFloat(c.Scopes[0].High, 'f', 6, 64)})
	}
	return list
}

// checkPlainText is the Check as a pipe gets it.
func checkPlainText(c *report.Check) string {
	var b strings.Builder
	_ = CheckText(&b, c, terminal.Style{}) // a strings.Builder takes everything
	return "\n" + b.String()
}
