package layout

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A junitReport is a Report in the elements that CI systems agree on.
type junitReport struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Name     string        `xml:"name,attr"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Errors   int           `xml:"errors,attr"`
	Suites   []junitFamily `xml:"testsuite"`
}

// A junitFamily is a family of one run.
type junitFamily struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitLine     `xml:"testcase"`
}

// A junitLine is a line of a family: a length, or a band of lengths.
type junitLine struct {
	Class      string          `xml:"classname,attr"`
	Name       string          `xml:"name,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Failure    *junitOutcome   `xml:"failure"`
	Error      *junitOutcome   `xml:"error"`
	Out        string          `xml:"system-out"`
}

// JUnit writes the Report as the report of a test suite, as CI systems read it: a
// suite for every family of every run, a test for every line of it.
//
// A test fails only where s.FailUnder asks for it: its exact share of the answers is
// below. It is an error, and neither passed nor failed, where nothing was answered; and
// where the answers suffice for FailUnder, but would not if what was planned and not
// answered were wrong. Nothing unescaped and no control character is in it, whatever
// wrote the names.
func JUnit(w io.Writer, r *report.Report, s terminal.Style) error {
	all := junitReport{Name: "verbatim"}
	for i := range r.Runs {
		b := &r.Runs[i]
		for j := range b.Families {
			suite := blockJUnit(b, &b.Families[j], s.FailUnder)
			for _, doubt := range slices.Concat(b.Warnings, r.Warnings) {
				suite.Properties = append(suite.Properties, junitProperty{"warning", terminal.Visible(doubt.Text)})
			}
			all.Tests += suite.Tests
			all.Failures += suite.Failures
			all.Errors += suite.Errors
			all.Suites = append(all.Suites, suite)
		}
	}
	return writeXML(w, all)
}

func blockJUnit(b *report.Block, f *report.Family, under *float64) junitFamily {
	suite := junitFamily{
		Name: terminal.Visible(b.Head.Name) + " " + terminal.Visible(f.Name), Tests: len(f.Lines),
		Properties: []junitProperty{
			{"run", terminal.Visible(b.Head.Name)}, {"model", terminal.Visible(b.Head.Model)}, {"family", terminal.Visible(f.Name)}, {"plan", terminal.Visible(b.Head.Plan)},
			{"edition", terminal.Visible(string(b.Head.Edition))}, {"seed", strconv.FormatUint(b.Head.Seed, 10)},
		},
	}
	if b.Head.Note != "" {
		suite.Properties = append(suite.Properties, junitProperty{"note", terminal.Visible(b.Head.Note)})
	}
	if under != nil {
		suite.Properties = append(suite.Properties, junitProperty{"fail_under", number.Plain(*under)})
	}
	if b.Head.Started != nil {
		suite.Timestamp = b.Head.Started.UTC().Format("2006-01-02T15:04:05")
	}
	for i := range f.Lines {
		test := lineJUnit(&f.Lines[i], b, f, under)
		switch {
		case test.Failure != nil:
			suite.Failures++
		case test.Error != nil:
			suite.Errors++
		}
		suite.Cases = append(suite.Cases, test)
	}
	return suite
}

func lineJUnit(l *report.Line, b *report.Block, f *report.Family, under *float64) junitLine {
	test := junitLine{
		Class: terminal.Visible(b.Head.Model) + "." + terminal.Visible(f.Name), Name: "all lengths", Properties: lineProperties(l),
		Out: fmt.Sprintf("exact %s %% of %d answered (95 %%: %s), extracted %s %%, score %s", number.Percent(l.Exact.Share), l.Answered, number.PercentRange(l.Exact.Low, l.Exact.High, 1), number.Percent(l.Extracted.Share), number.Score(l.Score.Value)),
	}
	if l.Length != "" {
		test.Name = "length " + terminal.Visible(l.Length)
	}
	for _, c := range l.Failures {
		test.Out += fmt.Sprintf("\n%s: %d", terminal.Visible(c.Name), c.N)
	}
	switch e := &l.Exact; {
	case e.Share == nil:
		test.Error = &junitOutcome{Message: "nothing was answered", Type: "unanswered"}
	case under == nil:
	case *e.Share < *under:
		test.Failure = &junitOutcome{Message: fmt.Sprintf("%s %% are exact, less than %s %%", number.Percent(e.Share), number.Percent(under)), Type: "fail-under", Text: test.Out}
	case e.OfPlanned != nil && *e.OfPlanned < *under:
		test.Error = &junitOutcome{Message: fmt.Sprintf("%s %% of the answers are exact, but too few were answered: only %s %% of all that was planned are", number.Percent(e.Share), number.Percent(e.OfPlanned)), Type: "unanswered", Text: test.Out}
	}
	return test
}

// lineProperties are the figures of a line, for machines; what is not known is left out.
func lineProperties(l *report.Line) []junitProperty {
	list := []junitProperty{{"answered", strconv.FormatInt(l.Answered, 10)}, {"unanswered", strconv.FormatInt(l.Unanswered, 10)}, {"exact", strconv.FormatInt(l.Exact.N, 10)}}
	for _, p := range []struct {
		name  string
		value *float64
	}{
		{"exact_share", l.Exact.Share}, {"exact_low", l.Exact.Low}, {"exact_high", l.Exact.High}, {"exact_of_planned", l.Exact.OfPlanned},
		{"extracted_share", l.Extracted.Share}, {"score", l.Score.Value}, {"seconds_median", l.Seconds.Median},
	} {
		if p.value != nil {
			list = append(list, junitProperty{p.name, strconv.FormatFloat(*p.value, 'f', 6, 64)})
		}
	}
	return list
}
