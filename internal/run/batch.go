package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// batchSize is the greatest number of requests of one batch. They are in memory while they are
// submitted and collected. Providers accept more.
const batchSize = 10_000

// batchPatience is how often in a row the state of a batch may be unknown. With the growing waits that
// is an hour.
const batchPatience = 20

// recover determines the state of batches that were being submitted when the program ended.
func (l *lane) recover(ctx context.Context) error {
	batches, err := l.e.Store.Batches(ctx, l.Run.N)
	if err != nil {
		return err
	}
	for _, b := range batches {
		if b.Phase != store.Intended {
			continue
		}
		id, err := l.Batch.Model.Find(ctx, b.Key)
		switch {
		case err != nil && !l.Batch.Forget:
			return fmt.Errorf("it is not known whether batch %s was handed over: %w", b.Key, err)
		case err != nil:
			l.Batch.talk("Batch %s is given up: its %d requests are sent again, and paid twice if the provider has it.", b.Key, len(b.Positions))
			if err = l.e.writer.AbandonBatch(ctx, b, "given up"); err == nil {
				err = l.giveUp(b)
			}
		case id == "":
			l.Batch.talk("Batch %s was never handed over: its %d requests are sent now.", b.Key, len(b.Positions))
			if err = l.e.writer.AbandonBatch(ctx, b, "never handed over"); err == nil {
				err = l.free(b)
			}
		default:
			err = l.e.writer.SetBatchID(ctx, b, id)
		}
		if err != nil {
			return err
		}
	}
	if l.positions, err = l.e.Store.Positions(ctx, l.Run.N); err != nil {
		return err
	}
	l.source, err = l.Source(l.positions)
	return err
}

// hold passes the requests of batches that are or may be pending to Batching.Hold, before any lane
// sends a request: the budget is reserved for them first.
func (l *lane) hold(ctx context.Context) error {
	if l.Batch == nil {
		return nil
	}
	batches, err := l.e.Store.Batches(ctx, l.Run.N)
	if err != nil {
		return err
	}
	for _, b := range batches {
		if !b.Pending() {
			continue
		}
		asked, err := l.requestsOf(b)
		if err != nil {
			return err
		}
		l.Batch.Hold(slices.Collect(maps.Values(asked)))
	}
	return nil
}

// requestsOf returns the requests of a batch that have no answer yet, by position.
func (l *lane) requestsOf(b store.Batch) (map[int64]verbatim.Request, error) {
	c := collecting{lane: l}
	err := c.draw(b)
	return c.asked, err
}

// giveUp saves the maximum cost of the requests of a batch that is given up.
func (l *lane) giveUp(b store.Batch) error {
	asked, err := l.requestsOf(b)
	if err != nil {
		return err
	}
	for seq, r := range asked {
		cost := l.Batch.GiveUp(r)
		if cost == nil {
			continue
		}
		l.charged[seq] = r.Attempt
		err := l.e.writer.Reservations(l.Run.N).Charge(seq, []verbatim.Attempt{{N: r.Attempt, Start: b.Intended, Class: verbatim.Transport, Cost: cost,
			Err: "its batch was given up: it may have been billed"}})
		if err != nil {
			return err
		}
	}
	return nil
}

// free releases the budget of a batch that was never handed over.
func (l *lane) free(b store.Batch) error {
	asked, err := l.requestsOf(b)
	if err != nil {
		return err
	}
	for _, r := range asked {
		l.Batch.Settle(r, &verbatim.Reply{}, errNotHandedOver)
	}
	return nil
}

var errNotHandedOver = errors.New("the batch was never handed over")

// submit hands over all requests of the Source, as far as the provider accepts them and the budget
// suffices.
func (l *lane) submit() error {
	for more := true; more || len(l.waiting) > 0; {
		for more && len(l.waiting) < batchSize {
			requests, err := l.next()
			if err != nil {
				return err
			}
			for _, r := range requests {
				skipped, err := l.check(&r)
				if err != nil {
					return err
				}
				if !skipped {
					l.waiting = append(l.waiting, r)
				}
			}
			more = len(requests) > 0
		}
		if len(l.waiting) == 0 || l.over.Err() != nil {
			return nil
		}
		n, err := l.handOver(l.waiting)
		if err != nil {
			return err
		}
		l.waiting = slices.Clone(l.waiting[n:])
	}
	return nil
}

// batches submits and collects, until the Source has no more requests, or no more can be submitted.
// Pending batches are collected even after an error, because they are paid for. Collecting may release
// a part of the budget, so that more requests can be submitted.
func (l *lane) batches() error {
	for {
		err := l.checkError()
		if err == nil {
			err = l.submit()
		}
		collected := l.collect(false)
		if err == nil {
			err = l.checkError()
		}
		over := l.over.Err() != nil
		if err == nil && len(l.waiting) > 0 && !over {
			continue
		}
		f, ok := errors.AsType[*verbatim.Failure](err)
		lacksBudget := ok && f.Class == verbatim.Quota && len(f.Attempts) == 0
		switch {
		case lacksBudget && over:
			return nil // the pending batches will release budget
		case !lacksBudget || collected == 0 || over:
			return err
		}
	}
}

// handOver submits as many of the requests as fit into one batch and returns their number.
func (l *lane) handOver(requests []verbatim.Request) (int, error) {
	ctx := l.e.abort
	requests, maxTokens := slices.Clone(requests), l.Batch.Most()
	for i := range requests {
		requests[i].MaxTokens = l.Batch.Limit(&requests[i], maxTokens)
	}
	n, err := l.Batch.Model.Fits(requests)
	if err != nil {
		return 0, err
	}
	if n, err = l.Batch.Afford(requests[:n]); err != nil {
		return 0, err
	}
	requests = requests[:n]
	positions := make([]int64, n)
	for i, r := range requests {
		positions[i] = r.Seq
	}
	b, err := l.e.writer.BeginBatch(ctx, l.Run.N, positions, maxTokens)
	if err != nil {
		return 0, err
	}
	id, err := l.Batch.Model.Submit(ctx, b.Key, requests)
	f, ok := errors.AsType[*verbatim.Failure](err)
	switch {
	case err == nil:
	case ok && refusedWhole(f.Class):
		// There is no batch, and its requests cost nothing.
		for _, r := range requests {
			l.Batch.Settle(r, &verbatim.Reply{}, errNotHandedOver)
		}
		abandoned := l.e.writer.AbandonBatch(ctx, b, string(f.Class))
		if abandoned == nil && l.Batch.Again(&requests[0], err) {
			return 0, nil
		}
		return 0, fmt.Errorf("batch %s: %w", b.Key, errors.Join(err, abandoned))
	default:
		// Perhaps only the response was lost. If the provider does not have the batch, it may
		// still be on its way: the next call of Run looks for it again.
		if found, e := l.Batch.Model.Find(ctx, b.Key); e == nil && found != "" {
			id = found
			break
		}
		return 0, fmt.Errorf("batch %s: %w", b.Key, err)
	}
	l.Batch.talk("Batch %s: %d requests are handed over.", id, n)
	return n, l.e.writer.SetBatchID(ctx, b, id)
}

// refusedWhole reports whether a failure of the class means that the provider has no batch. With other
// classes that is unknown.
func refusedWhole(c verbatim.Class) bool {
	switch c {
	case verbatim.Auth, verbatim.Quota, verbatim.BadAsk, verbatim.Rate:
		return true
	}
	return false
}

// collect waits for pending batches and saves their results, batch by batch, until none is pending or
// the lane is over. With once it looks at each batch once, even if the lane is over. It returns the
// number of batches that it has collected.
func (l *lane) collect(once bool) (collected int) {
	every := cmp.Or(max(0, l.Batch.Every), time.Second)
	wait := every
	w := watch{lane: l, last: map[string]string{}}
	for once || l.over.Err() == nil {
		batches, err := l.e.Store.Batches(l.e.abort, l.Run.N)
		if err != nil {
			l.fail(err)
			return collected
		}
		pending := 0
		for _, b := range batches {
			if b.Phase != store.Submitted {
				continue
			}
			over, err := w.poll(b)
			switch {
			case err != nil && l.e.abort.Err() == nil:
				l.fail(err)
				return collected
			case err != nil:
				return collected
			case over:
				collected++
				wait = every
			default:
				pending++
			}
		}
		if pending == 0 || once {
			return collected
		}
		select {
		case <-time.After(wait):
		case <-l.over.Done():
		}
		wait = min(2*wait, 300*every)
	}
	return collected
}

// A watch polls pending batches.
type watch struct {
	*lane
	failures int               // in a row
	last     map[string]string // by key of the batch, the last message about it
}

// poll looks at a batch once, saves its results if it is over, and reports its state to Talk. The error
// ends the collecting: the run was stopped, or the state of the batch stays unknown.
func (w *watch) poll(b store.Batch) (over bool, err error) {
	over, message, err := w.look(b, w.failures+1 >= batchPatience)
	switch {
	case err == nil:
		w.failures = 0
	case w.e.abort.Err() != nil:
		return false, err
	default:
		w.failures++
		if w.failures >= batchPatience || !passes(err) {
			return false, fmt.Errorf("batch %s: %w", b.ID, err)
		}
		message = fmt.Sprintf("its state is unknown (%v); the provider is asked again, less and less often.", err)
	}
	if message != "" && message != w.last[b.Key] {
		w.last[b.Key] = message
		w.Batch.talk("Batch %s: %s", b.ID, message)
	}
	return over, nil
}

// passes reports whether the state of a batch may be known later, after this error.
func passes(err error) bool {
	f, ok := errors.AsType[*verbatim.Failure](err)
	return ok && f.Class != verbatim.Auth && f.Class != verbatim.Quota && f.Class != verbatim.BadAsk
}

// Batching says how a lane submits requests in batches.
//
// A batch is saved before it is submitted. So a program that ends at any moment neither pays twice nor
// loses what it has paid for. The next call of Run collects pending batches. If it is unknown whether
// one was submitted, it asks the provider.
type Batching struct {
	Model verbatim.Batcher // the model itself, without wrappers
	// Submit says that the requests of the Source are submitted in batches, and not sent one
	// by one. Otherwise only pending batches are collected, after all other requests.
	Submit bool
	// Forget gives up batches of which it is unknown whether they were submitted. Their
	// requests are sent again and may be paid twice.
	Forget bool
	// Afford reserves the budget for the requests and returns for how many of them, from the
	// first, it suffices. Settle is called for each of these, also if it is not submitted after
	// all.
	Afford func(requests []verbatim.Request) (int, error)
	// Hold is called with the requests of pending batches of earlier calls, instead of Afford.
	Hold func(requests []verbatim.Request)
	// Settle is called with the result of a request before it is saved, and may set the cost
	// of the reply.
	Settle func(r verbatim.Request, reply *verbatim.Reply, err error)
	// GiveUp is called with a request of a batch that is given up, and returns its maximum
	// cost, nil if that is unknown.
	GiveUp func(r verbatim.Request) *verbatim.Money
	// Most returns the largest token limit in the next batch, or AnyTokens. Limit returns the
	// token limit of a request under it. The number is saved with the batch, so that its
	// requests can be drawn again as they were sent.
	Most  func() int
	Limit func(r *verbatim.Request, most int) int
	// Again reports whether a request that the provider has refused is submitted again, in the
	// next batch, because Most is lower now.
	Again func(r *verbatim.Request, err error) bool
	// Every is the time until the state of pending batches is asked for again. It doubles, up
	// to 300 times that. 0 is a second, because small batches may be done soon.
	Every time.Duration
	// Talk is called with a message about every change of a batch; nil: it is not called.
	Talk func(string)
}

// AnyTokens is the value of Batching.Most that sets no limit.
const AnyTokens = store.AnyTokens

func (b *Batching) talk(format string, args ...any) {
	if b.Talk != nil {
		b.Talk(fmt.Sprintf(format, args...))
	}
}

// look asks for the state of a batch, and saves its results if it is over. message is about its state.
// The last look takes results as they are that have been incomplete all the time.
func (l *lane) look(b store.Batch, last bool) (over bool, message string, err error) {
	if !slices.ContainsFunc(b.Positions, func(seq int64) bool { return !l.positions.Answered(seq) }) {
		// A process ended after it had saved the last answer. The provider may have removed the batch since.
		return true, "all its answers are saved.", l.e.writer.FinishBatch(l.e.abort, b, b.Raw)
	}
	c := collecting{lane: l}
	state, err := l.Batch.Model.Collect(l.e.abort, b.ID, func(seq int64, reply verbatim.Reply, err error) error {
		if c.asked == nil {
			if err := c.draw(b); err != nil {
				return err
			}
		}
		return c.answer(seq, reply, err)
	})
	lost := ""
	if f, ok := errors.AsType[*verbatim.Failure](err); ok && last && state.Over && f.Class == verbatim.Cut {
		lost, err = fmt.Sprintf(" (%v)", f.Err), nil
	}
	if err != nil {
		return false, "", err
	}
	if !state.Over {
		if state.Raw != b.Raw {
			if err := l.e.writer.SetBatchStatus(l.e.abort, b, state.Raw); err != nil {
				return false, "", err
			}
		}
		if state.Total == 0 {
			return false, state.Raw, nil
		}
		return false, fmt.Sprintf("%s, %d of %d requests are done.", state.Raw, state.Done, state.Total), nil
	}
	if c.asked == nil {
		if err := c.draw(b); err != nil {
			return false, "", err
		}
	}
	if err := c.rest(state.Raw); err != nil {
		return false, "", err
	}
	if err := l.e.writer.FinishBatch(l.e.abort, b, state.Raw); err != nil {
		return false, "", err
	}
	c.queue()
	message = fmt.Sprintf("%s%s; %d answers of %d requests are saved.", state.Raw, lost, c.answers, len(b.Positions))
	if state.Foreign > 0 {
		message += fmt.Sprintf(" %d of its results cannot be read, or are of requests that do not wait for one; they are passed over. The first: %s.", state.Foreign, state.FirstForeign)
	}
	return true, message, nil
}

// A collecting saves the results of one batch.
type collecting struct {
	*lane
	asked   map[int64]verbatim.Request // by position, those without a saved result; nil before draw
	left    map[int64]bool             // the positions without a call of answer
	answers int                        // the number of requests with a saved answer
	refused []verbatim.Request         // for the next batch
}

// queue adds the requests that were refused to those of the next batch.
func (c *collecting) queue() {
	if !c.inBatches() {
		return // the next call of Run sends them
	}
	for _, r := range c.refused {
		c.mu.Lock()
		c.charged[r.Seq] = r.Attempt
		c.again.Add(r.Seq)
		c.mu.Unlock()
		c.collected.Remove(r.Seq)
		r.Attempt++
		c.waiting = append(c.waiting, r)
	}
}

// draw draws the requests of the batch without a saved result again, from the beginning of the plan,
// with the token limits that were sent.
func (c *collecting) draw(b store.Batch) error {
	c.asked, c.left = map[int64]verbatim.Request{}, map[int64]bool{}
	requested := map[int64]bool{}
	for _, seq := range b.Positions {
		c.left[seq] = true
		if c.positions.Answered(seq) || c.collected.Has(seq) { // saved when collecting broke off
			c.answers++
		} else {
			requested[seq] = true
		}
	}
	var none store.Positions
	source, err := c.Source(&none)
	if err != nil {
		return err
	}
	for len(c.asked) < len(requested) {
		requests, err := source.Next(nil)
		if err != nil {
			return err
		}
		if len(requests) == 0 {
			return fmt.Errorf("%d requests of the batch are not in the plan", len(requested)-len(c.asked))
		}
		for _, r := range requests {
			if requested[r.Seq] {
				r.Attempt = max(r.Attempt, c.positions.Attempts(r.Seq)+1, c.charged[r.Seq]+1)
				r.MaxTokens = c.Batch.Limit(&r, b.MostTokens())
				c.asked[r.Seq] = r
			}
		}
	}
	return nil
}

// answer saves the result of one request, unless it was saved before. A result of a request that is not
// in the batch, or a second one, is verbatim.ErrForeign.
func (c *collecting) answer(seq int64, reply verbatim.Reply, err error) error {
	if !c.left[seq] {
		return verbatim.ErrForeign
	}
	delete(c.left, seq)
	r, ok := c.asked[seq]
	if !ok {
		return nil
	}
	delete(c.asked, seq)
	reply.Attempts = numbered(reply.Attempts, r.Attempt)
	c.Batch.Settle(r, &reply, err)
	if err != nil && c.Batch.Again(&r, err) {
		c.refused = append(c.refused, r)
	}
	if f, ok := errors.AsType[*verbatim.Failure](err); ok {
		own := *f // several requests may have one failure
		own.Attempts = numbered(f.Attempts, r.Attempt)
		err = &own
	}
	rec := c.gradeReply(&r, &reply, err, time.Now(), 0)
	if rec.Reply != nil {
		rec.Reply.Times.Start, rec.Reply.Times.Total = time.Time{}, 0
		c.answers++
	}
	if err := c.hand(rec); err != nil {
		return err
	}
	c.collected.Add(seq)
	return nil
}

// numbered returns a copy of the attempts with this number.
func numbered(attempts []verbatim.Attempt, n int) []verbatim.Attempt {
	attempts = slices.Clone(attempts)
	for i := range attempts {
		attempts[i].N = n
	}
	return attempts
}

// rest saves failures for the requests of which the provider has no result. state is that of the batch.
func (c *collecting) rest(state string) error {
	for seq, r := range c.asked {
		f := &verbatim.Failure{Class: verbatim.Overload, Err: fmt.Errorf("the batch is over (%s) and has no answer to this request", state),
			Attempts: []verbatim.Attempt{{N: r.Attempt, Start: time.Now(), Class: verbatim.Overload, Err: "no answer in the batch"}}}
		if err := c.answer(seq, verbatim.Reply{}, f); err != nil {
			return err
		}
	}
	return nil
}
