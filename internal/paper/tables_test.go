package paper

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

func at(v float64) *float64 { return &v }

// tableLine is a line of a report, with n of 8 answers right.
func tableLine(family, length string, n int64) report.Line {
	l := report.Line{Family: family, Length: length, Answered: 8, Exact: report.Rate{N: n, Of: 8, Share: at(float64(n) / 8), Low: at(0.1), High: at(0.95)},
		Extracted: report.Rate{N: 8, Of: 8, Share: at(1)}, Score: report.Mean{Value: at(0.875), N: 8}}
	for i, o := range verbatim.Outcomes() {
		l.Outcomes = append(l.Outcomes, report.Count{Name: string(o), N: int64(i) * 1000})
	}
	return l
}

// twoRuns is a report with all that its tables hold.
func twoRuns() *report.Report {
	r := &report.Report{Confidence: 0.95, Command: "verbatim report 1 2"}
	for _, model := range []string{"alpha_1", "beta & <b>\x1b"} {
		r.Runs = append(r.Runs, report.Block{
			Head:     report.Head{Name: model + "-run", Model: model, Note: "simulated"},
			Families: []report.Family{{Name: "reverse", Lines: []report.Line{tableLine("reverse", "8", 8), tableLine("reverse", "16", 5)}}, {Name: "copy", Lines: []report.Line{tableLine("copy", "9–16", 0), {Family: "copy", Length: "32"}}}},
			Total:    tableLine("", "", 6),
		})
	}
	r.Leaderboard = &verdict.Leaderboard{Metric: "score", Confidence: 0.95, Paired: false, Places: []verdict.RankPlace{
		{RunInfo: verdict.RunInfo{Name: "a-1", Model: "alpha_1"}, Items: 8, Mean: 0.9, Range: verdict.Range{Low: 0.8, High: 0.97}, Rank: 1, RankLow: 1, RankHigh: 2, RankProbabilities: []float64{0.9, 0.1}},
		{RunInfo: verdict.RunInfo{Name: "b-1", Model: "beta"}, Items: 8, Mean: 0.5, Range: verdict.Range{Low: 0.4, High: 0.6}, Rank: 2, RankLow: 2, RankHigh: 2},
	}}
	r.Comparisons = []*verdict.Comparison{{
		A: verdict.ComparedRun{RunInfo: verdict.RunInfo{Name: "a-1", Model: "same"}, SideResult: verdict.SideResult{Mean: 0.9}}, B: verdict.ComparedRun{RunInfo: verdict.RunInfo{Name: "a-2", Model: "same"}, SideResult: verdict.SideResult{Mean: 0.5}},
		Metric: "score", Rope: 0.02, Confidence: 0.95, Items: 1440,
		Verdict: verdict.Verdict{Word: verdict.Worse, Difference: verdict.Difference{Value: -0.4, Range: verdict.Range{Low: -0.45, High: -0.35}, Worse: 1, Equivalent: 0, Better: 0}},
	}}
	return r
}

// TestReportTables holds the tables of an ordinary report as LaTeX.
func TestReportTables(t *testing.T) {
	var b bytes.Buffer
	if err := LaTeX(&b, Report(twoRuns()), terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "report.latex")
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; if the file is new, run with -update", err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("differs from %s; run with -update and read the difference:\n%s", path, b.String())
	}
	names := ""
	for _, table := range tables(twoRuns()) {
		names += table.Name + " "
		for _, r := range table.Rows {
			if len(r.Cells) != len(table.Columns) || r.Key == "" {
				t.Errorf("%s: %d cells for %d columns, key %q", table.Name, len(r.Cells), len(table.Columns), r.Key)
			}
		}
	}
	if names != "headline leaderboard exact-1 exact-2 outcomes comparison " {
		t.Error(names)
	}
	if list := tables(&report.Report{}); len(list) != 0 {
		t.Errorf("%d tables of nothing", len(list))
	}
	if !strings.Contains(b.String(), "a-1 & a-2") {
		t.Error("two runs of one model have the same name")
	}
}

// TestTrialsInTables: n is items × trials where items have several trials.
func TestTrialsInTables(t *testing.T) {
	r := twoRuns()
	for _, l := range []*report.Line{&r.Runs[0].Total, &r.Runs[0].Families[0].Lines[0]} {
		l.Exact.Items = 4
	}
	var b bytes.Buffer
	if err := LaTeX(&b, Report(r), terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`reverse & 8 & 4$\times$2 & `, `All &  & 4$\times$2 & `, `items $\times$ trials`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q:\n%s", want, b.String())
		}
	}
}

// TestUnranked: a model that has no rank is shown without one.
func TestUnranked(t *testing.T) {
	r := twoRuns()
	last := &r.Leaderboard.Places[len(r.Leaderboard.Places)-1]
	last.Rank, last.RankLow, last.RankHigh, last.RankProbabilities, last.Unranked = 0, 0, 0, nil, "it is built into this program"
	rows := tables(r)[1].Rows
	if got := rows[len(rows)-1].Cells[0]; got != Missing {
		t.Errorf("the table has the rank %q", got)
	}
	drawn := find(t, Charts(r), "leaderboard").Figure.Panels[0].Rows
	if got := drawn[len(drawn)-1].Note; got != "not ranked" {
		t.Errorf("the figure says %q", got)
	}
	last.Items, last.Mean, last.Range = 0, 0, verdict.Range{}
	row := tables(r)[1].Rows[len(rows)-1]
	if got := strings.Join(row.Cells[2:4], " "); got != Missing+" "+Missing {
		t.Errorf("without an answer, the table has the mean and the interval %q", got)
	}
	for _, v := range row.Values {
		if v.Column == "mean" || v.Column == "low" || v.Column == "high" {
			t.Errorf("without an answer, the numbers have %s %g", v.Column, v.Number)
		}
	}
	if got := find(t, Charts(r), "leaderboard").Text; !strings.Contains(got, last.Model+" has no answer") {
		t.Errorf("without an answer, the figure is described as %q", got)
	}
}
