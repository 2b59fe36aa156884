package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/report"

	"verbatim/internal/verdict"
)

// three is a report of three runs by hand.
func three() *report.Report {
	r := new(report.Report)
	for i, model := range []string{"alpha", "beta", "gamma"} {
		r.Runs = append(r.Runs, report.Block{Head: report.Head{N: int64(i + 1), Name: model + "-1", Model: model, Seed: 7, Plan: "abc", Suite: "quick"}})
	}
	return r
}

func head(r *report.Report, run int) verdict.RunInfo {
	h := &r.Runs[run].Head
	return verdict.RunInfo{N: h.N, Name: h.Name, Model: h.Model}
}

// TestOrder wants runs by rank, and those without one behind.
func TestOrder(t *testing.T) {
	r := three()
	r.Leaderboard = &verdict.Leaderboard{Places: []verdict.RankPlace{{RunInfo: head(r, 2), Rank: 1, RankLow: 1, RankHigh: 2}, {RunInfo: head(r, 0), Rank: 2, RankLow: 2, RankHigh: 2}}}
	want := []string{"gamma 1–2", "alpha 2", "beta –"}
	var got []string
	for _, row := range headlineTable(report.HeadlineOf(r), runs(r)).Rows {
		got = append(got, string(row.Run.Name)+" "+row.Cells[0].Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the order is %v, not %v", got, want)
	}
	for _, c := range []struct {
		second int // best rank of the second place
		want   string
	}{{2, "gamma is first"}, {1, "gamma, alpha are indistinguishable"}} {
		r.Leaderboard.Places[1].RankLow = c.second
		l := lead(r, report.HeadlineOf(r), runs(r))[0]
		var names []string
		for _, n := range l.Names {
			names = append(names, string(n))
		}
		if got := strings.Join(names, ", ") + " " + l.Text; !strings.HasPrefix(got, c.want) {
			t.Errorf("it leads with %q, not with %q", got, c.want)
		}
	}
}

// TestDifferencesFromBaseline wants the differences of a comparison in the cells of their task and length.
func TestDifferencesFromBaseline(t *testing.T) {
	r := three()
	for i := range r.Runs {
		lines := []report.Line{{Length: "8", Lengths: &verbatim.Lengths{Min: 8, Max: 8}}, {Length: "32", Lengths: &verbatim.Lengths{Min: 32, Max: 32}}}
		r.Runs[i].Families = []report.Family{{Name: "copy", Lines: lines}, {Name: "reverse", Lines: lines}}
	}
	c := &verdict.Comparison{A: verdict.ComparedRun{RunInfo: head(r, 0)}, B: verdict.ComparedRun{RunInfo: head(r, 2)}, Verdict: verdict.Verdict{Word: verdict.Better},
		Cells:    []verdict.Cell{{Family: "reverse", Length: "32", Value: -0.25, OnlyA: 6, OnlyB: 1, P: 0.0703125}},
		Families: []verdict.Row{{Family: "reverse", Verdict: verdict.Verdict{Word: verdict.Worse, Difference: verdict.Difference{Value: -0.2, Range: verdict.Range{Low: -0.3, High: -0.1}}}}},
		Lengths:  []verdict.Row{{Length: "32", Verdict: verdict.Verdict{Word: verdict.Equivalent}}},
	}
	r.Comparisons = []*verdict.Comparison{c}
	views := familyViews(r, newBaselineIndex(r))
	lines := views[1].Lines
	if got := lines[1].Cells[2]; got.Difference != "-0.250" || got.Alone != "1" || got.Other != "6" || got.P != "0.070" || got.Word != "" {
		t.Errorf("gamma at reverse 32 is %+v", got)
	}
	if got := lines[1].Cells[0]; !got.Baseline || got.Difference != "" {
		t.Errorf("the baseline at reverse 32 is %+v", got)
	}
	if got := lines[0].Cells[2]; got.Difference != "" {
		t.Errorf("gamma at reverse 8, where it has no answers, is %+v", got)
	}
	if got := lines[2].Cells[2]; !lines[2].Total || got.Word != verdict.Worse || got.Interval != "-0.300 to -0.100" {
		t.Errorf("gamma at reverse as a whole is %+v", got)
	}
	if got := lines[1].Cells[1]; got.Difference != "" || got.Baseline {
		t.Errorf("beta, which is not compared, is %+v", got)
	}
	c.Families = nil
	// With one task, a row of a length is about just that place.
	for i := range r.Runs {
		r.Runs[i].Families = r.Runs[i].Families[1:]
	}
	if got := familyViews(r, newBaselineIndex(r))[0].Lines; got[1].Cells[2].Word != verdict.Equivalent || got[2].Cells[2].Word != verdict.Better {
		t.Errorf("of one task, gamma has the words %q and %q", got[1].Cells[2].Word, got[2].Cells[2].Word)
	}
}

// TestSums wants the total of a task next to its name where there is one run, and its one
// length where it has no other.
func TestSums(t *testing.T) {
	r, half, all := three(), 0.5, 1.0
	line := func(length int, share *float64) report.Line {
		return report.Line{Length: strconv.Itoa(length), Lengths: &verbatim.Lengths{Min: length, Max: length}, Exact: report.Rate{N: 1, Of: 2, Share: share}}
	}
	for i := range r.Runs {
		r.Runs[i].Families = []report.Family{
			{Name: "copy", Lines: []report.Line{line(8, &all), line(16, &half)}, Total: line(0, &half)},
			{Name: "reverse", Lines: []report.Line{line(8, &all)}, Total: line(0, &all)},
		}
	}
	for _, v := range familyViews(r, newBaselineIndex(r)) {
		if v.Sum != nil {
			t.Errorf("of three runs %s has the sum %+v", v.Name, v.Sum)
		}
	}
	r.Runs = r.Runs[:1]
	views := familyViews(r, newBaselineIndex(r))
	for i, want := range []string{"50.0", "100.0"} {
		if got := views[i].Sum; got == nil || got.Share != want {
			t.Errorf("%s has the sum %+v, want %s", views[i].Name, got, want)
		}
	}
}

// TestWarned wants a warning of several runs once, those about all runs first, and
// not more than a few unfolded.
func TestWarned(t *testing.T) {
	r := three()
	if v := newWarnings(r, runs(r)); v != nil {
		t.Errorf("without warnings there are %v", v)
	}
	r.Warnings = []report.Warning{{Text: "of all"}}
	for i := range r.Runs {
		r.Runs[i].Warnings = []report.Warning{{Text: "the same"}, {Text: "own " + r.Runs[i].Head.Model}}
		if i > 0 {
			r.Runs[i].Warnings = append(r.Runs[i].Warnings, report.Warning{Text: "of two"})
		}
	}
	r.Runs[1].Head.Note = "simulated"
	v := newWarnings(r, runs(r))
	if v.First[0].Text != "of all" || v.First[0].Runs != nil || v.First[1].Text != "the same" || v.First[1].Runs != nil {
		t.Errorf("the first warnings are %v", v.First)
	}
	for _, w := range append(v.First, v.More...) {
		if w.Text == "of two" && len(w.Runs) != 2 {
			t.Errorf("the warning of two runs is %v", w)
		}
	}
	if len(v.First) != openWarnings || len(v.First)+len(v.More) != 7 {
		t.Errorf("%d and %d warnings", len(v.First), len(v.More))
	}
}

// TestProvenance wants facts that all runs share once, and facts that are unknown of
// all runs not at all.
func TestProvenance(t *testing.T) {
	r := three()
	r.Runs[2].Head.Seed = 8
	v := newProvenance(r, runs(r))
	var same, differ []string
	for _, f := range v.Same {
		same = append(same, f.Name)
	}
	for _, row := range v.Differ.Rows {
		differ = append(differ, string(row.Head))
	}
	if !slices.Contains(same, "plan hash") || slices.Contains(same, "seed") || slices.Contains(same, "started") {
		t.Errorf("the same for all runs: %v", same)
	}
	if !slices.Contains(differ, "seed") || !slices.Contains(differ, "run") || slices.Contains(differ, "started") {
		t.Errorf("not the same for all runs: %v", differ)
	}
}

// TestBounded cuts between characters, and says that it did.
func TestBounded(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"abc", "abc"}, {"abcd", "abc…"}, {"äöüß", "äöü…"}, {"a\x00\x1bz", "a␀␛…"}, {"\xff\xfe\xfd\xfc", "⟨FF⟩⟨FE⟩⟨FD⟩…"},
	} {
		if got := bounded(c.text, 3); got != c.want {
			t.Errorf("%q becomes %q, not %q", c.text, got, c.want)
		}
	}
}

// TestAskedLengths wants the shortest and the longest length of all tasks, whatever the length
// of their labels.
func TestAskedLengths(t *testing.T) {
	r := three()
	at := func(low, high int) report.Line {
		l := verbatim.Lengths{Min: low, Max: high}
		return report.Line{Length: l.String(), Lengths: &l}
	}
	r.Runs[0].Families = []report.Family{{Name: "copy", Lines: []report.Line{at(2, 4), at(5, 8)}}, {Name: "sort", Lines: []report.Line{at(10, 10), at(100, 100)}}, {Name: "mine", Lines: []report.Line{{}}}}
	if got, want := fmt.Sprint(asked(r)), "lengths "+at(2, 4).Length+" to 100"; !strings.Contains(got, want) {
		t.Errorf("the plan is %s, without %q", got, want)
	}
}

// TestRepeatedWarningOfOneRun wants a warning that one of two runs has twice to be about this
// run, and not about both.
func TestRepeatedWarningOfOneRun(t *testing.T) {
	r := three()
	r.Runs = r.Runs[:2]
	r.Runs[0].Warnings = []report.Warning{{Text: "too few items"}, {Text: "too few items"}}
	got := newWarnings(r, runs(r)).First
	if len(got) != 1 || len(got[0].Runs) != 1 || got[0].Runs[0] != "alpha" {
		t.Errorf("the warnings are %+v", got)
	}
}
