package pace

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
)

// A script answers each request with the next step, the last one again and again.
type script struct {
	steps []error // nil is an answer
	bare  bool    // records no attempts
	takes time.Duration

	mu    sync.Mutex
	asked []int // Request.Attempt of each
	at    []time.Duration
	start time.Time
}

func (s *script) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	s.mu.Lock()
	step := s.steps[min(len(s.asked), len(s.steps)-1)]
	s.asked = append(s.asked, r.Attempt)
	if s.start.IsZero() {
		s.start = time.Now()
	}
	s.at = append(s.at, time.Since(s.start))
	s.mu.Unlock()
	if s.takes > 0 {
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			return &verbatim.Failure{Class: verbatim.Deadline, Err: context.Cause(ctx)}
		}
	}
	a := verbatim.Attempt{N: r.Attempt, Status: 200, RequestID: "id"}
	var f *verbatim.Failure
	if step == nil {
		*reply = verbatim.Reply{Text: "answer"}
		if !s.bare {
			reply.Attempts = []verbatim.Attempt{a}
		}
		return nil
	}
	if errors.As(step, &f) && !s.bare {
		c := *f
		a.Class = c.Class
		c.Attempts = []verbatim.Attempt{a}
		return &c
	}
	return step
}

func fails(c verbatim.Class) error { return &verbatim.Failure{Class: c, Err: errors.New("because")} }

func after(c verbatim.Class, d time.Duration) error {
	return &verbatim.Failure{Class: c, Status: 429, After: d, Err: errors.New("slower")}
}

func failure(t *testing.T, err error) *verbatim.Failure {
	t.Helper()
	var f *verbatim.Failure
	if !errors.As(err, &f) {
		t.Fatalf("%v is no failure", err)
	}
	return f
}

// bubble runs a test in virtual time, for the fixed and the adaptive Pacer.
func bubble(t *testing.T, test func(t *testing.T, adaptive bool)) {
	for name, adaptive := range map[string]bool{"fixed": false, "adaptive": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, adaptive) })
		})
	}
}

func TestClasses(t *testing.T) {
	for class, again := range map[verbatim.Class]bool{
		verbatim.Transport: true, verbatim.Rate: true, verbatim.Overload: true, verbatim.Cut: true,
		verbatim.Quota: false, verbatim.Auth: false, verbatim.BadAsk: false, verbatim.Content: false, verbatim.Deadline: false,
	} {
		bubble(t, func(t *testing.T, adaptive bool) {
			s := &script{steps: []error{fails(class)}}
			_, err := recordtest.Ask(t.Context(), New(Config{Attempts: 4, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 3})
			want := []int{3}
			if again {
				want = []int{3, 4, 5, 6}
			}
			f := failure(t, err)
			if f.Class != class || len(f.Attempts) != len(want) || !slices.Equal(s.asked, want) {
				t.Fatalf("%s: asked as %v, want %v: %v", class, s.asked, want, err)
			}
			for i, a := range f.Attempts {
				if a.N != want[i] || a.Class != class || a.RequestID != "id" || (a.Wait > 0) != (i > 0) {
					t.Errorf("%s: attempt %d is %+v", class, i, a)
				}
				if i > 0 && a.Wait != s.at[i]-s.at[i-1] {
					t.Errorf("%s: attempt %d says that it waited %v, and it was %v", class, i, a.Wait, s.at[i]-s.at[i-1])
				}
			}
		})
	}
}

func TestSuccessAfterFailures(t *testing.T) {
	for _, bare := range []bool{false, true} {
		bubble(t, func(t *testing.T, adaptive bool) {
			s := &script{steps: []error{fails(verbatim.Overload), fails(verbatim.Cut), nil}, bare: bare}
			reply, err := recordtest.Ask(t.Context(), New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
			if err != nil || reply.Text != "answer" || len(reply.Attempts) != 3 {
				t.Fatalf("%+v, %v", reply, err)
			}
			for i, want := range []verbatim.Class{verbatim.Overload, verbatim.Cut, ""} {
				if a := reply.Attempts[i]; a.Class != want || a.N != i+1 || (a.Wait > 0) != (i > 0) || bare && want != "" && a.Err != "because" {
					t.Errorf("attempt %d is %+v", i, a)
				}
			}
		})
	}
}

// An answer is never asked for again, whatever it says.
func TestAnswersAreKept(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := &script{steps: []error{nil, fails(verbatim.Cut)}}
		if _, err := recordtest.Ask(t.Context(), New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1}); err != nil || len(s.asked) != 1 {
			t.Errorf("%v, asked %v", err, s.asked)
		}
	})
}

// The waits double from half a second to half a minute, half of each by chance,
// and a Retry-After is the least of them.
func TestWaits(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := &script{steps: []error{fails(verbatim.Cut)}}
		recordtest.Ask(t.Context(), New(Config{Attempts: 12, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
		for i := 1; i < 12; i++ {
			most := min(30*time.Second, 500*time.Millisecond<<(i-1))
			if d := s.at[i] - s.at[i-1]; d < most/2 || d > most {
				t.Errorf("wait %d is %v, want %v to %v", i, d, most/2, most)
			}
		}
	})
	for _, class := range []verbatim.Class{verbatim.Rate, verbatim.Overload} {
		bubble(t, func(t *testing.T, adaptive bool) {
			s := &script{steps: []error{after(class, 7*time.Second), after(class, time.Minute), nil}}
			_, err := recordtest.Ask(t.Context(), New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i, least := range []time.Duration{7 * time.Second, time.Minute} {
				if d := s.at[i+1] - s.at[i]; d < least || d > least+longJitter {
					t.Errorf("%s: wait %d is %v, want a little more than %v", class, i, d, least)
				}
			}
		})
	}
}

// A server that asks for a wait of more than five minutes gets no request from any
// worker: the lane can be continued later.
func TestLongWait(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := &script{steps: []error{after(verbatim.Rate, longAfter+1), nil}}
		m := New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s)
		_, err := recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Rate || f.After != longAfter+1 || len(f.Attempts) != 1 {
			t.Errorf("%+v", f)
		}
		_, err = recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Quota || len(f.Attempts) != 0 || f.Hint == "" || len(s.asked) != 1 {
			t.Errorf("%+v, asked %v", f, s.asked)
		}
		// The wait that a broken server asks for holds only for that request.
		s = &script{steps: []error{after(verbatim.Overload, longAfter+1), nil}}
		m = New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s)
		if _, err = recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}); failure(t, err).Class != verbatim.Overload || len(s.asked) != 1 {
			t.Errorf("%v, asked %v", err, s.asked)
		}
		if _, err = recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}); err != nil {
			t.Error(err)
		}
	})
}

func TestTotal(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		// A wait that would end too late is not begun.
		s := &script{steps: []error{after(verbatim.Rate, 20*time.Second)}, takes: 3 * time.Second}
		begun := time.Now()
		_, err := recordtest.Ask(t.Context(), New(Config{Attempts: 5, Total: 10 * time.Second, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Rate || len(f.Attempts) != 1 || time.Since(begun) != 3*time.Second {
			t.Errorf("%+v after %v", f, time.Since(begun))
		}
		// An attempt is ended by it.
		s = &script{steps: []error{after(verbatim.Cut, 0), nil}, takes: 7 * time.Second}
		begun = time.Now()
		_, err = recordtest.Ask(t.Context(), New(Config{Attempts: 9, Total: 10 * time.Second, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Deadline || !errors.Is(f, errTotal) || len(f.Attempts) != 2 || time.Since(begun) != 10*time.Second {
			t.Errorf("%+v after %v", f, time.Since(begun))
		}
		// Waiting before the first attempt does not count.
		s = &script{steps: []error{nil}, takes: 3 * time.Second}
		m := New(Config{Concurrency: 1, Total: 4 * time.Second}).Wrap(s)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if _, err := recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	})
}

func TestContext(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		// While it waits to retry: the last failure.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		p := New(Config{Attempts: 2, Adaptive: adaptive})
		_, err := recordtest.Ask(ctx, p.Wrap(&script{steps: []error{after(verbatim.Rate, time.Minute)}}), verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Rate || time.Since(begun) > time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		// While it waits at the gate, whose state is then as before.
		_, err = recordtest.Ask(ctx, p.Wrap(&script{steps: []error{nil}}), verbatim.Request{Attempt: 1})
		if f := failure(t, err); len(f.Attempts) != 0 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v", f)
		}
		short, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err = recordtest.Ask(short, p.Wrap(&script{steps: []error{nil}}), verbatim.Request{Attempt: 1}); err == nil {
			t.Error("it went through the pause")
		}
		if st := p.State(); st.Waiting != 0 || st.InFlight != 0 || st.PausedUntil.IsZero() || st.Why == "" {
			t.Errorf("%+v", st)
		}
		if _, err = recordtest.Ask(t.Context(), p.Wrap(&script{steps: []error{nil}}), verbatim.Request{Attempt: 1}); err != nil {
			t.Error(err)
		}
	})
}

// The failure of the model is its own: it is not written to. What is no failure
// is returned as it is.
func TestFailuresAreLeft(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		shared := &verbatim.Failure{Class: verbatim.Cut, Err: errors.New("cut")}
		m := New(Config{Attempts: 3, Adaptive: adaptive}).Wrap(&script{steps: []error{shared}, bare: true})
		for range 2 {
			_, err := recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1})
			if f := failure(t, err); len(f.Attempts) != 3 || shared.Attempts != nil {
				t.Errorf("%+v, the model's own %+v", f, shared)
			}
		}
		odd := errors.New("no failure of ours")
		if _, err := recordtest.Ask(t.Context(), New(Config{Attempts: 3}).Wrap(&script{steps: []error{odd}}), verbatim.Request{}); err != odd {
			t.Errorf("%v, want %v as it is", err, odd)
		}
	})
}

// A model that panics releases its slot and its reservation.
func TestPanic(t *testing.T) {
	b := NewBudget(verbatim.Dollar, 0)
	p := New(Config{Price: &verbatim.Price{Output: verbatim.Dollar}, Budget: b})
	m := p.Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) { panic("oh") }))
	func() {
		defer func() { recover() }()
		recordtest.Ask(t.Context(), m, verbatim.Request{MaxTokens: 10})
	}()
	if st := p.State(); st.InFlight != 0 || st.Balance.Reserved != 0 || st.Balance.Spent == 0 {
		t.Errorf("%+v, %+v", st, st.Balance)
	}
}

type modelFunc func(context.Context, verbatim.Request) (verbatim.Reply, error)

func (f modelFunc) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	got, err := f(ctx, *r)
	if err == nil {
		*reply = got
	}
	return err
}
