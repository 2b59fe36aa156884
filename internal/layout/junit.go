package layout

import (
	"fmt"
	"slices"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// reportTests returns a suite for each family of each run, with a test for each of its lines.
//
// A test fails if the exact share of its answers is less than under; without under, none fails. It
// is an error if nothing was answered, or if the share of the answers is high enough, but the
// share of all planned requests is not.
func reportTests(r *report.Report, under *float64) []table.Suite {
	var all []table.Suite
	for i := range r.Runs {
		b := &r.Runs[i]
		for j := range b.Families {
			suite := familySuite(b, &b.Families[j], under)
			for _, w := range slices.Concat(b.Warnings, r.Warnings) {
				suite.Properties = append(suite.Properties, table.Property{Name: "warning", Value: terminal.Visible(w.Text)})
			}
			all = append(all, suite)
		}
	}
	return all
}

func familySuite(b *report.Block, f *report.Family, under *float64) table.Suite {
	suite := table.Suite{
		Name: terminal.Visible(b.Head.Name) + " " + terminal.Visible(f.Name),
		Properties: []table.Property{
			{Name: "run", Value: terminal.Visible(b.Head.Name)}, {Name: "model", Value: terminal.Visible(b.Head.Model)}, {Name: "family", Value: terminal.Visible(f.Name)}, {Name: "plan", Value: terminal.Visible(b.Head.Plan)},
			{Name: "edition", Value: terminal.Visible(string(b.Head.Edition))}, {Name: "seed", Value: strconv.FormatUint(b.Head.Seed, 10)},
		},
	}
	if b.Head.Note != "" {
		suite.Properties = append(suite.Properties, table.Property{Name: "note", Value: terminal.Visible(b.Head.Note)})
	}
	if under != nil {
		suite.Properties = append(suite.Properties, table.Property{Name: "fail_under", Value: number.Plain(*under)})
	}
	if b.Head.Started != nil {
		suite.Timestamp = b.Head.Started.UTC().Format("2006-01-02T15:04:05")
	}
	for i := range f.Lines {
		suite.Cases = append(suite.Cases, lineCase(&f.Lines[i], b, f, under))
	}
	return suite
}

func lineCase(l *report.Line, b *report.Block, f *report.Family, under *float64) table.Case {
	test := table.Case{
		Class: terminal.Visible(b.Head.Model) + "." + terminal.Visible(f.Name), Name: "all lengths", Properties: lineProperties(l),
		Out: fmt.Sprintf("exact %s %% of %s (95 %%: %s), extracted %s %%, score %s", number.Percent(l.Exact.Share), answersTo(l), number.PercentRange(l.Exact.Low, l.Exact.High, 1), number.Percent(l.Extracted.Share), number.Score(l.Score.Value)),
	}
	if l.Length != "" {
		test.Name = "length " + terminal.Visible(l.Length)
	}
	for _, c := range l.Failures {
		test.Out += fmt.Sprintf("\n%s: %d", terminal.Visible(c.Name), c.N)
	}
	switch e := &l.Exact; {
	case e.Share == nil:
		test.Error = &table.Outcome{Message: "no request was answered", Type: "unanswered"}
	case under == nil:
	case *e.Share < *under:
		test.Failure = &table.Outcome{Message: fmt.Sprintf("%s %% are exact, less than %s %%", number.Percent(e.Share), number.Percent(under)), Type: "fail-under", Text: test.Out}
	case e.OfPlanned != nil && *e.OfPlanned < *under:
		test.Error = &table.Outcome{Message: fmt.Sprintf("%s %% of the answers are exact, but too few were answered: only %s %% of all that was planned are", number.Percent(e.Share), number.Percent(e.OfPlanned)), Type: "unanswered", Text: test.Out}
	}
	return test
}

// answersTo prints the number of answers of a line, and of items if these have several trials.
func answersTo(l *report.Line) string {
	s := number.Plural(l.Answered, "answer", "answers")
	if l.Exact.Repeated() {
		s += " to " + number.Plural(l.Exact.Items, "item", "items")
	}
	return s
}

// lineProperties returns the figures of a line for programs, without unknown ones.
func lineProperties(l *report.Line) []table.Property {
	list := []table.Property{{Name: "items", Value: strconv.FormatInt(l.Exact.Items, 10)}, {Name: "answered", Value: strconv.FormatInt(l.Answered, 10)}, {Name: "unanswered", Value: strconv.FormatInt(l.Unanswered, 10)}, {Name: "exact", Value: strconv.FormatInt(l.Exact.N, 10)}}
	for _, p := range []struct {
		name  string
		value *float64
	}{
		{"exact_share", l.Exact.Share}, {"exact_low", l.Exact.Low}, {"exact_high", l.Exact.High}, {"exact_of_planned", l.Exact.OfPlanned},
		{"extracted_share", l.Extracted.Share}, {"score", l.Score.Value}, {"seconds_median", l.Seconds.Median},
	} {
		if p.value != nil {
			list = append(list, table.Property{Name: p.name, Value: strconv.FormatFloat(*p.value, 'f', 6, 64)})
		}
	}
	return list
}
