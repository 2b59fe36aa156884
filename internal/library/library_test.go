package library

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/model"
	"verbatim/internal/report"
	"verbatim/internal/sim"
	"verbatim/internal/store"
	"verbatim/internal/verdict"
)

// TestBuiltInNote: a model that is built into this program is recognised wherever its
// runs are shown and ranked, by its name alone; no other model is.
func TestBuiltInNote(t *testing.T) {
	names := []string{model.NanoName, "http://127.0.0.1:8080/v1#nano", "exec:cat"}
	for _, k := range sim.Kinds() {
		names = append(names, "sim:"+k.Name, "sim:"+k.Name+"?seed=2")
	}
	found := 0
	for _, name := range names {
		m, err := model.Open(t.Context(), name, model.Options{Getenv: func(string) string { return "" }})
		if err != nil {
			t.Fatal(err)
		}
		r := verbatim.Run{Model: m.Name, Tool: "test"}
		if m.BuiltIn {
			found++
		}
		if note := BuiltInNote(&r); verdict.BuiltIn(&r) != m.BuiltIn || verdict.Simulated(&r) != m.Simulated || (note != "") != m.BuiltIn || strings.HasPrefix(note, "simulated") != m.Simulated {
			t.Errorf("%s: built in is %v, simulated %v, and runs of it have the note %q", name, m.BuiltIn, m.Simulated, note)
		}
		m.Close()
	}
	if found < 3 {
		t.Errorf("only %d of them are built in", found)
	}
	if r := (verbatim.Run{Model: model.NanoName, Origin: "lm-eval"}); BuiltInNote(&r) != "" {
		t.Error("a model that another program calls nano is taken for the built-in one")
	}
}

// TestNamedByModel: after the first run, the name of a model means its newest run of the same plan, or
// its newest run if it has none of that plan.
func TestNamedByModel(t *testing.T) {
	lib := &Library{Path: filepath.Join(t.TempDir(), "x.db")}
	s, err := store.Create(t.Context(), lib.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	defer lib.Close()
	for _, r := range []struct{ model, plan string }{{"a", "aaaaaa"}, {"b", "aaaaaa"}, {"b", "bbbbbb"}, {"c", "bbbbbb"}, {"c", "cccccc"}} {
		if _, _, err := s.Begin(t.Context(), verbatim.Run{Plan: verbatim.Plan{Hash: r.plan, Suite: "custom", Count: 1}, Model: r.model}, true); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := lib.Named(t.Context(), []string{"1", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 3 || runs[1].N != 2 || runs[2].N != 5 || runs[2].Given != "c" || runs[2].Ref != "5" {
		t.Errorf("%+v", runs)
	}
	_, err = lib.Named(t.Context(), []string{"1", "d"})
	if e, ok := errors.AsType[*errkind.Error](err); !ok || e.Kind != errkind.Usage {
		t.Errorf("%v", err)
	}
}

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
