package app

import (
	"runtime/debug"
	"testing"

	"verbatim"
	"verbatim/internal/library"
	"verbatim/internal/run"
)

// Memory is collected more often where more requests than usual are in flight, unless
// the user has said how often.
func TestSaveMemory(t *testing.T) {
	for _, c := range []struct {
		name, gogc string
		inFlight   int
		percent    int
	}{
		{"usual", "", manyInFlight, 400},
		{"many", "", manyInFlight + 1, 100},
		{"of the user", "250", manyInFlight + 1, 400},
	} {
		restore := TuneCollector(func(string) string { return "" }, 400)
		j := &Job{app: &App{Getenv: func(name string) string { return map[string]string{"GOGC": c.gogc}[name] }}, lanes: []run.Lane{{InFlight: 1}, {InFlight: c.inFlight - 1}}}
		again := j.saveMemory()
		got := debug.SetGCPercent(400)
		debug.SetGCPercent(got)
		again()
		after := debug.SetGCPercent(400)
		restore()
		if got != c.percent || after != 400 {
			t.Errorf("%s: %d %%, and %d %% after it; want %d %% and 400 %%", c.name, got, after, c.percent)
		}
	}
}

// TestSaveReportMemory: memory is collected more often for reports that count by item.
func TestSaveReportMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for _, c := range []struct {
		count   int64
		trials  int
		percent int
	}{{manyAnswers, 4, 400}, {manyAnswers + 1, 4, 100}, {10 * manyAnswers, 1, 400}} {
		r := library.NamedRun{SavedRun: library.SavedRun{Run: verbatim.Run{Plan: verbatim.Plan{Count: c.count, Trials: c.trials}}}}
		restore := SaveReportMemory(func(string) string { return "" }, []library.NamedRun{r})
		got := debug.SetGCPercent(400)
		restore()
		if got != c.percent {
			t.Errorf("%d answers, %d trials: %d %%, want %d", c.count, c.trials, got, c.percent)
		}
	}
}
