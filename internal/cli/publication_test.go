package cli

import (
	"bytes"
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
func ofPlan(hash string, requests int64, trials int) namedRun {
	return namedRun{keptRun: keptRun{Run: verbatim.Run{Plan: verbatim.Plan{Hash: hash, Count: requests, Trials: trials}}}}
}

// TestMatchable: what is matched item by item in passing is bounded over all the runs;
// runs of one plan without repeats are read side by side, however long.
func TestMatchable(t *testing.T) {
	for name, c := range map[string]struct {
		runs []namedRun
		want bool
	}{
		"few":                       {[]namedRun{ofPlan("a", 5, 1), ofPlan("b", 7, 2)}, true},
		"just so many":              {[]namedRun{ofPlan("a", 60_000, 1), ofPlan("b", 40_000, 1)}, true},
		"one too many":              {[]namedRun{ofPlan("a", 60_000, 1), ofPlan("b", 40_001, 1)}, false},
		"one plan":                  {[]namedRun{ofPlan("a", 5_000_000, 1), ofPlan("a", 5_000_000, 1)}, true},
		"one plan with repeats":     {[]namedRun{ofPlan("a", 60_000, 2), ofPlan("a", 60_000, 2)}, false},
		"a third one of other plan": {[]namedRun{ofPlan("a", 60_000, 1), ofPlan("a", 60_000, 1), ofPlan("b", 1, 1)}, false},
	} {
		p := &publication{Report: &report.Report{}, runs: c.runs, sides: make([]verdict.Side, len(c.runs))}
		if got := p.matchable(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if c.want {
			continue
		}
		if err := p.rank(t.Context()); err != nil || p.Leaderboard != nil || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0].Text, "neither ranked nor compared") {
			t.Errorf("%s: ranked: %v, warnings %v, %v", name, p.Leaderboard != nil, p.Warnings, err)
		}
		if err := p.compare(t.Context(), true); err != nil || len(p.Comparisons) != 0 {
			t.Errorf("%s: %d comparisons, %v", name, len(p.Comparisons), err)
		}
	}
}

// small imports two runs and returns the database.
func small(t *testing.T) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "x.db")
	if r := invoke(t, db, "import", filepath.Join("..", "..", "cmd", "verbatim", "testdata", "small.jsonl")); r.code != exitDone {
		t.Fatal(r.err)
	}
	return db
}

// TestLimitsWhereTheyAreShown: the limits of a comparison, which take most of its time,
// are looked for only where they are shown.
func TestLimitsWhereTheyAreShown(t *testing.T) {
	s, err := store.Open(t.Context(), small(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	lib := &library{main: s}
	for _, limits := range []bool{true, false} {
		p := &publication{lib: lib, on: report.MetricExact}
		if err := p.choose(t.Context(), []string{"1", "2", "1"}); err != nil {
			t.Fatal(err)
		}
		if err := p.fold(t.Context(), report.Options{Metric: p.on}); err != nil {
			t.Fatal(err)
		}
		if err := p.compare(t.Context(), limits); err != nil || len(p.Comparisons) != 1 {
			t.Fatalf("%d comparisons, %v", len(p.Comparisons), err)
		}
		found := false
		for _, f := range p.Comparisons[0].Families {
			found = found || f.A.Horizon != nil
		}
		if found != limits {
			t.Errorf("limits %v, and there are: %v", limits, found)
		}
	}
}

// TestPageOfATerminal: a page goes to a file or a pipe, never to a terminal.
func TestPageOfATerminal(t *testing.T) {
	db := small(t)
	for _, c := range []struct {
		width int
		args  string
		code  int
		page  bool // on the standard output
	}{
		{80, "report 1 --format html", exitMisused, false},
		{80, "report 1 --format html -o -", exitMisused, false},
		{80, "report 1 --format html -o page.html", exitDone, false},
		{0, "report 1 --format html", exitDone, true},
		{0, "report 1 --format html -o -", exitDone, true},
	} {
		t.Chdir(t.TempDir())
		var out, errs bytes.Buffer
		code := Main(strings.Fields(c.args), Env{In: strings.NewReader(""), Out: &out, Err: &errs, OutWidth: c.width,
			Getenv: func(name string) string {
				return map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_DB": db}[name]
			},
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
		if code != c.code || strings.Contains(out.String(), "<html") != c.page || code == exitMisused && !strings.Contains(errs.String(), "-o report.html") {
			t.Errorf("%s, width %d: exit code %d, %d bytes, %s", c.args, c.width, code, out.Len(), errs.String())
		}
		if _, err := os.Stat("page.html"); (err == nil) != strings.Contains(c.args, "page.html") {
			t.Errorf("%s: the file: %v", c.args, err)
		}
	}
}
