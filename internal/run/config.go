package run

import (
	"context"
	"time"

	"verbatim"
	"verbatim/internal/store"
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
