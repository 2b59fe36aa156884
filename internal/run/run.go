// Package run takes requests from Sources through Models and a grader into the
// store. It knows neither tasks nor statistics: what is asked, and when it is
// enough, is a Source's to say.
//
// Start at Run. Every model has a lane: a goroutine that asks its Source for
// requests and starts each in a goroutine of its own, as many at a time as the
// lane has jobs. A reply is graded where it arrives and handed to the store's
// Writer, which groups what waits into commits; only then does it count, for the
// Source, for progress and for the caller. turns.go keeps lanes in step, fixed.go
// is the Source of a plan that is asked from its beginning to its end.
package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
)

// A Config says what is asked of which models, and what becomes of it.
type Config struct {
	Store *store.Store
	Lanes []Lane
	// Grade judges a reply; package grade has it. It is called from many
	// goroutines.
	Grade func(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade

	// Stop, when it is done, and Until, when it comes, end the asking: what is in
	// flight is finished and saved. Nil and the zero time never do. To stop at once,
	// cancel Run's own context: what is in flight is lost then, and asked again when
	// the run is continued.
	Stop  context.Context
	Until time.Time

	// Progress, unless nil, gets how far the run is whenever that has changed,
	// from one goroutine. A slow Progress misses states in between and holds
	// nothing up; the last state it always gets before Run returns.
	Progress func(Progress)
	// Saved, unless nil, gets every record after its commit, from one
	// goroutine. A slow Saved slows the run down.
	Saved func(lane int, rec verbatim.Record)
}

// A Lane is one run: a model and what it is asked. All lanes are asked at the
// same time, in step where they can be.
type Lane struct {
	Run   verbatim.Run // as the store's Begin returned it
	Model verbatim.Model
	// Source makes the Source once the run is claimed; saved says what is not to
	// be asked again.
	Source func(saved *store.Positions) (verbatim.Source, error)
	// Claimed, unless nil, is called when the run is claimed and nothing of it is asked
	// yet: what its last process had in flight is counted as spent by then.
	Claimed func(*store.Writer) error
	Jobs    int // requests in flight at a time; less than 1 is 1
	// InFlight is how many of the Jobs the model sends at a time, where it lets the
	// others wait; 0 is all of them. No request is sent while more than this and
	// store.GroupSize are sent or wait for their commit: that is what a kill can lose.
	InFlight int
	// Patience is how many requests may stay without an answer, with all their tries,
	// before the first one is answered: an endpoint that is not there would else be
	// asked the whole plan. Such a lane ends with an error. 0 is any number.
	Patience int
	// Check, unless nil, is called before the first request, and whenever a record is
	// saved. Its error ends the lane.
	Check func() error
	// Over, unless nil, is called once when nothing more is to be asked, though
	// requests may be in the model's hands: those that it has not sent need not be.
	// A request that comes back without an attempt after that is as if it had not
	// been asked.
	Over func()
	// Batch hands requests over in batches, and collects those that are out; nil
	// where the model cannot.
	Batch *Batching
	// Warmup is asked first, and its replies are thrown away: a model that is
	// being loaded answers late.
	Warmup []verbatim.Request
}

// A Result says what became of the lanes, in the order of the Config.
type Result struct{ Lanes []LaneResult }

// A LaneResult says what became of one lane.
type LaneResult struct {
	Tally store.Tally // what was saved by this call
	// Finished: the Source wants no more and every position that was asked has an
	// answer. Then the run is marked as ended.
	Finished bool
	// Unsupported are the requests that were skipped because the model cannot take their
	// prompts.
	Unsupported int64
	// Stopped: the asking was ended before the Source had enough, by Stop, Until
	// or the context.
	Stopped bool
	// Err is why the lane ended before its Source did: the *verbatim.Failure of a
	// model without quota or key, or an error of the Source.
	Err error
}

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
	e := &engine{Config: c, abort: abort, stop: stop, cancel: cancel, halt: halt, turns: newTurns(len(c.Lanes)), byRun: map[int64]*lane{}}
	if err := e.open(ctx); err != nil {
		if ctx.Err() == nil && e.stopped(err) {
			return e.nothing(), nil
		}
		return Result{}, err
	}
	return e.run()
}

// An engine is a call of Run.
type engine struct {
	Config
	abort  context.Context // done: everything ends now
	stop   context.Context // done: nothing more is asked
	cancel context.CancelCauseFunc
	halt   context.CancelFunc // ends stop
	turns  *turns
	writer *store.Writer
	lanes  []*lane
	byRun  map[int64]*lane
	teller *progressSender
}

// open claims the runs and makes the lanes.
func (e *engine) open(ctx context.Context) error {
	var runs []int64
	for i := range e.Lanes {
		l := newLane(e, i)
		if e.byRun[l.Run.N] != nil {
			return fmt.Errorf("run %s has two lanes", l.Run.Name)
		}
		e.byRun[l.Run.N] = l
		e.lanes = append(e.lanes, l)
		runs = append(runs, l.Run.N)
	}
	var err error
	if e.writer, err = e.Store.WriteWithin(ctx, e.stop, e.saved, runs...); err != nil {
		return err
	}
	for _, l := range e.lanes {
		if err := l.open(ctx); err != nil {
			return errors.Join(fmt.Errorf("run %s: %w", l.Run.Name, err), e.writer.Close())
		}
	}
	e.teller = newProgressSender(e.Progress, e.lanes)
	return nil
}

// stopped reports whether err is that the asking was stopped before the runs were
// claimed: while another process had locked the file.
func (e *engine) stopped(err error) bool {
	if e.writer != nil || e.stop.Err() == nil {
		return false
	}
	var locked *sqlite.Error
	return errors.Is(err, e.stop.Err()) || errors.Is(err, context.Cause(e.stop)) || errors.As(err, &locked) && locked.Kind == sqlite.Locked
}

// nothing is the result where nothing was asked.
func (e *engine) nothing() Result {
	var result Result
	for range e.Lanes {
		result.Lanes = append(result.Lanes, LaneResult{Tally: store.Tally{}, Stopped: true})
	}
	return result
}

func (e *engine) run() (Result, error) {
	go func() { // a store that fails ends the asking; what is in flight is paid for, and Close saves it elsewhere
		<-e.writer.Done()
		if e.writer.Err() != nil {
			e.halt()
		}
	}()
	var group sync.WaitGroup
	for _, l := range e.lanes {
		group.Go(l.run)
	}
	group.Wait()
	err := e.writer.Close()
	if err == nil {
		err = context.Cause(e.abort)
	}
	var result Result
	for _, l := range e.lanes {
		result.Lanes = append(result.Lanes, l.result())
	}
	e.teller.close()
	return result, err
}

// saved hands committed records to their lanes.
func (e *engine) saved(group []store.Saved) {
	for _, k := range group {
		l := e.byRun[k.Run]
		l.deliver(k)
		if e.Saved != nil {
			e.Saved(l.index, k.Record)
		}
	}
	e.teller.tell()
}
