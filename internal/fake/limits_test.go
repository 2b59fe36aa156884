package fake_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/httpconn"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// try asks once and returns the status, the wait and the time that it took.
func try(ctx context.Context, transport http.RoundTripper, text string) (status int, after, took time.Duration) {
	start := time.Now()
	reply, err := modeltest.Send(ctx, wire.Chat(), endpoint(transport, "http://fake.test", false), says(text), 0, verbatim.Params{})
	var f *verbatim.Failure
	if errors.As(err, &f) {
		return f.Status, f.After, time.Since(start)
	}
	return http.StatusOK, 0, reply.Times.Total
}

// A request that waits as long as Retry-After says is admitted; the wait is in whole
// seconds and never a second too long. This holds for buckets and windows, at any speed
// of the clock.
func TestRetryAfterIsHonest(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := fake.Limits{}
		if rapid.Bool().Draw(r, "bucket") {
			l.Rate = rapid.Float64Range(0.05, 20).Draw(r, "rate")
			l.Burst = rapid.IntRange(0, 5).Draw(r, "burst")
		} else {
			l.Requests = rapid.IntRange(1, 5).Draw(r, "requests")
			l.Window = time.Duration(rapid.Int64Range(int64(time.Second), int64(time.Minute)).Draw(r, "window"))
		}
		clock := rapid.SampledFrom([]float64{0, 1, 20, 0.5}).Draw(r, "clock")
		gaps := rapid.SliceOfN(rapid.Int64Range(0, int64(3*time.Second)), 20, 20).Draw(r, "gaps")
		synctest.Test(t, func(t *testing.T) {
			transport, stop := inMemory(ready(t, fake.Config{Echo: true, Limits: l, Pace: fake.Pace{Clock: clock}}))
			defer stop()
			refused := 0
			for i, gap := range gaps {
				time.Sleep(time.Duration(gap))
				status, after, _ := try(t.Context(), transport, fmt.Sprint(i))
				if status == http.StatusOK {
					continue
				}
				refused++
				if status != http.StatusTooManyRequests || after <= 0 || after%time.Second != 0 {
					t.Fatalf("status %d, wait %v", status, after)
				}
				time.Sleep(after)
				if status, again, _ := try(t.Context(), transport, "again"); status != http.StatusOK {
					t.Fatalf("after waiting %v: status %d, wait %v", after, status, again)
				}
			}
			if l.Requests == 1 && clock == 1 && l.Window > 30*time.Second && refused == 0 {
				t.Error("nothing was refused")
			}
		})
	})
}

// A bucket takes its burst at once and then its rate; a refusal costs nothing.
func TestBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, stop := inMemory(ready(t, fake.Config{Echo: true, Limits: fake.Limits{Rate: 2, Burst: 3}}))
		defer stop()
		var passed []time.Duration
		start := time.Now()
		for i := range 100 {
			if status, _, _ := try(t.Context(), transport, fmt.Sprint(i)); status == http.StatusOK {
				passed = append(passed, time.Since(start).Round(50*time.Millisecond))
			}
			time.Sleep(50 * time.Millisecond)
		}
		want := []time.Duration{0, 50, 100, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500}
		for i := range want {
			want[i] *= time.Millisecond
		}
		if !slices.Equal(passed, want) {
			t.Errorf("passed at %v, want %v", passed, want)
		}
	})
}

// A fixed window lets a burst through at its edge: that is what it is known for.
func TestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, stop := inMemory(ready(t, fake.Config{Echo: true, Limits: fake.Limits{Requests: 3, Window: 10 * time.Second}}))
		defer stop()
		ask := func(at time.Duration, want ...int) {
			t.Helper()
			for i, w := range want {
				if status, _, _ := try(t.Context(), transport, fmt.Sprint(at, i)); status != w {
					t.Errorf("at %v, request %d: status %d, want %d", at, i, status, w)
				}
			}
		}
		ask(0, 200)
		time.Sleep(9 * time.Second)
		ask(9, 200, 200, 429)
		time.Sleep(time.Second)
		ask(10, 200, 200, 200, 429)
		time.Sleep(25 * time.Second)
		ask(35, 200, 200, 200, 429)
		time.Sleep(4 * time.Second)
		ask(39, 429)
		time.Sleep(time.Second)
		ask(40, 200)
	})
}

// Slots are taken in the order of arrival, the queue is bounded, and requests that
// leave it are counted.
func TestSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ready(t, fake.Config{Echo: true, Limits: fake.Limits{Slots: 2, Queue: 3}, Pace: fake.Pace{Latency: 10 * time.Second}})
		transport, stop := inMemory(s)
		defer stop()
		var mu sync.Mutex
		took := map[int]time.Duration{}
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				ctx := t.Context()
				if i == 3 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, 5*time.Second)
					defer cancel()
				}
				status, _, d := try(ctx, transport, fmt.Sprint(i))
				mu.Lock()
				defer mu.Unlock()
				if took[i] = d; status != http.StatusOK {
					took[i] = -time.Duration(status)
				}
			})
			synctest.Wait()
		}
		wg.Wait()
		want := map[int]time.Duration{0: 10 * time.Second, 1: 10 * time.Second, 2: 20 * time.Second, 3: 0, 4: 20 * time.Second, 5: -503}
		for i, w := range want {
			if took[i] != w {
				t.Errorf("request %d took %v, want %v", i, took[i], w)
			}
		}
		synctest.Wait()
		if c := s.Counts(); c.Peak != 6 || c.Left != 1 || c.Answered != 4 || c.InFlight != 0 || c.Refused != 1 {
			t.Errorf("%+v", c)
		}
	})
}

// Latency has the median and the spread that it is given, and the clock speeds it up.
func TestLatency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, clock := range []float64{1, 20} {
			transport, stop := inMemory(ready(t, fake.Config{Echo: true, Pace: fake.Pace{Latency: time.Second, Spread: 0.5, Clock: clock}}))
			defer stop()
			var logs []float64
			for i := range 400 {
				_, _, took := try(t.Context(), transport, fmt.Sprint(i))
				logs = append(logs, math.Log(took.Seconds()*clock))
			}
			mean, square := 0.0, 0.0
			for _, x := range logs {
				mean += x / float64(len(logs))
				square += x * x / float64(len(logs))
			}
			if sd := math.Sqrt(square - mean*mean); math.Abs(mean) > 0.1 || math.Abs(sd-0.5) > 0.08 {
				t.Errorf("clock %v: the logarithm has mean %.3f and deviation %.3f", clock, mean, sd)
			}
		}
	})
}

// Tokens take their time, streamed or not, and beyond the knee all takes longer.
func TestTokensAndKnee(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ready(t, fake.Config{Echo: true, Pace: fake.Pace{Latency: time.Second, Token: 100 * time.Millisecond, Knee: 2}})
		transport, stop := inMemory(s)
		defer stop()
		text := "0123456789abcdef0123456789abcdef" // 8 tokens
		e := endpoint(transport, "http://fake.test", true)
		reply, err := modeltest.Send(t.Context(), wire.Chat(), e, says(text), 0, verbatim.Params{})
		if err != nil || *reply.Times.FirstByte != time.Second || *reply.Times.FirstContent != 1400*time.Millisecond || reply.Times.Total != 1800*time.Millisecond {
			t.Errorf("%+v, %v", reply.Times, err)
		}
		if _, _, took := try(t.Context(), transport, text); took != 1800*time.Millisecond {
			t.Errorf("in one piece: %v", took)
		}
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				want := time.Duration(max(1, float64(i+1)/2) * 1.8 * float64(time.Second))
				if _, _, took := try(t.Context(), transport, text); took.Round(time.Millisecond) != want {
					t.Errorf("number %d took %v, want %v", i+1, took, want)
				}
			})
			synctest.Wait()
		}
		wg.Wait()
	})
}

// TestLookingIsNotRefused: requests that ask what the server says of itself do not
// count as refused.
func TestLookingIsNotRefused(t *testing.T) {
	s, err := fake.New(fake.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/metrics", "/api/ps"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 404 {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
	if c := s.Counts(); c.Refused != 0 || c.Requests != 0 || c.Statuses[404] != 2 {
		t.Errorf("%+v", c)
	}
}

// A speaker answers everything with the same text.
type speaker string

func (s speaker) Ask(_ context.Context, _ *verbatim.Request, reply *verbatim.Reply) error {
	*reply = verbatim.Reply{Text: string(s), Finish: verbatim.FinishStop}
	return nil
}

// TestContentLimit reads streams of every protocol whose text is longer than an answer may
// be: the reply ends there, at a whole character. Reasoning between tags does not count. A
// limit that is sent to the server is left to the server, unless it ignores the limit. What
// comes in one piece is read whole.
func TestContentLimit(t *testing.T) {
	const limit = 16 // tokens: 64 bytes, in the middle of a character
	long, thought := strings.Repeat("é lives ", 100), "<think>"+strings.Repeat("hm ", 300)+"</think>"
	ramble, endless := strings.Repeat(long, 10), "<think>"+strings.Repeat("hm ", 20_000)
	for _, p := range wire.Protocols() {
		for _, c := range []struct {
			name, text string
			stream     bool
			max        int
			ignored    bool // the server ignores the limit
			want       string
			closed     bool
		}{
			{"long", long, true, 1000, false, long[:63], true},
			{"short", "é lives", true, 1000, false, "é lives", false},
			{"tags", thought + "yes", true, 1000, false, thought + "yes", false},
			{"tags, long", thought + long, true, 1000, false, thought + long[:63], true},
			{"in one piece", long, false, 1000, false, long, false},
			{"the server's limit", long, true, limit, false, long[:63], false},
			{"no room, ignored", ramble, true, limit, true, long[:63], true},
			{"no room, ignored, short", "é lives", true, limit, true, "é lives", false},
			{"no room, ignored, in one piece", ramble, false, limit, true, ramble, false},
			{"endless reasoning", endless, true, 1000, true, endless[:4000], true},
			{"endless reasoning, no room", endless, true, limit, true, endless[:64], true},
		} {
			if c.stream && p.NoStreams {
				continue // what comes in one piece is below
			}
			t.Run(p.Name+"/"+c.name, func(t *testing.T) {
				config := fake.Config{Item: func(verbatim.Prompt) *verbatim.Item { return nil }, Model: speaker(c.text), Any: true}
				if c.ignored {
					config.Disobeys = fake.ContractSet{"limit": true}
				}
				s := ready(t, config)
				transport, stop := inMemory(s)
				defer stop()
				e := wire.Endpoint{BaseURL: "http://fake.test" + p.BasePath(), Model: "m", Stream: c.stream, Transport: transport}
				var reply verbatim.Reply
				r := &verbatim.Request{Prompt: says("?"), MaxTokens: c.max, ContentTokens: limit}
				if err := p.Send(t.Context(), &e, r, &reply); err != nil {
					t.Fatal(err)
				}
				closed := reply.FinishRaw == wire.ClosedByUs && reply.Finish == verbatim.FinishLength
				if reply.Text != c.want || closed != c.closed {
					t.Errorf("%d bytes, finish %s (%s), want %d bytes, closed %t: %q", len(reply.Text), reply.Finish, reply.FinishRaw, len(c.want), c.closed, reply.Text)
				}
			})
		}
	}
}

// On a socket a reset is a reset, before an answer and within one, and a closed
// connection ends without one.
func TestResets(t *testing.T) {
	for _, c := range []struct {
		fault  string
		reset  bool
		status int
	}{{"reset", true, 0}, {"hangup", false, 0}, {"cut,at=100,end=reset", true, 200}, {"cut,at=100,end=short", false, 200}} {
		for _, stream := range []string{"false", "true"} {
			base := onLoopback(t, ready(t, fake.Config{Echo: true, Faults: faults(t, c.fault)}))
			transport := &http.Transport{}
			res, err := (&http.Client{Transport: transport}).Post(base+"/v1/chat/completions", "application/json", strings.NewReader(`{"stream":`+stream+`,"messages":[{"role":"user","content":"`+strings.Repeat("long ", 400)+`"}]}`))
			status := 0
			if err == nil {
				status = res.StatusCode
				_, err = io.ReadAll(res.Body)
				res.Body.Close()
			}
			if err == nil || errors.Is(err, syscall.ECONNRESET) != c.reset || status != c.status {
				t.Errorf("%s, stream %s: status %d, %v", c.fault, stream, status, err)
			}
			transport.CloseIdleConnections()
		}
	}
}

// A connection that is closed behind the client's back is not a server that
// is away: our client asks again on another one.
func TestCloses(t *testing.T) {
	for _, stream := range []bool{false, true} {
		s := ready(t, fake.Config{Echo: true, Faults: faults(t, "closes:0.5")})
		base := onLoopback(t, s)
		transport := httpconn.NewDirect(httpconn.NewTransport())
		for i := range 40 {
			text := strings.Repeat("x", i+1)
			reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, base, stream), says(text), 0, verbatim.Params{})
			if err != nil || reply.Text != text {
				t.Errorf("request %d: %q, %v", i, reply.Text, err)
			}
		}
		transport.CloseIdleConnections()
		if c := s.Counts(); c.Answered != 40 || c.Faults["closes"] < 8 {
			t.Errorf("%+v", c)
		}
	}
}

// Many at once lose nothing and count right.
func TestManyAtOnce(t *testing.T) {
	s := ready(t, fake.Config{Echo: true, Faults: faults(t, "500:0.2,tries=1 cut:0.1,tries=1")})
	base := onLoopback(t, s)
	transport := httpconn.NewDirect(httpconn.NewTransport())
	defer transport.CloseIdleConnections()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 25 {
				text := strings.Repeat("y", w*25+i+1)
				for attempt := 0; ; attempt++ {
					reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, base, i%2 == 0), says(text), 0, verbatim.Params{})
					if err == nil && reply.Text == text {
						break
					}
					if attempt > 0 {
						t.Errorf("try %d: %v", attempt, err)
						break
					}
				}
			}
		})
	}
	wg.Wait()
	c := s.Counts()
	if c.Answered != 200 || c.Prompts != 200 || c.Twice != 0 || c.Refused != c.Faults["500"] || c.Broken != c.Faults["cut"] || c.Requests != 200+c.Refused+c.Broken || c.Peak > 8 {
		t.Errorf("%+v", c)
	}
}
