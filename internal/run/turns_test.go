package run

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
)

// A course records how far lanes are apart when they start requests.
type course struct {
	mu     sync.Mutex
	at     []int64 // the position each lane has started last
	most   int64   // how far two lanes were apart at most
	starts []int   // in order, by lane
}

func (c *course) start(lane int, seq int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at[lane] = seq
	c.starts = append(c.starts, lane)
	lo, hi := c.at[0], c.at[0]
	for _, at := range c.at {
		lo, hi = min(lo, at), max(hi, at)
	}
	c.most = max(c.most, hi-lo)
}

// lanes makes lanes whose models take as long as delay says.
func (c *course) lanes(t *testing.T, n int64, jobs int, count int, delay func(ctx context.Context, lane int, seq int64)) Config {
	s := newStore(t)
	c.at = make([]int64, count)
	config := Config{Store: s, Grade: grade}
	for i := range count {
		c.at[i] = -1
		config.Lanes = append(config.Lanes, Lane{Run: begin(t, s, fmt.Sprint("m", i), n), Source: fixed(n), Jobs: jobs,
			Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
				c.start(i, r.Seq)
				delay(ctx, i, r.Seq)
				return right(ctx, r)
			})})
	}
	return config
}

// TestLanesGoInStep: lanes of about the same speed send the same items at about the
// same time.
func TestLanesGoInStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c course
		config := c.lanes(t, 60, 1, 3, func(_ context.Context, lane int, seq int64) {
			time.Sleep(time.Duration(5+lane+(int(seq)*7+lane*3)%5) * time.Millisecond)
		})
		finished(t, config)
		if c.most > 3 {
			t.Errorf("lanes were %d positions apart", c.most)
		}
		for i := 0; i+3 <= len(c.starts); i += 3 {
			if seen := map[int]bool{c.starts[i]: true, c.starts[i+1]: true, c.starts[i+2]: true}; i < 3 && len(seen) != 3 {
				t.Errorf("the first three starts are of lanes %v", c.starts[:3])
			}
		}
	})
}

// TestSlowLane: a lane that is much slower is left behind, and the others finish while
// it is at its beginning.
func TestSlowLane(t *testing.T) {
	var c course
	let := make(chan struct{})
	var once sync.Once
	config := c.lanes(t, 300, 4, 2, func(_ context.Context, lane int, seq int64) {
		if lane == 1 {
			<-let // it hangs until the other has finished
		}
		if lane == 0 && seq == 299 {
			once.Do(func() { close(let) })
		}
	})
	finished(t, config)
	if c.most < letGo {
		t.Errorf("lanes were %d positions apart at most", c.most)
	}
}

// TestDeadLane: no lane waits for a lane that has ended.
func TestDeadLane(t *testing.T) {
	var c course
	config := c.lanes(t, 100, 1, 2, func(context.Context, int, int64) {})
	config.Lanes[1].Model = fails(verbatim.Failure{Class: verbatim.Quota})
	result, err := Run(ctx, config)
	if err != nil || !result.Lanes[0].Finished || result.Lanes[1].Finished {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestTurns tests the rules without models.
func TestTurns(t *testing.T) {
	var turn = newTurns(3)
	started := func(me int, seq int64, patience time.Duration) bool {
		begun := time.Now()
		turn.wait(ctx, me, seq, patience)
		return time.Since(begun) < patience
	}
	const long, short = time.Minute, 20 * time.Millisecond
	if !started(0, 0, long) || !started(1, 0, long) || !started(2, 0, long) || !started(0, 1, long) {
		t.Error("a lane that is not ahead waits")
	}
	if started(0, 2, short) {
		t.Error("a lane two positions ahead does not wait")
	}
	if !started(0, 2+letGo, long) {
		t.Error("a lane waits for others that were let go")
	}
	released := make(chan bool)
	turn.wait(ctx, 1, 9, 0)
	turn.wait(ctx, 2, 9, 0)
	go func() { released <- started(1, 11, long) }() // waits for 2 to start 10
	select {
	case <-released:
		t.Error("did not wait")
	case <-time.After(short):
	}
	turn.wait(ctx, 2, 10, long)
	if !<-released {
		t.Error("was not released by the other's start")
	}
	go func() { released <- started(1, 12, long) }()
	turn.leave(2)
	if !<-released {
		t.Error("was not released by the other's end")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	turn = newTurns(2)
	turn.wait(done, 0, 5, long) // returns
}
