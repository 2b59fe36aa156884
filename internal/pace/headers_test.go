package pace

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestReadAllowance(t *testing.T) {
	for _, c := range []struct {
		name, headers string
		want          allowance
		ok            bool
	}{
		{"OpenAI", "x-ratelimit-limit-requests=60 x-ratelimit-remaining-requests=59 x-ratelimit-reset-requests=1m0.5s", allowance{60, 59, 60500 * time.Millisecond}, true},
		{"milliseconds", "x-ratelimit-limit-requests=60 x-ratelimit-remaining-requests=59 x-ratelimit-reset-requests=17ms", allowance{60, 59, 17 * time.Millisecond}, true},
		{"Anthropic", "anthropic-ratelimit-requests-limit=50 anthropic-ratelimit-requests-remaining=0 anthropic-ratelimit-requests-reset=2026-11-21T12:00:30Z", allowance{50, 0, 30 * time.Second}, true},
		{"seconds", "ratelimit-limit=100 ratelimit-remaining=3 ratelimit-reset=12.5", allowance{100, 3, 12500 * time.Millisecond}, true},
		{"Unix seconds", "x-ratelimit-limit=100 x-ratelimit-remaining=3 x-ratelimit-reset=1795262410", allowance{100, 3, 10 * time.Second}, true},
		{"Unix milliseconds", "x-ratelimit-limit=100 x-ratelimit-remaining=3 x-ratelimit-reset=1795262410500", allowance{100, 3, 10500 * time.Millisecond}, true},
		{"Azure's -1", "x-ratelimit-limit-requests=-1 x-ratelimit-remaining-requests=-1 x-ratelimit-reset-requests=0", allowance{}, false},
		{"Azure's 0", "x-ratelimit-limit-requests=0 x-ratelimit-remaining-requests=0 x-ratelimit-reset-requests=60", allowance{}, false},
		{"more than all", "x-ratelimit-limit-requests=10 x-ratelimit-remaining-requests=11 x-ratelimit-reset-requests=60", allowance{}, false},
		{"past", "x-ratelimit-limit-requests=10 x-ratelimit-remaining-requests=1 x-ratelimit-reset-requests=2020-01-01T00:00:00Z", allowance{}, false},
		{"far", "x-ratelimit-limit-requests=10 x-ratelimit-remaining-requests=1 x-ratelimit-reset-requests=2030-01-01T00:00:00Z", allowance{}, false},
		{"words", "x-ratelimit-limit-requests=many x-ratelimit-remaining-requests=1 x-ratelimit-reset-requests=60", allowance{}, false},
		{"beyond measure", "x-ratelimit-limit-requests=1e308 x-ratelimit-remaining-requests=1e307 x-ratelimit-reset-requests=0.01", allowance{}, false},
		{"no reset", "x-ratelimit-limit-requests=10 x-ratelimit-remaining-requests=1", allowance{}, false},
		{"NaN", "x-ratelimit-limit-requests=NaN x-ratelimit-remaining-requests=Inf x-ratelimit-reset-requests=60", allowance{}, false},
		{"the second that makes sense", "x-ratelimit-limit-requests=-1 x-ratelimit-remaining-requests=-1 x-ratelimit-reset-requests=1 ratelimit-limit=8 ratelimit-remaining=2 ratelimit-reset=4", allowance{8, 2, 4 * time.Second}, true},
	} {
		got, ok := readAllowance(fields(c.headers), requestHeaders, noon)
		if ok != c.ok || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, ok, c.want)
		}
	}
}

func fields(s string) map[string]string {
	h := map[string]string{}
	for _, f := range strings.Fields(s) {
		k, v, _ := strings.Cut(f, "=")
		h[k] = v
	}
	return h
}

func TestAllowanceRate(t *testing.T) {
	for _, c := range []struct {
		remaining, flying, soon, want float64
	}{
		{100, 0, 10, 0}, {20, 0, 10, 0}, {19, 0, 10, 1.9}, {15, 5, 10, 1}, {3, 5, 10, 0.1}, {0, 0, 0, 0.1},
	} {
		a := allowance{100, c.remaining, 10 * time.Second}
		if got := a.rate(c.flying, c.soon); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func FuzzReadAllowance(f *testing.F) {
	f.Add("60", "59", "1m0s")
	f.Add("-1", "0", "2026-11-21T12:00:30Z")
	f.Add("1e308", "1e307", "1e-2")
	f.Add("1e15", "1", "1ns")
	f.Fuzz(func(t *testing.T, limit, remaining, reset string) {
		h := map[string]string{"x-ratelimit-limit-requests": limit, "x-ratelimit-remaining-requests": remaining, "x-ratelimit-reset-requests": reset}
		a, ok := readAllowance(h, requestHeaders, noon)
		if !ok {
			return
		}
		r := a.rate(0, 5)
		if a.reset <= 0 || a.remaining > a.limit || r < 0 || math.IsNaN(r) || math.IsInf(r, 0) {
			t.Errorf("%+v, %v", a, r)
		}
		var s spacer
		s.heed(time.Second, a, r)
		if s.pass(time.Second, 1); s.turn(time.Second) < 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestSpacer(t *testing.T) {
	s := spacer{rate: 10}
	now := time.Duration(0)
	for range 50 {
		now = max(now, s.turn(now))
		s.pass(now, 1)
	}
	if now != 4900*time.Millisecond {
		t.Errorf("50 at 10 a second: %v", now)
	}
	// Idle time is not accumulated; the delay of a late timer is made up for.
	now += time.Minute
	s.pass(now, 1)
	if d := s.turn(now) - now; d < 90*time.Millisecond {
		t.Errorf("after a minute: %v", d)
	}
	late := s.turn(now) + 3*time.Millisecond
	s.pass(late, 1)
	if d := s.turn(late) - late; d != 97*time.Millisecond {
		t.Errorf("after a late timer: %v", d)
	}
	if (&spacer{}).turn(now) != 0 {
		t.Error("no rate is no bound")
	}
}

func TestHeadersPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// A window of 100 requests in 10 s that reports what is left.
		start := time.Now()
		window, used, refused := -1, 0, 0
		var mu sync.Mutex
		p := New(Config{Attempts: 10, Concurrency: 20})
		m := p.Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			mu.Lock()
			since := time.Since(start)
			if w := int(since / (10 * time.Second)); w != window {
				window, used = w, 0
			}
			rest := time.Duration(window+1)*10*time.Second - since
			if used == 100 {
				refused++
				mu.Unlock()
				return verbatim.Reply{}, after(verbatim.Rate, whole(rest))
			}
			used++
			limits := map[string]string{"x-ratelimit-limit-requests": "100", "x-ratelimit-remaining-requests": fmt.Sprint(100 - used), "x-ratelimit-reset-requests": rest.String()}
			mu.Unlock()
			time.Sleep(20 * time.Millisecond)
			return verbatim.Reply{Limits: limits}, nil
		}))
		askAll(t, m, 500)
		if d := time.Since(start); d > 60*time.Second || refused > 5 {
			t.Errorf("%v, %d refused", d, refused)
		}
	})
}
