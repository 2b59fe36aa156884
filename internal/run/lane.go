package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/bitset"
	"verbatim/internal/store"
)

// A lane asks one model what one Source wants.
type lane struct {
	Lane
	e         *engine
	index     int
	source    verbatim.Source
	positions *store.Positions
	slots     chan struct{}   // one token for each request in flight
	over      context.Context // done: the lane asks nothing more
	end       context.CancelFunc
	asks      sync.WaitGroup
	// work has the requests that hold a slot; workers take them. A goroutine for
	// each request would grow its stack again each time.
	work    chan verbatim.Request
	workers int
	asked   bitset.Set         // positions of this call
	charged map[int64]int      // by position, the number of the last attempt that positions does not count
	waiting []verbatim.Request // for a batch
	// collected are positions of batches that were handed to the store by this call.
	collected bitset.Set
	notify    chan struct{} // something was saved, or given up

	mu       sync.Mutex
	pending  []verbatim.Record // saved, and not yet told to the Source
	out      int               // requests that were started and are neither saved nor given up
	flight   int               // of them, those that the model has
	service  time.Duration     // how long the model takes, smoothed
	warming  bool
	finished bool // the Source wants no more
	ended    bool // and the store says the same of the run
	err      error
	answered bool // something was, in this call or before
	// unsupported are the requests of this call that the model cannot take.
	unsupported int64
	again       bitset.Set  // positions that this call has a record of and asks once more
	lost        int         // requests of this call without an answer, while nothing was
	before      store.Tally // what was saved when the lane began, less what was replaced since
	tally       store.Tally // what was saved since
	tokens      tokens
}

func newLane(e *engine, index int) *lane {
	l := &lane{Lane: e.Lanes[index], e: e, index: index, notify: make(chan struct{}, 1), tally: store.Tally{}, charged: map[int64]int{}}
	l.Jobs = max(l.Jobs, 1)
	if l.InFlight < 1 {
		l.InFlight = l.Jobs
	}
	l.slots = make(chan struct{}, l.Jobs)
	l.work = make(chan verbatim.Request, l.Jobs)
	l.over, l.end = context.WithCancel(e.stop)
	return l
}

// next gets the next requests from the Source. None means that the lane is at
// its end, with or without an error.
func (l *lane) next() (requests []verbatim.Request, err error) {
	defer func() {
		if p := recover(); p != nil {
			requests, err = nil, fmt.Errorf("the source panicked: %v", p)
		}
	}()
	for !l.halted() {
		done, idle := l.take()
		requests, err := l.source.Next(done)
		if err != nil || len(requests) > 0 {
			return requests, err
		}
		if requests == nil {
			l.mu.Lock()
			l.finished = true
			l.mu.Unlock()
			return nil, nil
		}
		if idle {
			return nil, errors.New("the source waits for answers, and nothing is in flight")
		}
		select {
		case <-l.notify:
		case <-l.over.Done():
		}
	}
	return nil, nil
}

// take empties the mail, in planned order, and reports whether there is nothing
// that could bring more of it.
func (l *lane) take() (done []verbatim.Record, idle bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	done, l.pending = l.pending, nil
	slices.SortFunc(done, func(a, b verbatim.Record) int { return int(a.Seq - b.Seq) })
	return done, l.out == 0
}

// check refuses what a Source must not ask, and counts on from earlier tries.
func (l *lane) check(r *verbatim.Request) error {
	switch {
	case r.Item == nil:
		return fmt.Errorf("the source sends position %d without an item", r.Seq)
	case r.Seq < 0 || r.Seq > store.MaxSeq:
		return fmt.Errorf("the source sends position %d, which no run has", r.Seq)
	case l.positions.Answered(r.Seq):
		return fmt.Errorf("the source sends position %d, item %q, which has an answer", r.Seq, r.Item.ID)
	case !l.asked.Add(r.Seq):
		return fmt.Errorf("the source sends position %d, item %q, twice", r.Seq, r.Item.ID)
	}
	r.Attempt = max(r.Attempt, l.positions.Attempts(r.Seq)+1, l.charged[r.Seq]+1)
	return nil
}

// noAnswerYet reports whether as much is in flight as there may be before the first
// answer.
func (l *lane) noAnswerYet() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Patience > 0 && !l.answered && l.out >= l.Jobs+l.Patience
}

// halted reports whether nothing more is to be sent. The end of abort comes to over
// through a goroutine of its own, and requests fail before that.
func (l *lane) halted() bool { return l.over.Err() != nil || l.e.abort.Err() != nil }

// full reports whether as much is in flight or waits for its commit as a kill may lose.
func (l *lane) full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out >= l.InFlight+store.GroupSize
}

// giveUpUnanswered gives an endpoint up that has answered nothing yet; the lock is held.
func (l *lane) giveUpUnanswered(rec *verbatim.Record) error {
	if rec.Failure != nil && rec.Failure.Class == verbatim.Unsupported {
		l.unsupported++
		return nil
	}
	if l.answered = l.answered || rec.Outcome.Answered(); l.answered || l.Patience == 0 {
		return nil
	}
	if l.lost++; l.lost < l.Patience {
		return nil
	}
	err := fmt.Errorf("none of the first %d requests was answered", l.lost)
	if rec.Failure != nil {
		err = fmt.Errorf("%w: %w", err, rec.Failure)
	}
	return err
}

func (l *lane) setWarming(on bool) {
	l.mu.Lock()
	l.warming = on
	l.mu.Unlock()
	l.e.teller.tell()
}

// tokens counts what the server says that replies took.
type tokens struct{ prompt, completion int64 }

func (t *tokens) add(u verbatim.Usage) {
	if u.Prompt != nil {
		t.prompt += *u.Prompt
	}
	if u.Completion != nil {
		t.completion += *u.Completion
	}
}

// inBatches reports whether the lane hands its requests over in batches.
func (l *lane) inBatches() bool { return l.Batch != nil && l.Batch.Submit }

// runCheck ends the lane if its Check says so.
func (l *lane) runCheck() {
	if l.Check != nil {
		if err := l.Check(); err != nil {
			l.fail(err)
		}
	}
}

func (l *lane) signal() {
	select {
	case l.notify <- struct{}{}:
	default:
	}
}

// fail ends the lane; the first reason stands.
func (l *lane) fail(err error) {
	l.mu.Lock()
	if l.err == nil {
		l.err = err
	}
	l.mu.Unlock()
	l.end()
}

// settled reports whether all that was started is saved or given up.
func (l *lane) settled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out == 0
}

// done reports whether the lane has come to its Source's end.
func (l *lane) done() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.finished && l.err == nil
}

func (l *lane) result() LaneResult {
	l.mu.Lock()
	defer l.mu.Unlock()
	return LaneResult{Tally: l.tally, Finished: l.ended, Unsupported: l.unsupported, Stopped: !l.finished && l.err == nil, Err: l.err}
}

// patience is how long the lane waits for others: about the time between two of
// its own requests.
func (l *lane) patience() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return min(max(l.service/time.Duration(l.Jobs), minPatience), maxPatience)
}

func (l *lane) progress() LaneProgress {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := LaneProgress{
		Run: l.Run, Tally: maps.Clone(l.before), InFlight: l.flight, Warming: l.warming,
		Session: l.tally.Saved(), PromptTokens: l.tokens.prompt, CompletionTokens: l.tokens.completion,
		Over: l.over.Err() != nil || l.finished, Err: l.err,
	}
	for o, n := range l.tally {
		p.Tally[o] += n
	}
	return p
}
