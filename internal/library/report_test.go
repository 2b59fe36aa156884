package library

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/verdict"
)

// ofPlan names a run of so many requests.
func ofPlan(hash string, requests int64, trials int) NamedRun {
	return NamedRun{SavedRun: SavedRun{Run: verbatim.Run{Plan: verbatim.Plan{Hash: hash, Count: requests, Trials: trials}}}}
}

// TestMatchable: the number of items that are matched in memory is bounded over all
// runs; runs of one plan without repeats are read side by side, however long.
func TestMatchable(t *testing.T) {
	for name, c := range map[string]struct {
		runs []NamedRun
		want bool
	}{
		"few":                       {[]NamedRun{ofPlan("a", 5, 1), ofPlan("b", 7, 2)}, true},
		"just so many":              {[]NamedRun{ofPlan("a", 60_000, 1), ofPlan("b", 40_000, 1)}, true},
		"one too many":              {[]NamedRun{ofPlan("a", 60_000, 1), ofPlan("b", 40_001, 1)}, false},
		"one plan":                  {[]NamedRun{ofPlan("a", 5_000_000, 1), ofPlan("a", 5_000_000, 1)}, true},
		"one plan with repeats":     {[]NamedRun{ofPlan("a", 60_000, 2), ofPlan("a", 60_000, 2)}, false},
		"a third one of other plan": {[]NamedRun{ofPlan("a", 60_000, 1), ofPlan("a", 60_000, 1), ofPlan("b", 1, 1)}, false},
	} {
		p := &Report{Report: &report.Report{}, Runs: c.runs, sides: make([]verdict.Side, len(c.runs))}
		if got := p.matchable(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if c.want {
			continue
		}
		if err := p.Rank(); err != nil || p.Leaderboard != nil || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0].Text, "neither ranked nor compared") {
			t.Errorf("%s: ranked: %v, warnings %v, %v", name, p.Leaderboard != nil, p.Warnings, err)
		}
		if err := p.Compare(true); err != nil || len(p.Comparisons) != 0 {
			t.Errorf("%s: %d comparisons, %v", name, len(p.Comparisons), err)
		}
	}
}

// TestHorizonsWhereTheyAreShown: the horizons of a comparison, which take most of its
// time, are computed only if they are shown.
func TestHorizonsWhereTheyAreShown(t *testing.T) {
	lib := libraryOfSmall(t)
	for _, horizons := range []bool{true, false} {
		runs, err := lib.Named(t.Context(), []string{"1", "2", "1"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := ReportOf(t.Context(), report.Options{Metric: report.MetricExact}, runs)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Compare(horizons); err != nil || len(p.Comparisons) != 1 {
			t.Fatalf("%d comparisons, %v", len(p.Comparisons), err)
		}
		found := false
		for _, f := range p.Comparisons[0].Families {
			found = found || f.A.Horizon != nil
		}
		if found != horizons {
			t.Errorf("horizons %v, and there are: %v", horizons, found)
		}
	}
}

// TestExactnessLeads: without a metric, runs are ranked and compared by exactness, whatever
// their suite's own scores say, and the baseline is the leader in any order of the names.
func TestExactnessLeads(t *testing.T) {
	lib := libraryOfSmall(t)
	var first *Report
	for _, named := range [][]string{{"1", "2"}, {"2", "1"}} {
		p := ranked(t, lib, "", named...)
		if err := p.Compare(false); err != nil {
			t.Fatal(err)
		}
		if p.Leaderboard.Metric != "exact" || p.Comparisons[0].Metric != "exact" {
			t.Errorf("%q: ranked by %q, compared by %q", named, p.Leaderboard.Metric, p.Comparisons[0].Metric)
		}
		if p.Runs[0].N > 0 && p.Comparisons[0].A.N != p.Leaderboard.Places[0].N {
			t.Errorf("%q: the baseline is run %d, not the leader, run %d", named, p.Comparisons[0].A.N, p.Leaderboard.Places[0].N)
		}
		if first == nil {
			first = p
			continue
		}
		if a, b := first.Comparisons[0], p.Comparisons[0]; a.A.N != b.A.N || a.Word != b.Word || a.Difference != b.Difference {
			t.Errorf("the comparison depends on the order of the names: %+v and %+v", a.Verdict, b.Verdict)
		}
	}
	last := ranked(t, lib, "", "1", "2")
	last.Baseline = slices.IndexFunc(last.Runs, func(r NamedRun) bool { return r.N != last.Leaderboard.Places[0].N })
	if err := last.Compare(false); err != nil || last.Comparisons[0].B.N != last.Leaderboard.Places[0].N {
		t.Errorf("a named baseline is ignored: %v", err)
	}
	if p := ranked(t, lib, report.MetricScore, "1", "2"); p.Leaderboard.Metric != "score" {
		t.Errorf("ranked by %q, want the metric score that was requested", p.Leaderboard.Metric)
	}
}

// ranked returns the report of runs with its leaderboard.
func ranked(t *testing.T, lib *Library, metric report.Metric, named ...string) *Report {
	t.Helper()
	runs, err := lib.Named(t.Context(), named)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ReportOf(t.Context(), report.Options{Metric: metric}, runs)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Rank(); err != nil || p.Leaderboard == nil {
		t.Fatalf("no leaderboard: %v, %v", err, p.Warnings)
	}
	return p
}

// libraryOfSmall returns a library of the runs of small.jsonl.
func libraryOfSmall(t *testing.T) *Library {
	t.Helper()
	lib := &Library{Path: filepath.Join(t.TempDir(), "x.db")}
	s, err := store.Create(t.Context(), lib.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	f, err := os.Open(filepath.Join("..", "..", "cmd", "verbatim", "testdata", "small.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := s.Import(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib
}
