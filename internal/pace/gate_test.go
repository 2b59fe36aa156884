package pace

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
)

// askAll asks n requests at once and returns the errors.
func askAll(t *testing.T, m verbatim.Model, n int) []error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { _, errs[i] = recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}) })
	}
	group.Wait()
	return errs
}

// A fixed Pacer has exactly Jobs requests in flight, and sends in the order of arrival.
func TestJobs(t *testing.T) {
	for _, jobs := range []int{0, 1, 7, 100} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(1, 100*time.Millisecond, 0)
			p := New(Config{Concurrency: jobs})
			for _, err := range askAll(t, p.Wrap(s), 500) {
				if err != nil {
					t.Error(err)
				}
			}
			rounds := (500 + max(1, jobs) - 1) / max(1, jobs)
			if s.peak != max(1, jobs) || time.Since(s.start) != time.Duration(rounds)*100*time.Millisecond {
				t.Errorf("%d jobs: at most %d in flight, %v", jobs, s.peak, time.Since(s.start))
			}
		})
	}
}

// A pause holds for all: no worker sends during it, and after it they start again one
// after the other.
func TestSharedPause(t *testing.T) {
	for _, class := range []verbatim.Class{verbatim.Rate, verbatim.Overload} {
		bubble(t, func(t *testing.T, adaptive bool) {
			var mu sync.Mutex
			var at []time.Duration
			start := time.Now()
			refused := false
			m := New(Config{Attempts: 5, Concurrency: 50, Adaptive: adaptive}).Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
				mu.Lock()
				at = append(at, time.Since(start))
				f := time.Since(start) >= time.Second && !refused
				refused = refused || f
				mu.Unlock()
				if f {
					return verbatim.Reply{}, after(class, 4*time.Second)
				}
				time.Sleep(300 * time.Millisecond)
				return verbatim.Reply{}, nil
			}))
			for _, err := range askAll(t, m, 400) {
				if err != nil {
					t.Fatal(err)
				}
			}
			var wait time.Duration
			back := map[time.Duration]int{} // how many came back in each tenth of a second
			for _, d := range at {
				switch {
				case d < time.Second:
				case wait == 0:
					wait = d
				case d > wait && d < wait+4*time.Second:
					t.Fatalf("a request was sent %v after the pause began", d-wait)
				default:
					back[(d-wait-4*time.Second)/(100*time.Millisecond)]++
				}
			}
			if wait == 0 || len(back) < 8 {
				t.Fatalf("wait at %v, back over %v", wait, back)
			}
			if adaptive && class == verbatim.Rate {
				return // at the pace that was learned
			}
			for tenth := range time.Duration(5) {
				if back[tenth] > 20 {
					t.Errorf("too many requests at once after the pause: %v", back)
				}
			}
		})
	}
}

// Thousands of workers before a closed port do not make a hot loop.
func TestNobodyListens(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := &script{steps: []error{fails(verbatim.Transport)}}
		p := New(Config{Attempts: 4, Concurrency: 2000, Adaptive: adaptive})
		begun := time.Now()
		askAll(t, p.Wrap(s), 2000)
		asked := len(s.asked)
		if asked != 8000 {
			t.Errorf("asked %d times", asked)
		}
		first := 0
		for _, at := range s.at {
			if at > 0 && at < 10*time.Second {
				first++
			}
		}
		if first > 200 || time.Since(begun) < 20*time.Second {
			t.Errorf("%d were sent in the seconds 0 to 10, all in %v", first, time.Since(begun))
		}
	})
}

// One failure in a hundred pauses no other worker.
func TestOwnTrouble(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		n := 0
		var mu sync.Mutex
		m := New(Config{Attempts: 5, Concurrency: 16, Adaptive: adaptive}).Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			time.Sleep(100 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			if n++; n%100 == 50 {
				return verbatim.Reply{}, []error{fails(verbatim.Transport), fails(verbatim.Overload)}[n/100%2]
			}
			return verbatim.Reply{}, nil
		}))
		begun := time.Now()
		askAll(t, m, 1600)
		if d := time.Since(begun); d > 12*time.Second {
			t.Errorf("it took %v", d)
		}
	})
}

// After the failures quota and auth nothing is sent: a request that waits gets the
// failure, without attempts of its own.
func TestStop(t *testing.T) {
	for _, class := range []verbatim.Class{verbatim.Quota, verbatim.Auth} {
		bubble(t, func(t *testing.T, adaptive bool) {
			s := &script{steps: []error{fails(class)}, takes: time.Second}
			p := New(Config{Attempts: 5, Concurrency: 4, Adaptive: adaptive})
			begun := time.Now()
			asked := 0
			for _, err := range askAll(t, p.Wrap(s), 1000) {
				f := failure(t, err)
				asked += len(f.Attempts)
				if f.Class != class || len(f.Attempts) > 1 || f.Err == nil {
					t.Errorf("%+v", f)
				}
			}
			if asked != 4 || len(s.asked) != 4 || time.Since(begun) != time.Second {
				t.Errorf("asked %d, %d attempts, %v", len(s.asked), asked, time.Since(begun))
			}
			if st := p.State(); st.Stopped == nil || st.Waiting != 0 || st.InFlight != 0 {
				t.Errorf("%+v", st)
			}
		})
	}
}

// A request that waits to be retried when the endpoint is given up keeps its own
// attempts.
func TestStopWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []error{after(verbatim.Rate, 10*time.Second), fails(verbatim.Auth)}}
		errs := askAll(t, New(Config{Attempts: 5, Concurrency: 1}).Wrap(s), 2)
		var counts []int
		for _, err := range errs {
			f := failure(t, err)
			if f.Class != verbatim.Auth {
				t.Errorf("%+v", f)
			}
			counts = append(counts, len(f.Attempts))
		}
		slices.Sort(counts)
		if !slices.Equal(counts, []int{1, 1}) && !slices.Equal(counts, []int{0, 2}) {
			t.Errorf("%d attempts", counts)
		}
	})
}

// A request that is cancelled at the moment at which it may be sent takes no slot.
func TestGiveUpAtTheGate(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			p := New(Config{Concurrency: 1})
			m := p.Wrap(newServer(1, time.Second, 0))
			var group sync.WaitGroup
			for i := range 6 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(max(1, i))*time.Second)
				defer cancel()
				group.Go(func() { recordtest.Ask(ctx, m, verbatim.Request{Attempt: 1}) })
			}
			group.Wait()
			if st := p.State(); st.InFlight != 0 || st.Waiting != 0 {
				t.Fatalf("%+v", st)
			}
		})
	}
}

func TestKnownRates(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := newServer(1, 10*time.Millisecond, 0)
		askAll(t, New(Config{Concurrency: 100, Adaptive: adaptive, RequestsPerMinute: 600}).Wrap(s), 200)
		if d := time.Since(s.start); d < 19*time.Second || d > 21*time.Second {
			t.Errorf("200 requests at 600 a minute took %v", d)
		}
	})
	bubble(t, func(t *testing.T, adaptive bool) {
		s := newServer(1, 10*time.Millisecond, 0)
		m := New(Config{Concurrency: 100, Adaptive: adaptive, TokensPerMinute: 60_000}).Wrap(s)
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				recordtest.Ask(t.Context(), m, verbatim.Request{MaxTokens: 900, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: string(make([]byte, 400))}}}}})
			})
		}
		group.Wait()
		if d := time.Since(s.start); d < 48*time.Second || d > 52*time.Second {
			t.Errorf("50 requests of 1,000 tokens at 60,000 a minute took %v", d)
		}
	})
	bubble(t, func(t *testing.T, adaptive bool) { // and where they turn out to be a tenth of that
		begun := time.Now()
		m := New(Config{TokensPerMinute: 60_000, Adaptive: adaptive}).Wrap(replies(verbatim.Reply{Usage: verbatim.Usage{Prompt: ptr(int64(50)), Completion: ptr(int64(50))}}))
		for range 50 {
			recordtest.Ask(t.Context(), m, verbatim.Request{MaxTokens: 1000})
		}
		if d := time.Since(begun); d < 4*time.Second || d > 7*time.Second {
			t.Errorf("50 requests of 100 tokens at 60,000 a minute took %v", d)
		}
	})
}

// A server without Retry-After that refuses more than so many at a time, however
// slowly they come.
func TestTooManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		flying, refused := 0, 0
		m := New(Config{Attempts: 100, Concurrency: 200, Adaptive: true}).Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			mu.Lock()
			if flying >= 10 {
				refused++
				mu.Unlock()
				return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.Rate, Status: 429, Err: errors.New("too many at once")}
			}
			flying++
			mu.Unlock()
			time.Sleep(200 * time.Millisecond)
			mu.Lock()
			flying--
			mu.Unlock()
			return verbatim.Reply{}, nil
		}))
		begun := time.Now()
		askAll(t, m, 3000)
		ideal := 60 * time.Second
		t.Logf("%v against %v, %d refused", time.Since(begun), ideal, refused)
		if d := time.Since(begun); d > ideal*3/2 || refused > 90 {
			t.Errorf("%v against %v, %d refused", d, ideal, refused)
		}
	})
}

// After Stop the requests in flight finish, and nothing more is sent: no request that
// waits for its turn, and none that waits to be retried.
func TestStopped(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		var count atomic.Int64
		p := New(Config{Attempts: 9, Concurrency: 2, Adaptive: adaptive})
		m := p.Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			first := count.Add(1) == 1
			time.Sleep(time.Second)
			if first {
				return verbatim.Reply{}, fails(verbatim.Cut)
			}
			time.Sleep(9 * time.Second)
			return verbatim.Reply{}, nil
		}))
		time.AfterFunc(1100*time.Millisecond, p.Stop)
		start := time.Now()
		errs := askAll(t, m, 20)
		asked := int(count.Load())
		unsent, cut, answered := 0, 0, 0
		for _, err := range errs {
			var f *verbatim.Failure
			switch {
			case errors.Is(err, errStopped):
				unsent++
			case errors.As(err, &f) && f.Class == verbatim.Cut && len(f.Attempts) == 1:
				cut++
			case err == nil:
				answered++
			}
		}
		if cut != 1 || answered != asked-1 || unsent != 20-asked || time.Since(start) > 12*time.Second {
			t.Errorf("%d sent: %d answered, %d cut, %d unsent after %v", asked, answered, cut, unsent, time.Since(start))
		}
		if _, err := recordtest.Ask(t.Context(), m, verbatim.Request{}); !errors.Is(err, errStopped) {
			t.Errorf("later: %v", err)
		}
	})
}
