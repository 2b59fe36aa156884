package app

import (
	"context"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/library"
	"verbatim/internal/model"
	"verbatim/internal/pace"
	"verbatim/internal/recordtest"
	"verbatim/internal/run"
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

// TestServerQueue: a server with four slots that says only how many requests wait gets
// about four at once. With a concurrency that the user named it gets that many, and a
// warning once.
func TestServerQueue(t *testing.T) {
	t.Parallel()
	s, err := fake.New(fake.Config{Echo: true, Pace: fake.Pace{Latency: 20 * time.Millisecond}, Limits: fake.Limits{Slots: 4, Metrics: true}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	m, err := model.Open(context.Background(), server.URL+"/v1#m", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if n := m.Slots(context.Background()); n != 0 {
		t.Fatalf("the server says that it has %d slots", n)
	}
	for _, adaptive := range []bool{true, false} {
		p := pace.New(pace.Config{Concurrency: 64, Adaptive: adaptive})
		warned := 0
		q := &serverQueue{Model: m.Model, waiting: m.Waiting, pacer: p, every: 10 * time.Millisecond, warn: func() { warned++ }}
		asked := p.Wrap(q)
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				for range 4 {
					if _, err := recordtest.Ask(context.Background(), asked, verbatim.Request{Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "a"}}}}, MaxTokens: 8}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		if limit := p.State().Limit; adaptive && limit > 12 || !adaptive && limit != 64 {
			t.Errorf("adaptive %t: the concurrency is %d at the end", adaptive, limit)
		}
		if warned != 1 {
			t.Errorf("adaptive %t: warned %d times", adaptive, warned)
		}
	}
}

// TestServerQueueSilent: a server that never reports its queue is asked three times.
// One that has reported it once is asked again and again, whatever it replies later.
func TestServerQueueSilent(t *testing.T) {
	for _, c := range []struct{ says, want int }{{says: 0, want: 3}, {says: 2, want: 6}, {says: 1, want: 6}} {
		asked := 0
		q := &serverQueue{waiting: func(context.Context) (int, bool) { asked++; return 0, asked == c.says }}
		for range 6 {
			if q.asked {
				break
			}
			q.asked = true
			q.ask()
		}
		if asked != c.want {
			t.Errorf("a server that says it at the request %d is asked %d times, want %d", c.says, asked, c.want)
		}
	}
}

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
