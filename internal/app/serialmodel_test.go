package app

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/recordtest"
	"verbatim/internal/run"
)

// A crowd counts the requests in flight of several models.
type crowd struct{ now, most atomic.Int64 }

// Ask implements verbatim.Model.
func (c *crowd) Ask(context.Context, *verbatim.Request, *verbatim.Reply) error {
	n := c.now.Add(1)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
	}
	for range 100 { // lets others in
		c.now.Load()
	}
	c.now.Add(-1)
	return nil
}

// Sides on one server, or with one name, have one request in flight together. Others are not held.
func TestSerialize(t *testing.T) {
	side := func(host, name string) target { return target{Handle: model.Handle{Host: host, Name: name}} }
	for _, c := range []struct {
		name string
		a, b target
		one  bool
	}{
		{"one endpoint twice", side("127.0.0.1:8080", "m"), side("127.0.0.1:8080", "m"), true},
		{"two models of a server", side("127.0.0.1:8080", "m"), side("127.0.0.1:8080", "n"), true},
		{"one simulated model twice", side("", "sim:careful"), side("", "sim:careful"), true},
		{"two ports", side("127.0.0.1:8080", "m"), side("127.0.0.1:8081", "m"), false},
		{"two programs", side("", "exec:a"), side("", "exec:b"), false},
	} {
		var all crowd
		r := &Round{Job{targets: []target{c.a, c.b}, lanes: []run.Lane{{Model: &all}, {Model: &all}}}}
		r.serialize()
		first, second := r.lanes[0].Model.(serialModel), r.lanes[1].Model.(serialModel)
		if (first.gate == second.gate) != c.one {
			t.Errorf("%s: held together %v", c.name, first.gate == second.gate)
		}
		if !c.one {
			continue
		}
		var group sync.WaitGroup
		for i := range 200 {
			group.Go(func() {
				if _, err := recordtest.Ask(t.Context(), r.lanes[i%2].Model, verbatim.Request{}); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if all.most.Load() != 1 {
			t.Errorf("%s: %d in flight", c.name, all.most.Load())
		}
	}
	// A request that waits ends with its context.
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	full := serialModel{&crowd{}, make(chan struct{}, 1)}
	full.gate <- struct{}{}
	if _, err := recordtest.Ask(ended, full, verbatim.Request{}); err != nil {
		t.Error(err)
	}
}
