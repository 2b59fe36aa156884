package layout

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"

	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/table/tabletest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/earlystop"
)

// hostile is what a server or a file may call things.
const hostile = "m\x1b[31m]]>\x00\u202e|`<b>&amp;\"'\n# head\xff"

func number64(v float64) *float64 { return &v }

// checked is a failed check in which every name is hostile.
func checked() *report.Check {
	n := 70
	c := &report.Check{
		Kind: "check",
		Result: &earlystop.Result{
			Word: verdict.Worse, Scope: earlystop.Endpoint, Bound: 0.05, Alpha: 0.05, Finished: true,
			Items: 240, Allowed: 240, Sent: 32, Pairs: 24, Block: 4, Unanswered: 1, Missing: 2, Unscored: 1, ItemsNeeded: &n,
			BaselineMean: number64(0.9), ModelMean: number64(0.4), Difference: number64(-0.5), Limits: &[2]float64{0, 0.04},
			Scopes:        []earlystop.ScopeResult{{Scope: earlystop.Endpoint, Word: verdict.Worse, At: 24, Range: verdict.Range{Low: -0.8, High: -0.1}}},
			Deciding:      &earlystop.DecidingInterval{Kind: earlystop.Anytime, Range: verdict.Range{Low: -0.8, High: -0.1}, Confidence: 0.95},
			BaselineError: &earlystop.BaselineError{SE: 0.03, Trials: 1, TrialsNeeded: 6},
			Changes: earlystop.Changes{Lost: 12, Gained: 1, First: []earlystop.Change{
				{Item: hostile, Before: "pass", Now: "other"}, {Item: "b", Right: true, Before: "other", Now: "pass"}}},
		},
		Against: report.CheckedRun{N: 1, Name: hostile, Model: hostile, Note: "", Ref: "1"}, Run: report.CheckedRun{N: 2, Name: hostile, Model: hostile, Note: "simulated", Ref: "2"},
		Ended: hostile, ExitCode: 3, Again: "verbatim check " + hostile,
		Started: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Seconds: 1.5,
	}
	c.Complete()
	return c
}

// states are checks of every verdict.
func states() map[string]*report.Check {
	all := map[string]*report.Check{"worse": checked()}
	add := func(name string, change func(*report.Check)) {
		c := checked()
		c.Notes, c.Advice, c.Saved = nil, nil, 0
		change(c)
		c.Complete()
		all[name] = c
	}
	add("pass", func(c *report.Check) {
		c.Word, c.ExitCode, c.FinalLook, c.Checks = verdict.Pass, 0, true, 3
		c.Deciding = &earlystop.DecidingInterval{Kind: earlystop.Final, Range: verdict.Range{Low: -0.04, High: 0.03}, Confidence: 0.95}
	})
	add("until", func(c *report.Check) { c.Word, c.ExitCode, c.Kind = verdict.Better, 0, "until-verdict" })
	add("equivalent", func(c *report.Check) { c.Word, c.ExitCode, c.Kind = verdict.Equivalent, 0, "until-verdict" })
	add("undecided", func(c *report.Check) { c.Word, c.ExitCode = verdict.Inconclusive, 4 })
	add("far", func(c *report.Check) { c.Word, c.ExitCode, c.ItemsNeeded = verdict.Inconclusive, 4, nil })
	add("used up", func(c *report.Check) { c.Word, c.ExitCode, c.Sent = verdict.Inconclusive, 4, 238 })
	add("not over", func(c *report.Check) { c.Word, c.ExitCode, c.Finished = verdict.Inconclusive, 4, false })
	add("unanswered", func(c *report.Check) { c.Word, c.Reason, c.ExitCode = verdict.Withheld, earlystop.ReasonUnanswered, 4 })
	add("limits", func(c *report.Check) { c.Word, c.Reason, c.ExitCode = verdict.Withheld, earlystop.ReasonTruncated, 4 })
	add("nothing", func(c *report.Check) {
		c.Result = &earlystop.Result{Word: verdict.Inconclusive, Items: 240, Allowed: 240, Block: 1,
			Scopes: []earlystop.ScopeResult{{Scope: earlystop.Endpoint, Word: verdict.Inconclusive, Range: verdict.Range{Low: -1, High: 1}}}}
		c.ExitCode = 1
	})
	return all
}

// TestCheckIsHarmless: no format lets through what could steer a terminal, end an
// element or begin markup, whatever things are called.
func TestCheckIsHarmless(t *testing.T) {
	for name, c := range states() {
		for _, f := range []struct {
			format string
			write  func(io.Writer, *report.Check) error
		}{
			{"text", func(w io.Writer, c *report.Check) error {
				return tabletest.Write(w, "text", Check(c, Options{}), terminal.Style{})
			}},
			{"markdown", func(w io.Writer, c *report.Check) error {
				return tabletest.Write(w, "md", Check(c, Options{}), terminal.Style{})
			}},
			{"junit", func(w io.Writer, c *report.Check) error {
				return tabletest.Write(w, "junit", Check(c, Options{}), terminal.Style{})
			}},
			{"csv", func(w io.Writer, c *report.Check) error {
				return tabletest.Write(w, "csv", Check(c, Options{}), terminal.Style{})
			}},
			{"json", func(w io.Writer, c *report.Check) error {
				return tabletest.Write(w, "json", Check(c, Options{}), terminal.Style{})
			}},
		} {
			var b bytes.Buffer
			if err := f.write(&b, c); err != nil {
				t.Fatalf("%s, %s: %v", name, f.format, err)
			}
			for _, r := range b.String() {
				if r != '\n' && !unicode.IsPrint(r) {
					t.Errorf("%s, %s: %U in\n%s", name, f.format, r, b.String())
					break
				}
			}
			switch f.format {
			case "json":
				if !json.Valid(b.Bytes()) {
					t.Errorf("%s: no JSON:\n%s", name, b.String())
				}
			case "markdown":
				for line := range strings.Lines(b.String()) {
					if !strings.HasPrefix(line, "    ") && (strings.Contains(line, "<b>") || strings.HasPrefix(line, "# ")) {
						t.Errorf("%s: %q", name, line)
					}
				}
			case "text":
				for line := range strings.Lines(b.String()) {
					if terminal.Width(strings.TrimSuffix(line, "\n")) > 80 && !strings.Contains(line, " verbatim ") {
						t.Errorf("%s: a line of more than 80 columns: %q", name, line)
					}
				}
			}
		}
	}
}

// TestCheckJUnit reads reports back as CI systems do.
func TestCheckJUnit(t *testing.T) {
	for name, want := range map[string]struct{ failures, errors int }{
		"worse": {1, 0}, "pass": {0, 0}, "undecided": {0, 1}, "unanswered": {0, 1}, "nothing": {0, 1},
	} {
		var b bytes.Buffer
		if err := tabletest.Write(&b, "junit", Check(states()[name], Options{}), terminal.Style{}); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Suite    struct {
				Name     string `xml:"name,attr"`
				Time     string `xml:"time,attr"`
				Stamp    string `xml:"timestamp,attr"`
				Failures int    `xml:"failures,attr"`
				Errors   int    `xml:"errors,attr"`
				Case     struct {
					Name    string `xml:"name,attr"`
					Failure *struct {
						Message string `xml:"message,attr"`
						Text    string `xml:",chardata"`
					} `xml:"failure"`
					Error *struct{} `xml:"error"`
				} `xml:"testcase"`
				Properties []struct {
					Name  string `xml:"name,attr"`
					Value string `xml:"value,attr"`
				} `xml:"properties>property"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Tests != 1 || got.Failures != want.failures || got.Errors != want.errors || got.Suite.Failures != want.failures || got.Suite.Errors != want.errors {
			t.Errorf("%s: %+v", name, got)
		}
		if (got.Suite.Case.Failure != nil) != (want.failures == 1) || (got.Suite.Case.Error != nil) != (want.errors == 1) {
			t.Errorf("%s: the text of the case is not the summary", name)
		}
		if f := got.Suite.Case.Failure; f != nil && (!strings.Contains(f.Message, "is worse") || !strings.Contains(f.Text, "-0.500 in score")) {
			t.Errorf("%s: %+v", name, f)
		}
		if got.Suite.Time != "1.500" || got.Suite.Stamp != "2026-03-01T12:00:00" {
			t.Errorf("%s: %s at %s", name, got.Suite.Time, got.Suite.Stamp)
		}
	}
}

// TestCheckPolicy: an undecided check that is counted as failed is a failure in the
// report, one that is allowed is no failure.
func TestCheckPolicy(t *testing.T) {
	for code, want := range map[int]string{0: `failures="0" errors="0"`, 3: `failures="1" errors="0"`, 4: `failures="0" errors="1"`} {
		c := states()["undecided"]
		c.ExitCode = code
		var b bytes.Buffer
		if err := tabletest.Write(&b, "junit", Check(c, Options{}), terminal.Style{}); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("exit code %d: %v\n%s", code, err, b.String())
		}
	}
}

// TestCheckGolden shows a check as a terminal of 80 columns does, and what the
// other verdicts say in words.
func TestCheckGolden(t *testing.T) {
	var b strings.Builder
	for i, name := range []string{"worse", "until", "pass", "equivalent", "undecided", "far", "used up", "not over", "unanswered", "limits", "nothing"} {
		c := states()[name]
		c.Against.Name, c.Against.Model, c.Run.Name, c.Run.Model = "model-abc123-1", "chat:model", "other-abc123-1", "chat:other"
		c.Ended, c.Notes, c.Advice = "", nil, nil
		c.Again = "verbatim check --baseline 1 --model chat:other"
		for i := range c.Changes.First {
			c.Changes.First[i].Item = "reverse@1/len=16/seed=1/" + string(rune('0'+i))
		}
		c.Complete()
		b.WriteString("=== " + name + "\n")
		if i < 2 {
			if err := tabletest.Write(&b, "text", Check(c, Options{}), terminal.Style{}); err != nil {
				t.Fatal(err)
			}
			continue
		}
		b.WriteString(checkSentence(c) + "\n")
		for _, a := range c.Advice {
			b.WriteString(a.Text + " " + a.Command + "\n")
		}
	}
	terminaltest.Golden(t, *update, "check.txt", []byte(b.String()))
}

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
