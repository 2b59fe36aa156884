package app

import (
	"runtime/debug"
	"testing"

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
