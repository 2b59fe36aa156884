package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"verbatim"
)

func TestWhatBecomesOfFailures(t *testing.T) {
	t.Parallel()
	attempts := []verbatim.Attempt{{N: 1, Class: verbatim.Rate}, {N: 2, Class: verbatim.Cut, Partial: "half"}}
	refused := []verbatim.Attempt{{N: 1, Class: verbatim.Auth, Start: time.Now()}}
	cases := []struct {
		name     string
		answer   modelFunc
		outcome  verbatim.Outcome
		class    verbatim.Class
		attempts int
		says     string
		over     bool // the lane ends
	}{
		{"failure", fails(verbatim.Failure{Class: verbatim.Overload, Err: errors.New("busy"), Attempts: attempts}), verbatim.Errored, verbatim.Overload, 2, "busy", false},
		{"wrapped failure", func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			return verbatim.Reply{}, fmt.Errorf("around: %w", &verbatim.Failure{Class: verbatim.Rate})
		}, verbatim.Errored, verbatim.Rate, 1, "", false},
		{"cut", fails(verbatim.Failure{Class: verbatim.Cut, Attempts: attempts}), verbatim.CutOff, verbatim.Cut, 2, "", false},
		{"request", fails(verbatim.Failure{Class: verbatim.BadAsk}), verbatim.Errored, verbatim.BadAsk, 1, "", false},
		{"plain error", func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			return verbatim.Reply{}, errors.New("odd")
		}, verbatim.Errored, verbatim.Transport, 1, "odd", false},
		{"own time limit", func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			return verbatim.Reply{}, fmt.Errorf("asking: %w", context.DeadlineExceeded)
		}, verbatim.Errored, verbatim.Deadline, 1, "asking", false},
		{"panic", func(context.Context, verbatim.Request) (verbatim.Reply, error) { panic("at the disco") }, verbatim.Errored, verbatim.Content, 1, "disco", false},
		{"quota", fails(verbatim.Failure{Class: verbatim.Quota, Attempts: attempts}), verbatim.Errored, verbatim.Quota, 2, "", true},
		{"budget", fails(verbatim.Failure{Class: verbatim.Quota}), verbatim.Skipped, verbatim.Quota, 0, "", true},
		{"auth", fails(verbatim.Failure{Class: verbatim.Auth, Err: errors.New("no key"), Attempts: refused}), verbatim.Errored, verbatim.Auth, 1, "no key", true},
		{"auth of others", fails(verbatim.Failure{Class: verbatim.Auth}), verbatim.Skipped, verbatim.Auth, 0, "", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			r := begin(t, s, "m", 100)
			over := make(chan struct{})
			result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{{Run: r, Source: fixed(100), Jobs: 2,
				Over: func() { close(over) },
				Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
					if r.Seq == 50 {
						return c.answer(ctx, r)
					}
					if c.over && r.Seq > 80 { // the other job may be far ahead of the one that ends the lane
						select {
						case <-over:
						case <-time.After(10 * time.Second):
						}
					}
					return right(ctx, r)
				})}}})
			if err != nil {
				t.Fatal(err)
			}
			all := records(t, s, r.N)
			f := all[50].Failure
			if f == nil || all[50].Outcome != c.outcome || f.Class != c.class || len(f.Attempts) != c.attempts || !strings.Contains(fmt.Sprint(f.Err), c.says) {
				t.Fatalf("%s: %+v", all[50].Outcome, f)
			}
			if c.attempts == 1 && (f.Attempts[0].N != 1 || f.Attempts[0].Class != c.class || f.Attempts[0].Start.IsZero()) {
				t.Errorf("attempt %+v", f.Attempts[0])
			}
			l := result.Lanes[0]
			var ended *verbatim.Failure
			if errors.As(l.Err, &ended) != c.over || c.over && ended.Class != c.class || l.Finished || l.Stopped {
				t.Errorf("%+v", l)
			}
			if saved := len(all); c.over && saved > 90 || !c.over && saved != 100 {
				t.Errorf("%d records", saved)
			}
			for seq, rec := range all {
				if seq != 50 && rec.Outcome != verbatim.Pass {
					t.Errorf("position %d: %s", seq, rec.Outcome)
				}
			}
		})
	}
}

// fails is a model that always fails in one way.
func fails(f verbatim.Failure) modelFunc {
	return func(context.Context, verbatim.Request) (verbatim.Reply, error) {
		own := f
		return verbatim.Reply{}, &own
	}
}

// TestGraderThatFails: the answer is not lost, and not judged either.
func TestGraderThatFails(t *testing.T) {
	for name, bad := range map[string]func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade{
		"panic":      func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade { panic("oh") },
		"no outcome": func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade { return verbatim.Grade{Grader: "text/1"} },
		"no grader": func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade {
			return verbatim.Grade{Outcome: verbatim.Pass}
		},
	} {
		s := newStore(t)
		r := begin(t, s, "m", 10)
		_, err := Run(ctx, Config{Store: s, Lanes: []Lane{{Run: r, Source: fixed(10), Model: modelFunc(right)}},
			Grade: func(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
				if it.ID == item(4).ID {
					return bad(it, text, finish)
				}
				return grade(it, text, finish)
			}})
		if err != nil {
			t.Fatal(err)
		}
		all := records(t, s, r.N)
		if len(all) != 10 || all[4].Outcome != verbatim.Errored || all[4].Failure.Attempts[0].Partial != item(4).Want.Text || all[5].Outcome != verbatim.Pass {
			t.Errorf("%s: %d records, %+v", name, len(all), all[4].Failure)
		}
	}
}

// TestOneBadLane: the other lanes finish.
func TestOneBadLane(t *testing.T) {
	s := newStore(t)
	var lanes []Lane
	for _, m := range []struct {
		name  string
		model modelFunc
	}{{"good", right}, {"broke", fails(verbatim.Failure{Class: verbatim.Quota})}, {"down", fails(verbatim.Failure{Class: verbatim.Transport})}, {"fine", right}} {
		lanes = append(lanes, Lane{Run: begin(t, s, m.name, 500), Model: m.model, Source: fixed(500), Jobs: 3})
	}
	lanes = append(lanes, Lane{Run: begin(t, s, "odd source", 500), Model: modelFunc(right),
		Source: given(sourceFunc(func([]verbatim.Record) ([]verbatim.Request, error) { return nil, errors.New("out of ideas") }))})
	result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: lanes})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 3} {
		if l := result.Lanes[i]; !l.Finished || l.Tally[verbatim.Pass] != 500 {
			t.Errorf("lane %d: %+v", i, l)
		}
	}
	if l := result.Lanes[1]; l.Finished || l.Err == nil || l.Tally[verbatim.Skipped] == 0 || l.Tally.Saved() > 10 {
		t.Errorf("the lane without quota: %+v", l)
	}
	if l := result.Lanes[2]; l.Finished || l.Err != nil || l.Stopped || l.Tally[verbatim.Errored] != 500 {
		t.Errorf("the lane that is down: %+v", l)
	}
	if l := result.Lanes[4]; l.Finished || l.Err == nil || l.Err.Error() != "out of ideas" {
		t.Errorf("the lane with a bad source: %+v", l)
	}
}

// TestPatience runs models that leave some requests without an answer: a lane that has
// never had an answer ends after as many failures as its patience allows, and had not
// many more requests in flight. With one answer, in this call or before, it goes on.
func TestPatience(t *testing.T) {
	const plan, jobs, patience = 60, 2, 5
	down := fails(verbatim.Failure{Class: verbatim.Transport, Err: errors.New("nothing listens there")})
	until := func(answered int64, seqs ...int64) modelFunc { // answers the positions before answered, and seqs
		return func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			for _, seq := range seqs {
				if r.Seq == seq {
					return right(ctx, r)
				}
			}
			if r.Seq < answered {
				return right(ctx, r)
			}
			return down(ctx, r)
		}
	}
	for _, c := range []struct {
		name     string
		patience int
		before   modelFunc // sent first, in a call of its own
		model    modelFunc
		gives    bool // it gives up
	}{
		{"nobody is there", patience, nil, down, true},
		{"nobody was there before either", patience, down, down, true},
		{"the first is answered", patience, nil, until(1), false},
		{"the last that it waits for is answered", patience, nil, until(0, patience-1), false},
		{"something was answered before", patience, until(0, 3), down, false},
		{"any number", 0, nil, down, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			r := begin(t, s, "m", plan)
			lane := Lane{Run: r, Source: fixed(plan), Jobs: 1}
			if c.before != nil {
				lane.Model = c.before
				if _, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{lane}}); err != nil {
					t.Fatal(err)
				}
			}
			var asked log
			lane.Model, lane.Patience = asked.model(c.model), c.patience
			if c.gives {
				lane.Jobs = jobs
			}
			result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{lane}})
			if err != nil {
				t.Fatal(err)
			}
			l, n := result.Lanes[0], len(asked.asked)
			if !c.gives {
				if saved := len(records(t, s, r.N)); l.Err != nil || saved != plan {
					t.Errorf("%d of %d saved, and the lane ended with %v", saved, plan, l.Err)
				}
				return
			}
			if l.Err == nil || !strings.HasPrefix(l.Err.Error(), "none of the first 5 requests was answered: ") || !strings.Contains(l.Err.Error(), "nothing listens there") {
				t.Errorf("the lane ended with %v", l.Err)
			}
			// As many requests as its patience may be sent whose failures are not
			// reported yet.
			if most := 2*patience + jobs; n < patience || n > most {
				t.Errorf("%d were sent, want %d to %d", n, patience, most)
			}
			if l.Finished || l.Stopped {
				t.Errorf("%+v", l)
			}
		})
	}
}
