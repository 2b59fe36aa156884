package run

import (
	"context"

	"verbatim"
	"verbatim/internal/store"
)

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
	// Stopped says that Stop or the context ended the lane before its Source had no
	// more requests.
	Stopped bool
	// Err is why the lane ended early: the *verbatim.Failure of a model without quota or key,
	// or an error of the Source.
	Err error
}
