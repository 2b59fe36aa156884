package app

import (
	"runtime"
	"testing"
	"time"

	"verbatim/internal/model"
	"verbatim/internal/store"
)

// TestEstimatedTime: the time of 8 requests of a minute each follows from the
// concurrency or from the rate limits, whichever is longer. A flag goes before the
// model's own entry, and that before the default.
func TestEstimatedTime(t *testing.T) {
	seconds := 60.0
	known, unknown := store.UsageStats{UsageStat: store.UsageStat{Seconds: &seconds}}, store.UsageStats{}
	whole := Estimate{Requests: 8, Input: 600, Output: 200}
	for name, c := range map[string]struct {
		e     Estimate
		flags Pace
		own   model.Limits
		usage store.UsageStats
		want  time.Duration // 0: unknown
	}{
		"one at a time":           {whole, Pace{}, model.Limits{Concurrency: 1}, known, 8 * time.Minute},
		"two at once":             {whole, Pace{}, model.Limits{Concurrency: 2}, known, 4 * time.Minute},
		"as usual":                {whole, Pace{}, model.Limits{}, known, 8 * time.Minute / localInFlight},
		"more than usual":         {whole, Pace{}, model.Limits{Concurrency: 8}, known, time.Minute},
		"the flag comes first":    {whole, Pace{Concurrency: 1}, model.Limits{Concurrency: 8}, known, 8 * time.Minute},
		"few requests a minute":   {whole, Pace{}, model.Limits{Concurrency: 8, RequestsPerMinute: 2}, known, 4 * time.Minute},
		"a flag of requests":      {whole, Pace{RequestsPerMinute: 4}, model.Limits{Concurrency: 8, RequestsPerMinute: 2}, known, 2 * time.Minute},
		"few tokens a minute":     {whole, Pace{}, model.Limits{Concurrency: 1, TokensPerMinute: 80}, known, 10 * time.Minute},
		"a flag of tokens":        {whole, Pace{TokensPerMinute: 40}, model.Limits{TokensPerMinute: 80}, unknown, 20 * time.Minute},
		"unknown server":          {whole, Pace{Concurrency: 1}, model.Limits{Concurrency: 1}, unknown, 0},
		"nothing is left":         {Estimate{}, Pace{}, model.Limits{}, known, 0},
		"a batch takes its time":  {Estimate{Requests: 8, Batch: true}, Pace{}, model.Limits{}, known, 0},
		"rates that do not count": {whole, Pace{RequestsPerMinute: 1000}, model.Limits{Concurrency: 1}, known, 8 * time.Minute},
	} {
		a := &Job{options: Options{Pace: c.flags}}
		got := a.time(c.e, target{Handle: model.Handle{Limits: c.own}}, c.usage)
		if c.want == 0 && got != nil || c.want > 0 && (got == nil || *got != c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestTimeOfWhatComputesHere: until the speed of a model on this machine is known, 800
// tokens at one token a second take 800 seconds, divided by the requests that the
// processors run at once.
func TestTimeOfWhatComputesHere(t *testing.T) {
	seconds := 60.0
	whole := Estimate{Requests: 8, Input: 600, Output: 200}
	a := &Job{options: Options{Pace: Pace{Concurrency: 1}}}
	here := target{Handle: model.Handle{Speed: 1}}
	if got := a.time(whole, here, store.UsageStats{}); got == nil || *got != 800*time.Second {
		t.Errorf("one at a time: %v", got)
	}
	if got := a.time(whole, here, store.UsageStats{UsageStat: store.UsageStat{Seconds: &seconds}}); got == nil || *got != 8*time.Minute {
		t.Errorf("once it is known: %v", got)
	}
	a.options.Pace.Concurrency = 1 << 20
	if got := a.time(whole, here, store.UsageStats{}); got == nil || *got != 800*time.Second/time.Duration(runtime.GOMAXPROCS(0)) {
		t.Errorf("more in flight than there are processors: %v", got)
	}
}
