package layout

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
	"verbatim/internal/table/tabletest"

	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// TestJUnitTrials: trials of an item are not printed as items.
func TestJUnitTrials(t *testing.T) {
	r := &report.Report{Runs: []report.Block{{Families: []report.Family{{Name: "copy", Lines: []report.Line{{Length: "8", Answered: 100, Exact: report.NewRate(89, 100, nil)}}}}}}}
	r.Runs[0].Families[0].Lines[0].Exact.Items = 20
	var b bytes.Buffer
	if err := tabletest.Write(&b, "junit", Report(r, Options{}), terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"exact 89.0 % of 100 answers to 20 items (95 %: ", `<property name="items" value="20">`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q:\n%s", want, b.String())
		}
	}
}

func TestJUnit(t *testing.T) {
	share := func(v float64) *float64 { return &v }
	line := func(length string, answered, exact int64, of, planned *float64) report.Line {
		return report.Line{Length: length, Answered: answered, Exact: report.Rate{N: exact, Of: answered, Share: of, Low: of, High: of, OfPlanned: planned}}
	}
	r := &report.Report{Runs: []report.Block{{
		Head: report.Head{Name: "m-1", Model: "org/m\x1b[31m<&>\"\u202e", Note: "simulated"},
		Families: []report.Family{{Name: "reverse", Lines: []report.Line{
			line("8", 10, 9, share(0.9), share(0.9)),
			line("16", 10, 7, share(0.7), share(0.7)),
			line("32", 5, 5, share(1), share(0.5)),
			line("64", 0, 0, nil, share(0)),
			line("", 4, 4, share(1), nil),
		}}},
	}}}
	r.Runs[0].Families[0].Lines[1].Failures = []report.Count{{Name: "case", N: 3}}
	for name, c := range map[string]struct {
		under            *float64
		failures, errors string
	}{
		"without": {nil, "", "64"},
		"0.8":     {share(0.8), "16", "32 64"},
		"0.95":    {share(0.95), "8 16", "32 64"},
		"0":       {share(0), "", "64"},
		"0.7":     {share(0.7), "", "32 64"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := tabletest.Write(&b, "junit", Report(r, Options{FailUnder: c.under}), terminal.Style{}); err != nil {
				t.Fatal(err)
			}
			if strings.ContainsAny(b.String(), "\x1b\u202e") || !strings.Contains(b.String(), "&lt;&amp;&gt;") {
				t.Errorf("not escaped:\n%s", b.String())
			}
			var got struct {
				Tests    int           `xml:"tests,attr"`
				Failures int           `xml:"failures,attr"`
				Errors   int           `xml:"errors,attr"`
				Suites   []table.Suite `xml:"testsuite"`
			}
			if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			var failures, errors []string
			for _, test := range got.Suites[0].Cases {
				length := strings.TrimPrefix(test.Name, "length ")
				if test.Failure != nil {
					failures = append(failures, length)
				}
				if test.Error != nil {
					errors = append(errors, length)
				}
			}
			if strings.Join(failures, " ") != c.failures || strings.Join(errors, " ") != c.errors {
				t.Errorf("failures %v, want %s; errors %v, want %s", failures, c.failures, errors, c.errors)
			}
			if got.Tests != 5 || got.Failures != len(failures) || got.Errors != len(errors) || got.Suites[0].Tests != 5 || got.Suites[0].Failures != len(failures) {
				t.Errorf("counted %d %d %d", got.Tests, got.Failures, got.Errors)
			}
			if out := got.Suites[0].Cases[1].Out; !strings.Contains(out, "exact 70.0 % of 10 answers (") || !strings.Contains(out, "case: 3") {
				t.Errorf("said %q", out)
			}
		})
	}
}
