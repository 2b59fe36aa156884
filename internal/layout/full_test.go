package layout

import (
	"bytes"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
	"verbatim/internal/verdict"
)

// fullReport holds something of all that a report can hold. The schema of reports is
// checked against it.
func fullReport(t *testing.T) *report.Report {
	t.Helper()
	r := samples(t)["variants"]
	compared := comparedSamples(t)["missing"]
	if len(compared.Comparisons) == 0 {
		t.Fatal("there is no comparison")
	}
	r.Comparisons = compared.Comparisons
	score, median, p95 := 0.75, 12.0, 90.5
	for i := range r.Runs {
		b := &r.Runs[i]
		b.ModelScore, b.Families[0].ModelScore = &score, &score
		tokens := report.Sizes{Mean: &p95, Min: &median, P25: &median, Median: &median, P75: &p95, P95: &p95, Max: &p95, Total: 1086, N: 12}
		b.Reasoning = []report.Reasoned{
			{Outcome: verbatim.Pass, Sizes: tokens, Texts: &report.ReasoningTexts{Characters: tokens, SecondThoughts: report.Marked{Total: 7, Answers: 3}, RepeatedLines: report.Marked{Total: 24, Answers: 12}}},
			{Outcome: verbatim.Wrong},
		}
		b.Contexts = []report.Context{{Window: 4096, Fit: 70, Of: 78}, {Window: 8192, Fit: 78, Of: 78}}
		b.Days = []report.Day{{Day: "2026-03-14", Line: b.Families[0].Total, Served: []report.Count{{Name: "small-1", N: 40}}}, {Day: "2026-03-15", Line: b.Families[1].Total, Served: nil}}
	}
	place := verdict.RankPlace{RunInfo: compared.Comparisons[0].A.RunInfo, Items: 78, Mean: 0.9, Range: verdict.Range{Low: 0.85, High: 0.95}, Rank: 1, RankLow: 1, RankHigh: 2, RankProbabilities: []float64{0.8, 0.2}, Indistinguishable: []int{1}}
	second := place
	second.RunInfo, second.Mean, second.Rank, second.RankProbabilities, second.Indistinguishable = compared.Comparisons[0].B.RunInfo, 0.8, 2, []float64{0.2, 0.8}, []int{0}
	third := second
	third.Mean, third.Rank, third.RankLow, third.RankHigh, third.RankProbabilities, third.Indistinguishable, third.Unanswered, third.Unranked = 0, 0, 0, 0, nil, nil, 0.5, "half of it has no answer"
	r.Leaderboard = &verdict.Leaderboard{Metric: "score", Confidence: 0.95, Paired: true, Items: 78, LeftOut: 2, Stratified: "cells", Places: []verdict.RankPlace{place, second, third},
		Ahead: [][]float64{{0.5, 0.8}, {0.2, 0.5}}, IndistinguishableSets: [][]int{{0, 1}}, Notes: []verdict.Note{{Kind: "left", Text: "2 items are left out."}}}
	r.Groups = &report.Grouping{By: []string{"family", "model"}, Groups: []report.Group{{Key: []string{"copy", "small\x1b[31m"}, Line: r.Runs[0].Families[1].Total,
		Mixed: []report.Mixed{{Fact: "prompt", Values: []report.Count{{Name: "2 shots", N: 39}, {Name: "as the items have it", N: 40}}}}}}, Warnings: []report.Warning{{Kind: "prompt", Text: "Records with different prompts are pooled."}}}
	r.Samples = &report.Samples{Each: 2, Of: 157}
	run := recordtest.Quick().Run(3)
	for _, n := range recordtest.Records() {
		r.Samples.List = append(r.Samples.List, report.Sample{View: recordview.New(run, n.Rec)})
	}
	r.Tool, r.Command = "0.1.0", "verbatim report 7 8 --format json"
	return r
}

func TestFullReport(t *testing.T) {
	r := fullReport(t)
	var out bytes.Buffer
	if err := writeReport("json")(&out, r, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if bad := terminaltest.Unsafe(out.String()); bad != "" {
		t.Errorf("JSON lets %s through", bad)
	}
	terminaltest.Golden(t, *update, "full.json", out.Bytes())
	for _, width := range []int{80, 200} {
		out.Reset()
		if err := writeReport("text")(&out, r, terminal.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Errorf("the text lets %s through", bad)
		}
	}
}
