package library

import (
	"os"
	"path/filepath"
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

// TestMatchable: what is matched item by item in passing is bounded over all the runs;
// runs of one plan without repeats are read side by side, however long.
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
	lib := &Library{Path: filepath.Join(t.TempDir(), "x.db")}
	s, err := store.Create(t.Context(), lib.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := os.Open(filepath.Join("..", "..", "cmd", "verbatim", "testdata", "small.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := s.Import(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
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
