package run

import (
	"context"
	"errors"
	"strings"
	"testing"

	"verbatim"
)

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
