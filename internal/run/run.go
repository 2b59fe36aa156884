// Package run sends the requests of Sources to Models, grades the replies and saves the records
// in the store. It knows neither tasks nor statistics: a Source decides which requests are sent
// and when there are enough.
//
// Start at Run. Every model has a lane: a goroutine that takes requests from its Source, and
// workers that send them, as many at a time as the lane has jobs. A worker grades the reply and
// hands the record to the store's Writer, which commits waiting records together. Only after the
// commit does the record count, for the Source, for progress and for the caller.
//
// lane.go has the state of a lane, and keeps lanes in step. worker.go sends requests, grades the replies and hands over the records. batch.go submits and collects batches. fixed.go is the Source of a plan that is sent from its beginning to its end.
package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"verbatim"
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

// A Config says which requests are sent to which models, and where their records go.
type Config struct {
	Store *store.Store
	Lanes []Lane
	// Grade grades a reply; package grade has such a function. It is called from many
	// goroutines.
	Grade func(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade

	// No more requests are sent when Stop is done. Those in flight are finished and saved.
	// Nil sets no end. To stop at once, cancel the context of Run: then requests in flight
	// are lost, and sent again when the run is continued.
	Stop context.Context

	// Progress is called after every change, from one goroutine; nil: it is not called. A
	// slow Progress does not delay the run: it misses states in between. It always gets the
	// last state before Run returns.
	Progress func(Progress)
	// Saved is called with every record after its commit, from one goroutine; nil: it is not
	// called. A slow Saved delays the run.
	Saved func(lane int, rec verbatim.Record)
}

// A Lane is one run: a model and the requests to it. All lanes run at the same time, in step if
// their speeds allow it.
type Lane struct {
	Run   verbatim.Run // as the store's Begin returned it
	Model verbatim.Model
	// Source makes the Source when the run is claimed. It must not send what saved has.
	Source func(saved *store.Positions) (verbatim.Source, error)
	// Claimed is called when the run is claimed, before its first request; nil: it is not
	// called. The costs of what the last process had in flight are known by then.
	Claimed func(*store.Writer) error
	Jobs    int // requests that the model has at a time; less than 1 is 1
	// InFlight is how many of the Jobs the model sends at a time, if it lets the others wait;
	// 0 is all. No request is sent while InFlight + store.GroupSize requests are sent or wait
	// for their commit: a kill may lose these.
	InFlight int
	// Patience is the number of requests without an answer, after all their attempts, that
	// end the lane with an error as long as none was answered. So the whole plan is not sent
	// to an endpoint that is not there. 0 is any number.
	Patience int
	// Check is called before the first request, and whenever a record is saved; nil: it is
	// not called. Its error ends the lane.
	Check func() error
	// Over is called once when no more requests are sent; nil: it is not called. The model
	// need not send requests that it has and has not sent. One that it returns without an
	// attempt is not saved.
	Over func()
	// Shortening finds out whether the model shortens prompts; nil: one of the lane's own.
	Shortening *Shortening
	// Batch submits requests in batches, and collects those that are pending; nil: the model
	// has no batches.
	Batch *Batching
	// Warmup is sent first, and its replies are not saved: a model that is being loaded
	// answers late.
	Warmup []verbatim.Request
}

// A Result has the results of the lanes, in the order of Config.Lanes.
type Result struct{ Lanes []LaneResult }

// A LaneResult is the result of one lane.
type LaneResult struct {
	Tally store.Tally // of the records that this call saved
	// Finished says that the Source has no more requests and that every one has an answer.
	// Then the run is marked as ended.
	Finished bool
	// Unsupported is the number of requests that were skipped because the model cannot take
	// their prompts.
	Unsupported int64
	// Shortened is the number of requests without an answer because the endpoint shortens prompts.
	Shortened int64
	// Stopped says that Stop or the context ended the lane before its Source had no
	// more requests.
	Stopped bool
	// Err is why the lane ended early: the *verbatim.Failure of a model without quota or key,
	// or an error of the Source.
	Err error
}

// Progress is the progress of all lanes. It counts saved records, not replies that have arrived.
type Progress struct{ Lanes []LaneProgress }

// LaneProgress is the progress of one lane.
type LaneProgress struct {
	Run      verbatim.Run // Run.Plan.Count is the number of positions; 0: unknown
	Tally    store.Tally  // of the whole run, earlier calls included; a copy
	Session  int64        // records saved by this call
	InFlight int          // requests that the model has
	Warming  bool         // warm-up requests are in flight
	// Tokens of the replies that were saved by this call, as far as the server
	// counted them.
	PromptTokens, CompletionTokens int64
	Over                           bool // no more requests are sent
	Err                            error
}

// A progressSender calls progress with the latest state, from one goroutine. It skips states while
// progress runs.
type progressSender struct {
	progress func(Progress)
	state    func() Progress
	changes  chan struct{}
	done     chan struct{}
}

func newProgressSender(progress func(Progress), state func() Progress) *progressSender {
	s := &progressSender{progress: progress, state: state, changes: make(chan struct{}, 1), done: make(chan struct{})}
	if progress == nil {
		close(s.done)
		return s
	}
	go func() {
		defer close(s.done)
		for range s.changes {
			s.progress(s.state())
		}
		s.progress(s.state())
	}()
	return s
}

// notify says that the state has changed.
func (s *progressSender) notify() {
	select {
	case s.changes <- struct{}{}:
	default:
	}
}

// close sends the last state. notify must not be called after it.
func (s *progressSender) close() {
	close(s.changes)
	<-s.done
}
