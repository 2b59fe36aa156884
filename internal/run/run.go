// Package run takes requests from Sources through Models and a grader into the
// store. It knows neither tasks nor statistics: what is asked, and when it is
// enough, is a Source's to say.
//
// Start at Run. Every model has a lane: a goroutine that asks its Source for
// requests and starts each in a goroutine of its own, as many at a time as the
// lane has jobs. A reply is graded where it arrives and handed to the store's
// Writer, which groups what waits into commits; only then does it count, for the
// Source, for progress and for the caller. worker.go asks, deliver.go hands over what
// came back, and lane.go has the state of a lane. turns.go keeps lanes in step, fixed.go
// is the Source of a plan that is asked from its beginning to its end.
package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
)

// Run asks until every Source has enough, or asking is stopped. An error means
// that the run as a whole could not go on: the store failed, or ctx was done. It
// comes with the Result so far; what was saved is saved. One lane's trouble does
// not end the others and is in its LaneResult.
func Run(ctx context.Context, c Config) (Result, error) {
	abort, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if c.Stop == nil {
		c.Stop = context.Background()
	}
	stop, halt := context.WithCancel(c.Stop)
	defer halt()
	defer context.AfterFunc(abort, halt)()
	if !c.Until.IsZero() {
		var cancel context.CancelFunc
		stop, cancel = context.WithDeadline(stop, c.Until)
		defer cancel()
	}
	all := &call{
		engine: engine{Config: c, abort: abort, stop: stop, cancel: cancel, halt: halt, turns: newTurns(len(c.Lanes))},
		byRun:  map[int64]*lane{},
	}
	if err := all.open(ctx); err != nil {
		if ctx.Err() == nil && all.stopped(err) {
			return all.nothing(), nil
		}
		return Result{}, err
	}
	return all.run()
}

// A call is a call of Run: its engine and its lanes.
type call struct {
	engine
	lanes []*lane
	byRun map[int64]*lane
}

// open claims the runs and makes the lanes.
func (c *call) open(ctx context.Context) error {
	var runs []int64
	for i := range c.Lanes {
		l := newLane(&c.engine, i)
		if c.byRun[l.Run.N] != nil {
			return fmt.Errorf("run %s has two lanes", l.Run.Name)
		}
		c.byRun[l.Run.N] = l
		c.lanes = append(c.lanes, l)
		runs = append(runs, l.Run.N)
	}
	var err error
	if c.writer, err = c.Store.WriteWithin(ctx, c.stop, c.saved, runs...); err != nil {
		return err
	}
	for _, l := range c.lanes {
		if err := l.open(ctx); err != nil {
			return errors.Join(fmt.Errorf("run %s: %w", l.Run.Name, err), c.writer.Close())
		}
	}
	c.teller = newProgressSender(c.Progress, c.state)
	return nil
}

// stopped reports whether err is that the asking was stopped before the runs were
// claimed: while another process had locked the file.
func (c *call) stopped(err error) bool {
	if c.writer != nil || c.stop.Err() == nil {
		return false
	}
	var locked *sqlite.Error
	return errors.Is(err, c.stop.Err()) || errors.Is(err, context.Cause(c.stop)) || errors.As(err, &locked) && locked.Kind == sqlite.Locked
}

// nothing is the result where nothing was asked.
func (c *call) nothing() Result {
	var result Result
	for range c.Lanes {
		result.Lanes = append(result.Lanes, LaneResult{Tally: store.Tally{}, Stopped: true})
	}
	return result
}

func (c *call) run() (Result, error) {
	go func() { // a store that fails ends the asking; what is in flight is paid for, and Close saves it elsewhere
		<-c.writer.Done()
		if c.writer.Err() != nil {
			c.halt()
		}
	}()
	var group sync.WaitGroup
	for _, l := range c.lanes {
		group.Go(l.run)
	}
	group.Wait()
	err := c.writer.Close()
	if err == nil {
		err = context.Cause(c.abort)
	}
	var result Result
	for _, l := range c.lanes {
		result.Lanes = append(result.Lanes, l.result())
	}
	c.teller.close()
	return result, err
}

// saved hands committed records to their lanes.
func (c *call) saved(group []store.Saved) {
	for _, k := range group {
		l := c.byRun[k.Run]
		l.deliver(k)
		if c.Saved != nil {
			c.Saved(l.index, k.Record)
		}
	}
	c.teller.tell()
}

// state is how far all lanes are.
func (c *call) state() Progress {
	var p Progress
	for _, l := range c.lanes {
		p.Lanes = append(p.Lanes, l.progress())
	}
	return p
}
