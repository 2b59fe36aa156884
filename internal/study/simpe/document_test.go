package simpe

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/study"
	"verbatim/internal/verdict"
)

// tried is a record of a test, for the tests below.
func tried(family string, length int, outcome verbatim.Outcome, seconds float64) verbatim.Record {
	rec := verbatim.Record{Item: &verbatim.Item{ID: "x", Facts: map[string]string{verbatim.FactFamily: family}}, Outcome: outcome}
	if length > 0 {
		rec.Item.Facts[verbatim.FactLength] = fmt.Sprint(length)
	}
	if outcome.Answered() {
		rec.Reply = &verbatim.Reply{Times: verbatim.Times{Total: time.Duration(seconds * 1e9)}}
		rec.Grade = &verbatim.Grade{Outcome: outcome, Label: map[bool]string{true: "pass", false: "case"}[outcome == verbatim.Pass], Exact: outcome == verbatim.Pass}
	} else if outcome == verbatim.Errored {
		rec.Failure = &verbatim.Failure{Class: verbatim.Overload}
	}
	return rec
}

func side(name, model string, recs ...verbatim.Record) verdict.Side {
	return verdict.Side{Run: verbatim.Run{Name: name, Model: model}, Records: func(yield func(verbatim.Record, error) bool) {
		for _, rec := range recs {
			if !yield(rec, nil) {
				return
			}
		}
	}}
}

func TestSimpE(t *testing.T) {
	d, err := document([]verdict.Side{
		side("a-1", "a",
			tried("reverse", 8, verbatim.Pass, 1), tried("reverse", 2, verbatim.Pass, 3), tried("reverse", 5, verbatim.Wrong, 2), tried("reverse", 8, verbatim.Errored, 0),
			tried("reverse", 9, verbatim.CutOff, 0), tried("reverse", 0, verbatim.Errored, 0), tried("reverse", 30, verbatim.Skipped, 0),
			tried("copy", 501, verbatim.Wrapped, 4), tried("copy", 50, verbatim.Pass, 0), tried("sort-int", 8, verbatim.Pass, 1)),
		side("b-1", "b", tried("add", 21, verbatim.Pass, 1)),
	}, "verbatim report")
	if err != nil {
		t.Fatal(err)
	}
	table := func(i int) string {
		var lines []string
		for _, r := range d.Tables[i].Rows {
			lines = append(lines, strings.Join(r.Cells, " | "))
			if len(r.Cells) != len(d.Tables[i].Columns) {
				t.Errorf("table %d: %d cells of %d", i+1, len(r.Cells), len(d.Tables[i].Columns))
			}
		}
		return strings.Join(lines, "\n")
	}
	for i, want := range []string{
		"Reversal | a | 6 | 3 | 2 | 66.7 | 21–94 | 33.3 | 10–70\n" +
			"Rehearsal | a | 2 | 2 | 1 | 50.0 | 9–91 | 50.0 | 9–91\n" +
			"Addition | b | 1 | 1 | 1 | 100.0 | 21–100 | 100.0 | 21–100",
		"Reversal | a | 2–8 | 4 | 3 | 2 | 66.7 | 21–94 | 50.0 | 15–85\n" +
			" |  | 9–16 | 1 | 0 | 0 | – | – | 0.0 | 0–79\n" +
			" |  | other | 1 | 0 | 0 | – | – | 0.0 | 0–79\n" +
			"Rehearsal | a | 10–50 | 1 | 1 | 1 | 100.0 | 21–100 | 100.0 | 21–100\n" +
			" |  | 501–600 | 1 | 1 | 0 | 0.0 | 0–79 | 0.0 | 0–79\n" +
			"Addition | b | 21–30 | 1 | 1 | 1 | 100.0 | 21–100 | 100.0 | 21–100",
		"Reversal | a | 2–8 | 3 | 2.000 | 1.500–2.500 | 3.000\n" +
			"Rehearsal | a | 501–600 | 1 | 4.000 | 4.000–4.000 | 4.000\n" +
			"Addition | b | 21–30 | 1 | 1.000 | 1.000–1.000 | 1.000",
		"Reversal | a | case | 1 | 16.7 | yes\n" +
			" |  | overload | 2 | 33.3 | no\n" +
			" |  | cut | 1 | 16.7 | no\n" +
			"Rehearsal | a | case | 1 | 50.0 | yes",
	} {
		if got := table(i); got != want {
			t.Errorf("table %d\n%s\nwant\n%s", i+1, got, want)
		}
	}
	f := d.Figures[0].Figure
	if len(f.Panels) != 3 || len(f.Panels[0].Lines) != 1 || f.Panels[1].X.Max != 600 || f.Panels[0].X.Max != 16 || f.Panels[2].X.Max != 30 {
		t.Errorf("figure %+v", f)
	}
	if p := f.Panels[0].Lines[0].Points; len(p) != 3 || p[0].X != 2 || p[0].Y != 100 || p[1].X != 7 || p[1].Y != 50 || !math.IsNaN(p[2].Y) {
		t.Errorf("points %+v", p)
	}
	if p := d.Figures[1].Figure.Panels[0].Lines[0].Points; p[1].Y != 1.5 || p[1].Low != 1.25 || p[1].High != 1.75 {
		t.Errorf("times %+v", p)
	}
	if !strings.Contains(strings.Join(d.Lead, "\n"), "Of a, one request of other families are left out.") && !strings.Contains(strings.Join(d.Lead, "\n"), "left out") {
		t.Errorf("lead %q", d.Lead)
	}
	for i, f := range d.Figures {
		if f.Text == "" || f.Number != i+1 || f.Name == "" {
			t.Errorf("figure %d: %+v", i, f)
		}
	}
}

// Every step of the curves is within a band, and together they are the bands.
func TestSimpESteps(t *testing.T) {
	for _, test := range tests() {
		at := test.bands[0].Min
		for _, step := range test.steps {
			inside := false
			for _, band := range test.bands {
				inside = inside || band.Min <= step.Min && step.Max <= band.Max
			}
			if !inside || step.Min != at {
				t.Errorf("%s: the step %s begins at %d and is in no band", test.title, step, at)
			}
			at = step.Max + 1
		}
		if last := test.bands[len(test.bands)-1].Max; at != last+1 {
			t.Errorf("%s: the steps end at %d, the bands at %d", test.title, at-1, last)
		}
	}
}

func TestNotSimpE(t *testing.T) {
	_, err := document([]verdict.Side{side("x-1", "m", tried("sort-int", 8, verbatim.Pass, 1))}, "")
	var not *study.Foreign
	if !errors.As(err, &not) || not.Error() != "run x-1 has no item of simpE: none of the families reverse, copy and add" || !not.Misuse() || not.Hint() == "" {
		t.Errorf("error %v", err)
	}
}

// The first row of a table has no rule above it, whichever test it is of.
func TestNoRuleAboveTheFirstRow(t *testing.T) {
	d, err := document([]verdict.Side{side("one", "m", tried("copy", 20, verbatim.Wrong, 1), tried("add", 5, verbatim.Pass, 1))}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range d.Tables {
		if table.Rows[0].Rule {
			t.Errorf("%s has a rule above its first row", table.Name)
		}
	}
	if shares := d.Tables[0].Rows; !shares[1].Rule {
		t.Error("the first row of the second test has no rule above it")
	}
}
