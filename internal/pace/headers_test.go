package pace

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

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

// TestEpisode: from what a bucket admitted, its rate and size are found.
func TestEpisode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(1, 200).Draw(t, "rate")
		burst := float64(rapid.IntRange(4, 40).Draw(t, "burst"))
		one := drain(rate, burst, rate*rapid.Float64Range(4, 6).Draw(t, "fast"))
		two := drain(rate, burst, rate*rapid.Float64Range(1.05, 1.3).Draw(t, "slow"))
		got, span := two.rate(burst)
		if math.Abs(got-rate) > 1/span+1e-6 {
			t.Errorf("rate %v over %v, want %v", got, span, rate)
		}
		both, size, ok := agree(one, two, got)
		if !ok {
			t.Fatalf("the two do not agree")
		}
		if math.Abs(size-burst) > 0.15*burst+1.5 || math.Abs(both-rate) > 0.15*rate {
			t.Errorf("rate %v and size %v, want %v and %v", both, size, rate, burst)
		}
		if _, _, ok := agree(two, two, got); ok {
			t.Error("one episode agrees with itself")
		}
	})
}

// drain empties a bucket at a pace, and returns the episode.
func drain(rate, burst, pace float64) (e episode) {
	var sent []float64
	level := burst
	for i := 0; ; i++ {
		if level < 1 {
			at := float64(i) / pace
			for j := len(sent) - 1; j >= 0; j-- {
				e = append(e, at-sent[j])
			}
			return e
		}
		sent = append(sent, float64(i)/pace)
		level = min(burst, level-1+rate/pace)
	}
}

func TestEpisodeOfNothing(t *testing.T) {
	var e episode
	if r, s := e.rate(5); r != 0 || s != 0 {
		t.Errorf("%v, %v", r, s)
	}
	if _, _, ok := agree(e, e, 1); ok {
		t.Error("they agree")
	}
}

// A refusal that comes late, of a request sent before the last pause, is of an
// episode that is learned from already.
func TestLateRefusal(t *testing.T) {
	m := &meter{}
	for i := range 20 {
		m.admit(time.Duration(i)*10*time.Millisecond, 0)
	}
	m.refuse(190*time.Millisecond, 191*time.Millisecond, time.Second)
	m.resume(1200 * time.Millisecond)
	rate := m.pace(1200 * time.Millisecond)
	m.admit(1200*time.Millisecond, 0)
	m.refuse(180*time.Millisecond, 1300*time.Millisecond, time.Second)
	if m.resume(2500 * time.Millisecond); rate == 0 || m.rate != rate || m.count != 1 {
		t.Errorf("a rate of %v became %v, %d counted", rate, m.rate, m.count)
	}
}

// A window's count is what is sent in the next ones, and then one at a time.
func TestWindowQuota(t *testing.T) {
	m := &meter{}
	now := time.Duration(0)
	for range 300 {
		now += time.Millisecond
		m.admit(now, 0)
	}
	m.admit(now+1, 0)
	m.refuse(now+1, now+2, 50*time.Second)
	if m.foreseen() {
		t.Error("the first refusal was foreseen")
	}
	now += 51 * time.Second
	m.resume(now)
	for i := range 300 {
		if m.next > now {
			t.Fatalf("request %d of the window has to wait", i)
		}
		m.admit(now, 0)
	}
	if m.quota != 300 || m.next < now+trickle || !m.foreseen() {
		t.Errorf("a quota of %d, the next in %v", m.quota, m.next-now)
	}
}

// Whatever is refused, and whenever: a known pace is positive and finite, and the next
// request may be sent after twice the longest wait that was asked for, or half as long
// again as the slowest refusal took.
func TestMeterIsSane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &meter{}
		now := time.Duration(0)
		var out []time.Duration
		longest := 2 * time.Minute
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			now += time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "later"))
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				// No worker goes before its turn: it would be one turn after the other.
				now = max(now, m.next)
				m.admit(now, 0)
				out = append(out, now)
			case 2:
				if len(out) > 0 {
					i := rapid.IntRange(0, len(out)-1).Draw(t, "which")
					longest = max(longest, (now-out[i])*3/2)
					m.refuse(out[i], now, time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "after")))
					out = append(out[:i], out[i+1:]...)
				}
			case 3:
				m.resume(now)
			}
			if r := m.pace(now); r < 0 || math.IsNaN(r) || math.IsInf(r, 0) {
				t.Fatalf("a pace of %v", r)
			}
			if m.next > now+longest {
				t.Fatalf("the next one in %v", m.next-now)
			}
			if m.count < 0 && m.since == 0 || m.quota < 0 {
				t.Fatalf("count %d, quota %d", m.count, m.quota)
			}
		}
	})
}

// TestKnee: servers whose throughput depends on the concurrency in many ways; the limit
// that is found gives most of the possible throughput, and is not far above the least
// that does.
func TestKnee(t *testing.T) {
	for _, c := range []struct {
		name        string
		latency     func(n float64, i int) float64 // of the i-th answer, with n in flight
		least, most float64                        // of the limit in the end
	}{
		{"one slot", func(n float64, _ int) float64 { return n }, 1, 4},
		{"four slots", func(n float64, _ int) float64 { return max(1, n/4) }, 4, 8},
		{"sixty slots", func(n float64, _ int) float64 { return max(1, n/60) }, 55, 110},
		{"batches", func(n float64, _ int) float64 { return 1 + n/16 }, 24, 160},
		{"no end", func(n float64, _ int) float64 { return 1 }, 256, 256},
		{"twenty slots that become four", func(n float64, i int) float64 { return max(1, n/[]float64{20, 4}[i/10_000]) }, 4, 9},
		{"four slots that become twenty", func(n float64, i int) float64 { return max(1, n/[]float64{4, 20}[i/10_000]) }, 18, 40},
		{"worse with more", func(n float64, _ int) float64 { return max(1, n*n/64) }, 5, 14},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		k := newKnee(0, 256)
		// A closed loop, answer by answer: each meets the number in flight at its start.
		type flight struct{ end, met, took float64 }
		var flying []flight
		clock := 0.0
		for i := range 20_000 {
			limit := k.room()
			for len(flying) < limit {
				n := float64(len(flying) + 1)
				took := c.latency(n, i) * (0.8 + 0.4*rng.Float64())
				flying = append(flying, flight{clock + took, n, took})
			}
			first := 0
			for j, f := range flying {
				if f.end < flying[first].end {
					first = j
				}
			}
			f := flying[first]
			flying = append(flying[:first], flying[first+1:]...)
			clock = max(clock, f.end)
			k.see(len(flying) + 1)
			k.answered(int(f.met), f.took, len(flying)+1 >= limit)
		}
		if k.base != 0 && (k.base < c.least || k.base > c.most) || k.base == 0 && c.most < 256 {
			t.Errorf("%s: settled at %v, want %v to %v", c.name, k.base, c.least, c.most)
		}
	}
}

func TestBins(t *testing.T) {
	last := 0
	for n := range 100_000 {
		i := binOf(n)
		if i < last || i > 63 {
			t.Fatalf("bin %d of %d follows %d", i, n, last)
		}
		last = i
	}
	for n, want := range map[int]int{-1: 0, 0: 0, 1: 0, 2: 2, 3: 3, 4: 4, 5: 4, 6: 5, 7: 5, 8: 6, 11: 6, 12: 7, 16: 8} {
		if got := binOf(n); got != want {
			t.Errorf("%d is in bin %d, want %d", n, got, want)
		}
	}
}

// TestSizes: where time grows with size it is divided out, and where it does not it
// is left alone.
func TestSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, proportional := range []bool{true, false} {
		var s sizes
		worst := 0.0
		for i := range 2000 {
			size, time := 10+1000*rng.Float64(), 2.0
			if proportional {
				time = 0.1 + size/250
			}
			got := s.latency(time, size)
			if i > 500 {
				worst = max(worst, math.Abs(got/s.time-1))
			}
		}
		if worst > 0.3 {
			t.Errorf("proportional %v: off by %v", proportional, worst)
		}
	}
}
