package pace

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
)

// A script answers each request with the next step, the last one for ever.
type script struct {
	steps []error // nil is an answer
	bare  bool    // records no attempts
	asked []int   // Request.Attempt of each
}

func (s *script) Ask(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
	step := s.steps[min(len(s.asked), len(s.steps)-1)]
	s.asked = append(s.asked, r.Attempt)
	a := verbatim.Attempt{N: r.Attempt, Status: 200, RequestID: "id"}
	var f *verbatim.Failure
	if step == nil {
		reply := verbatim.Reply{Text: "answer"}
		if !s.bare {
			reply.Attempts = []verbatim.Attempt{a}
		}
		return reply, nil
	}
	if errors.As(step, &f) && !s.bare {
		c := *f
		a.Class = c.Class
		c.Attempts = []verbatim.Attempt{a}
		return verbatim.Reply{}, &c
	}
	return verbatim.Reply{}, step
}

func fails(c verbatim.Class) error { return &verbatim.Failure{Class: c, Err: errors.New("because")} }

func after(d time.Duration) error {
	return &verbatim.Failure{Class: verbatim.Rate, After: d, Err: errors.New("slower")}
}

// wrap returns a retry with a clock that only remembers.
func wrap(m verbatim.Model, tries int, chance float64) (*retry, *[]time.Duration) {
	var waits []time.Duration
	r := Retry(tries)(m).(*retry)
	now := time.Unix(0, 0)
	r.clock = clock{
		now: func() time.Time { return now },
		sleep: func(ctx context.Context, d time.Duration) error {
			waits = append(waits, d)
			now = now.Add(d)
			return ctx.Err()
		},
		chance: func() float64 { return chance },
	}
	return r, &waits
}

func TestRetryClasses(t *testing.T) {
	for class, again := range map[verbatim.Class]bool{
		verbatim.Transport: true, verbatim.Rate: true, verbatim.Overload: true, verbatim.Cut: true,
		verbatim.Quota: false, verbatim.Auth: false, verbatim.BadAsk: false, verbatim.Content: false, verbatim.Deadline: false,
	} {
		s := &script{steps: []error{fails(class)}}
		r, _ := wrap(s, 4, 0)
		_, err := r.Ask(t.Context(), verbatim.Request{Attempt: 3})
		want := []int{3}
		if again {
			want = []int{3, 4, 5, 6}
		}
		var f *verbatim.Failure
		if !errors.As(err, &f) || f.Class != class || len(f.Attempts) != len(want) || !slices.Equal(s.asked, want) {
			t.Errorf("%s: asked as %v, want %v: %v", class, s.asked, want, err)
		}
		for i, a := range f.Attempts {
			if a.N != want[i] || a.Class != class || a.RequestID != "id" || (a.Wait > 0) != (i > 0) {
				t.Errorf("%s: attempt %d is %+v", class, i, a)
			}
		}
	}
}

func TestRetrySucceeds(t *testing.T) {
	for _, bare := range []bool{false, true} {
		s := &script{steps: []error{fails(verbatim.Overload), fails(verbatim.Cut), nil}, bare: bare}
		r, waits := wrap(s, 5, 0)
		reply, err := r.Ask(t.Context(), verbatim.Request{Attempt: 1})
		if err != nil || reply.Text != "answer" || len(reply.Attempts) != 3 {
			t.Fatalf("%+v, %v", reply, err)
		}
		for i, want := range []verbatim.Class{verbatim.Overload, verbatim.Cut, ""} {
			a := reply.Attempts[i]
			if a.Class != want || a.N != i+1 || i > 0 && a.Wait != (*waits)[i-1] || i == 0 && a.Wait != 0 {
				t.Errorf("attempt %d is %+v, the waits were %v", i, a, *waits)
			}
			if bare && want != "" && a.Err != "because" {
				t.Errorf("attempt %d does not say why: %+v", i, a)
			}
		}
	}
}

// An answer is never asked for again, whatever it says.
func TestRetryKeepsAnswers(t *testing.T) {
	s := &script{steps: []error{nil, fails(verbatim.Cut)}}
	r, waits := wrap(s, 5, 0)
	if _, err := r.Ask(t.Context(), verbatim.Request{Attempt: 1}); err != nil || len(s.asked) != 1 || len(*waits) != 0 {
		t.Errorf("%v, asked %v", err, s.asked)
	}
}

func TestRetryWaits(t *testing.T) {
	for chance, want := range map[float64][]time.Duration{
		0: {250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second,
			15 * time.Second, 15 * time.Second, 15 * time.Second, 15 * time.Second, 15 * time.Second},
		0.5: {375 * time.Millisecond, 750 * time.Millisecond, 1500 * time.Millisecond},
	} {
		s := &script{steps: []error{fails(verbatim.Overload)}}
		r, waits := wrap(s, len(want)+1, chance)
		r.Ask(t.Context(), verbatim.Request{Attempt: 1})
		if !slices.Equal(*waits, want) {
			t.Errorf("chance %v: waits %v, want %v", chance, *waits, want)
		}
	}
	// What the server asks for is the least that is waited.
	s := &script{steps: []error{after(7 * time.Second), after(time.Millisecond), nil}}
	r, waits := wrap(s, 5, 0)
	if _, err := r.Ask(t.Context(), verbatim.Request{Attempt: 1}); err != nil || !slices.Equal(*waits, []time.Duration{7 * time.Second, 500 * time.Millisecond}) {
		t.Errorf("waits %v, %v", *waits, err)
	}
	// One that asks for too long is left alone, and not asked again before.
	s = &script{steps: []error{after(longAfter + 1), nil}}
	r, waits = wrap(s, 5, 0)
	_, err := r.Ask(t.Context(), verbatim.Request{Attempt: 1})
	var f *verbatim.Failure
	if !errors.As(err, &f) || f.After != longAfter+1 || len(*waits) != 0 || len(s.asked) != 1 {
		t.Errorf("%v, waits %v", err, *waits)
	}
}

func TestRetryStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &script{steps: []error{fails(verbatim.Overload)}}
	r, _ := wrap(s, 5, 0)
	_, err := r.Ask(ctx, verbatim.Request{Attempt: 1})
	var f *verbatim.Failure
	if !errors.As(err, &f) || len(s.asked) != 1 || len(f.Attempts) != 1 {
		t.Errorf("%v, asked %v", err, s.asked)
	}
	for _, tries := range []int{-1, 0, 1} {
		s := &script{steps: []error{fails(verbatim.Overload)}}
		r, waits := wrap(s, tries, 0)
		if _, err := r.Ask(t.Context(), verbatim.Request{Attempt: 1}); err == nil || len(s.asked) != 1 || len(*waits) != 0 {
			t.Errorf("%d tries: asked %v, %v", tries, s.asked, err)
		}
	}
	odd := errors.New("no failure of ours")
	r, _ = wrap(&script{steps: []error{odd}}, 5, 0)
	if _, err := r.Ask(t.Context(), verbatim.Request{}); err != odd {
		t.Errorf("%v, want %v as it is", err, odd)
	}
}

// The failure of the model is its own: it is not written to.
func TestRetryLeavesTheFailure(t *testing.T) {
	shared := &verbatim.Failure{Class: verbatim.Cut, Err: errors.New("cut")}
	r, _ := wrap(&script{steps: []error{shared}, bare: true}, 3, 0)
	for range 2 {
		_, err := r.Ask(t.Context(), verbatim.Request{Attempt: 1})
		var f *verbatim.Failure
		if !errors.As(err, &f) || len(f.Attempts) != 3 || shared.Attempts != nil {
			t.Errorf("%+v, the model's own %+v", f, shared)
		}
	}
}

// With the real clock: the wait is waited, and ends with the context.
func TestRetrySleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		m := Retry(2)(&script{steps: []error{after(time.Minute), nil}, bare: true})
		reply, err := m.Ask(t.Context(), verbatim.Request{Attempt: 1})
		if err != nil || time.Since(start) != time.Minute || reply.Attempts[1].Wait != time.Minute {
			t.Errorf("after %v: %+v, %v", time.Since(start), reply.Attempts, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := Retry(2)(&script{steps: []error{after(time.Minute)}}).Ask(ctx, verbatim.Request{Attempt: 1})
		var f *verbatim.Failure
		if !errors.As(err, &f) || f.Class != verbatim.Rate || time.Since(start) != time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}
