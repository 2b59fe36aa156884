// Package run sends the requests of Sources to Models, grades the replies and saves the records
// in the store. It knows neither tasks nor statistics: a Source decides which requests are sent
// and when there are enough.
//
// Start at Run. Every model has a lane: a goroutine that takes requests from its Source, and
// workers that send them, as many at a time as the lane has jobs. A worker grades the reply and
// hands the record to the store's Writer, which commits waiting records together. Only after the
// commit does the record count, for the Source, for progress and for the caller.
//
// lane.go has the state of a lane. worker.go sends requests, deliver.go hands over their records.
// turns.go keeps lanes in step. batch.go, batching.go and collecting.go submit and collect
// batches. fixed.go is the Source of a plan that is sent from its beginning to its end.
package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
)

// Run sends requests until every Source has no more, or until it is stopped. An error means that the
// store failed or ctx was done. It comes with the Result so far, and what was saved stays saved. The
// error of one lane does not end the others and is in its LaneResult.
func Run(ctx context.Context, c Config) (Result, error) {
	abort, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if c.Stop == nil {
		c.Stop = context.Background()
	}
	stop, halt := context.WithCancel(c.Stop)
	defer halt()
	defer context.AfterFunc(abort, halt)()
	all := &call{Config: c, abort: abort, stop: stop, cancel: cancel, halt: halt, turns: newTurns(len(c.Lanes)), byRun: map[int64]*lane{}}
	if err := all.open(ctx); err != nil {
		if ctx.Err() == nil && all.stopped(err) {
			return all.nothing(), nil
		}
		return Result{}, err
	}
	return all.run()
}

// A call is a call of Run: what all lanes share, and the lanes.
type call struct {
	Config
	abort  context.Context         // done: everything ends now
	stop   context.Context         // done: no more requests are sent
	cancel context.CancelCauseFunc // ends abort
	halt   context.CancelFunc      // ends stop
	turns  *turns
	writer *store.Writer
	sender *progressSender
	lanes  []*lane
	byRun  map[int64]*lane
}

// open claims the runs and makes the lanes.
func (c *call) open(ctx context.Context) error {
	var runs []int64
	for i := range c.Lanes {
		l := newLane(c, i)
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
	c.sender = newProgressSender(c.Progress, c.state)
	return nil
}

// stopped reports whether the error of open is that Stop ended it before the runs were
// claimed, while another process had locked the file.
func (c *call) stopped(err error) bool {
	if c.writer != nil || c.stop.Err() == nil {
		return false
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	return errors.Is(err, c.stop.Err()) || errors.Is(err, context.Cause(c.stop)) || ok && e.Kind == sqlite.Locked
}

// nothing returns the result without any request.
func (c *call) nothing() Result {
	var result Result
	for range c.Lanes {
		result.Lanes = append(result.Lanes, LaneResult{Tally: store.Tally{}, Stopped: true})
	}
	return result
}

func (c *call) run() (Result, error) {
	// If the store fails, no more requests are sent. Those in flight are paid for: Close saves them
	// elsewhere.
	go func() {
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
	c.sender.close()
	return result, err
}

// saved hands committed records to their lanes.
func (c *call) saved(group []store.Saved) {
	for _, s := range group {
		l := c.byRun[s.Run]
		l.deliver(s)
		if c.Saved != nil {
			c.Saved(l.index, s.Record)
		}
	}
	c.sender.notify()
}

// state returns the progress of all lanes.
func (c *call) state() Progress {
	var p Progress
	for _, l := range c.lanes {
		p.Lanes = append(p.Lanes, l.progress())
	}
	return p
}
