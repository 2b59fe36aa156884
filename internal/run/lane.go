package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// A lane sends the requests of one Source to one model.
type lane struct {
	Lane
	e         *call
	index     int
	source    verbatim.Source
	positions *store.Positions
	slots     chan struct{}      // one token for each request in flight
	over      context.Context    // done: the lane sends no more requests
	end       context.CancelFunc // ends over
	asks      sync.WaitGroup
	// work has the requests that hold a slot; workers take them. If each request had a
	// goroutine of its own, the stack would grow again each time.
	work      chan verbatim.Request
	workers   int
	asked     store.BitSet       // positions of this call
	charged   map[int64]int      // by position, the number of the last attempt that positions does not count
	waiting   []verbatim.Request // for the next batch
	collected store.BitSet       // positions of batches that this call has handed to the store
	notify    chan struct{}      // receives when a record is saved or given up

	mu          sync.Mutex
	pending     []verbatim.Record // saved, for the next call of the Source
	out         int               // requests that were started and are neither saved nor given up
	flight      int               // those of them that the model has
	service     time.Duration     // the time that the model takes, smoothed
	warming     bool
	finished    bool // the Source has no more requests
	ended       bool // the store has marked the run as ended
	err         error
	answered    bool         // there was an answer, in this call or before
	unsupported int64        // requests of this call that the model cannot take
	cut         int64        // requests of this call whose prompts are shortened
	again       store.BitSet // positions that have a record of this call and are sent once more
	lost        int          // requests of this call without an answer, before the first answer
	before      store.Tally  // of the records that were saved when the lane began, without those replaced since
	tally       store.Tally  // of the records that were saved since
	tokens      tokens
}

func newLane(e *call, index int) *lane {
	l := &lane{Lane: e.Lanes[index], e: e, index: index, notify: make(chan struct{}, 1), tally: store.Tally{}, charged: map[int64]int{}}
	l.Jobs = max(l.Jobs, 1)
	if l.Shortening == nil {
		l.Shortening = &Shortening{}
	}
	if l.InFlight < 1 {
		l.InFlight = l.Jobs
	}
	l.slots = make(chan struct{}, l.Jobs)
	l.work = make(chan verbatim.Request, l.Jobs)
	l.over, l.end = context.WithCancel(e.stop)
	return l
}

// next returns the next requests of the Source, and waits if it has none yet. No requests mean the end
// of the lane.
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

// take returns the records that are saved and that the Source does not have yet, in planned order. idle
// says that no more will follow, because no requests are in flight.
func (l *lane) take() (done []verbatim.Record, idle bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	done, l.pending = l.pending, nil
	slices.SortFunc(done, func(a, b verbatim.Record) int { return cmp.Compare(a.Seq, b.Seq) })
	return done, l.out == 0
}

// check returns an error for a request that a Source must not send, and sets Request.Attempt, which
// continues from earlier attempts. It saves a request that is not to be sent, and reports that.
func (l *lane) check(r *verbatim.Request) (skipped bool, err error) {
	switch {
	case r.Item == nil:
		return false, fmt.Errorf("the source sends position %d without an item", r.Seq)
	case r.Seq < 0 || r.Seq > store.MaxSeq:
		return false, fmt.Errorf("the source sends position %d, which no run has", r.Seq)
	case l.positions.Answered(r.Seq):
		return false, fmt.Errorf("the source sends position %d, item %q, which has an answer", r.Seq, r.Item.ID)
	case !l.asked.Add(r.Seq):
		return false, fmt.Errorf("the source sends position %d, item %q, twice", r.Seq, r.Item.ID)
	}
	r.Attempt = max(r.Attempt, l.positions.Attempts(r.Seq)+1, l.charged[r.Seq]+1)
	f := l.Shortening.Refuse(r)
	if f == nil {
		return false, nil
	}
	return true, l.hand(l.gradeReply(r, nil, f, time.Now(), 0))
}

// halted reports whether no more requests may be sent. When abort ends, requests fail at once, but over
// ends later, through a goroutine.
func (l *lane) halted() bool { return l.over.Err() != nil || l.e.abort.Err() != nil }

// full reports whether as many requests are in flight or wait for their commit as a kill may lose, or
// as may be before the first answer.
func (l *lane) full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out >= l.InFlight+store.GroupSize || l.Patience > 0 && !l.answered && l.out >= l.Jobs+l.Patience
}

// giveUpUnanswered counts a record, and returns an error if Patience requests are without an answer
// and none has one. l.mu is held.
func (l *lane) giveUpUnanswered(rec *verbatim.Record) error {
	if rec.Failure != nil && rec.Failure.Class == verbatim.Unsupported {
		l.unsupported++
		return nil
	}
	if rec.Failure != nil && rec.Failure.Class == verbatim.Shortened {
		l.cut++
		return nil
	}
	l.answered = l.answered || rec.Outcome.Answered()
	if l.answered || l.Patience == 0 {
		return nil
	}
	l.lost++
	if l.lost < l.Patience {
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
	l.e.sender.notify()
}

// tokens is the tokens of replies, by the server's counts.
type tokens struct{ prompt, completion int64 }

func (t *tokens) add(u verbatim.Usage) {
	if u.Prompt != nil {
		t.prompt += *u.Prompt
	}
	if u.Completion != nil {
		t.completion += *u.Completion
	}
}

// inBatches reports whether the lane submits its requests in batches.
func (l *lane) inBatches() bool { return l.Batch != nil && l.Batch.Submit }

// checkError returns the error of Check.
func (l *lane) checkError() error {
	if l.Check == nil {
		return nil
	}
	return l.Check()
}

// runCheck ends the lane if Check returns an error.
func (l *lane) runCheck() {
	if err := l.checkError(); err != nil {
		l.fail(err)
	}
}

func (l *lane) signal() {
	select {
	case l.notify <- struct{}{}:
	default:
	}
}

// fail ends the lane. Only the first error counts.
func (l *lane) fail(err error) {
	l.mu.Lock()
	if l.err == nil {
		l.err = err
	}
	l.mu.Unlock()
	l.end()
}

// settled reports whether all requests that were started are saved or given up.
func (l *lane) settled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out == 0
}

// done reports whether the lane has reached the end of its Source.
func (l *lane) done() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.finished && l.err == nil
}

func (l *lane) result() LaneResult {
	l.mu.Lock()
	defer l.mu.Unlock()
	return LaneResult{Tally: l.tally, Finished: l.ended, Unsupported: l.unsupported, Shortened: l.cut, Stopped: !l.finished && l.err == nil, Err: l.err}
}

// patience returns how long the lane waits for others: about the time between two of its own requests.
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

// letGo is how many positions a lane must be behind for the others not to wait for it.
const letGo = 64

// The shortest and longest time that a lane waits for others before one request.
const (
	minPatience = 2 * time.Millisecond
	maxPatience = 10 * time.Second
)

// A turns keeps lanes in step, so that a time in which a network or a server was slow affects the same
// items of all. A lane starts a position only when the others have started those before it. But it
// waits no longer than it takes for a request of its own, and not at all for a lane that is letGo
// positions behind. So lanes of about the same speed proceed item by item. A much slower one delays
// the others by a bounded time in all, and one that hangs does not delay them.
type turns struct {
	mu      sync.Mutex
	lanes   []turn
	waiting int
	changed chan struct{} // closed when lanes change while someone waits
}

// A turn is the position that a lane starts next.
type turn struct {
	next int64
	gone bool
}

func newTurns(n int) *turns {
	return &turns{lanes: make([]turn, n), changed: make(chan struct{})}
}

// wait returns when lane me may start the position seq, after patience, or when ctx is done.
func (t *turns) wait(ctx context.Context, me int, seq int64, patience time.Duration) {
	if len(t.lanes) == 1 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.move(me, turn{next: seq})
	if t.mustWait(me, seq) {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		for over := false; !over && t.mustWait(me, seq); {
			changed := t.changed
			t.waiting++
			t.mu.Unlock()
			select {
			case <-changed:
			case <-timer.C:
				over = true
			case <-ctx.Done():
				over = true
			}
			t.mu.Lock()
			t.waiting--
		}
	}
	t.move(me, turn{next: seq + 1})
}

// mustWait reports whether lane me has to wait for another one that has not started a position before seq.
func (t *turns) mustWait(me int, seq int64) bool {
	for i, o := range t.lanes {
		if i != me && !o.gone && o.next < seq && seq-o.next < letGo {
			return true
		}
	}
	return false
}

// leave removes a lane: no other lane waits for it any more.
func (t *turns) leave(me int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.move(me, turn{gone: true})
}

func (t *turns) move(me int, to turn) {
	t.lanes[me] = to
	if t.waiting > 0 {
		close(t.changed)
		t.changed = make(chan struct{})
	}
}
