package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// Batching is how a lane hands requests over in batches, for models that can.
//
// What is handed over is kept before it is sent, so that a program that dies at
// any moment neither pays twice nor loses what it has paid for: batches that are
// out are collected by the next call, and where it is not known whether one was
// handed over, the provider is asked.
type Batching struct {
	Model verbatim.Batcher // the model itself, without wrappers
	// Submit hands the Source's requests over in batches instead of asking them one
	// by one. Without it only batches that are out already are collected, after
	// everything else was asked.
	Submit bool
	// Forget gives up batches of which it cannot be found out whether they were
	// handed over: their requests are asked again, and may be paid twice.
	Forget bool
	// Afford says how many of the requests, from the first, there is money for; nil:
	// all. What it has said yes to and Settle is not called for was not sent.
	Afford func(requests []verbatim.Request) (int, error)
	// Hold is told of requests that are out in batches of earlier calls, for which
	// Afford will not be asked; nil: nobody wants to know.
	Hold func(requests []verbatim.Request)
	// Settle is told what became of a request that was sent, before it is kept: it
	// may fill in what the reply cost. Nil: nobody wants to know.
	Settle func(r verbatim.Request, reply *verbatim.Reply, err error)
	// Every is the time between two looks at what is out, at first; it doubles up to
	// 300 times that. 0 is a second: what is small is often there soon.
	Every time.Duration
	// Talk, unless nil, is told what happens to batches, in sentences.
	Talk func(string)
}

// batchSize bounds the requests of one batch: they are held in memory while they
// are handed over and while they are collected. Providers take more.
const batchSize = 10_000

// batchPatience is how often in a row the provider may fail to say how a batch
// is. With the growing waits that is an hour.
const batchPatience = 20

func (b *Batching) talk(format string, args ...any) {
	if b.Talk != nil {
		b.Talk(fmt.Sprintf(format, args...))
	}
}

// recover finds out what became of batches that were on their way when the
// program ended.
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
			l.Batch.talk("Batch %s is given up: its %d requests are asked again, and paid twice if the provider has it.", b.Key, len(b.Places))
			err = l.e.writer.Abandon(ctx, b, "given up")
		case id == "":
			l.Batch.talk("Batch %s was never handed over: its %d requests are asked now.", b.Key, len(b.Places))
			err = l.e.writer.Abandon(ctx, b, "never handed over")
		default:
			err = l.e.writer.Submitted(ctx, b, id)
		}
		if err != nil {
			return err
		}
	}
	if l.places, err = l.e.Store.Places(ctx, l.Run.N); err != nil {
		return err
	}
	if l.source, err = l.Source(l.places); err != nil || l.Batch.Hold == nil {
		return err
	}
	return l.hold(ctx)
}

// hold tells what is out in batches.
func (l *lane) hold(ctx context.Context) error {
	batches, err := l.e.Store.Batches(ctx, l.Run.N)
	if err != nil {
		return err
	}
	for _, b := range batches {
		if !b.Out() {
			continue
		}
		c := collecting{lane: l}
		if err := c.draw(b.Places); err != nil {
			return err
		}
		l.Batch.Hold(slices.Collect(maps.Values(c.asked)))
	}
	return nil
}

// submit hands over everything that the Source wants, as far as the provider
// takes it and there is money for it.
func (l *lane) submit() error {
	var waiting []verbatim.Request
	for more := true; more || len(waiting) > 0; {
		for more && len(waiting) < batchSize {
			requests, err := l.next()
			if err != nil {
				return err
			}
			for _, r := range requests {
				if err := l.check(&r); err != nil {
					return err
				}
				waiting = append(waiting, r)
			}
			more = len(requests) > 0
		}
		if len(waiting) == 0 || l.over.Err() != nil {
			return nil
		}
		n, err := l.handOver(waiting)
		if err != nil {
			return err
		}
		waiting = slices.Clone(waiting[n:])
	}
	return nil
}

// handOver sends as many of the requests as fit into one batch and says how many.
func (l *lane) handOver(requests []verbatim.Request) (int, error) {
	ctx := l.e.abort
	n, err := l.Batch.Model.Fits(requests)
	if err != nil {
		return 0, err
	}
	if l.Batch.Afford != nil {
		if n, err = l.Batch.Afford(requests[:n]); err != nil {
			return 0, err
		}
	}
	requests = requests[:n]
	places := make([]int64, n)
	for i, r := range requests {
		places[i] = r.Seq
	}
	b, err := l.e.writer.Intend(ctx, l.Run.N, places)
	if err != nil {
		return 0, err
	}
	id, err := l.Batch.Model.Submit(ctx, b.Key, requests)
	var f *verbatim.Failure
	switch {
	case err == nil:
	case errors.As(err, &f) && refusedWhole(f.Class):
		// The provider said no: there is no batch, and its requests are free.
		return 0, fmt.Errorf("batch %s: %w", b.Key, errors.Join(err, l.e.writer.Abandon(ctx, b, string(f.Class))))
	default:
		// Perhaps only the reply was lost. Where the batch is not there, it may still
		// be on its way; the next call looks again.
		if found, e := l.Batch.Model.Find(ctx, b.Key); e == nil && found != "" {
			id = found
			break
		}
		return 0, fmt.Errorf("batch %s: %w", b.Key, err)
	}
	l.Batch.talk("Batch %s: %d requests are handed over.", id, n)
	return n, l.e.writer.Submitted(ctx, b, id)
}

// refusedWhole reports whether a failure of the class means that nothing was
// handed over. Of the others it is not known.
func refusedWhole(c verbatim.Class) bool {
	switch c {
	case verbatim.Auth, verbatim.Quota, verbatim.BadAsk, verbatim.Rate:
		return true
	}
	return false
}

// collect waits for what is out and keeps it, batch by batch, until all is in or
// the lane is over.
func (l *lane) collect() {
	every := l.Batch.Every
	if every <= 0 {
		every = time.Second
	}
	wait, failures := every, 0
	for l.over.Err() == nil {
		batches, err := l.e.Store.Batches(l.e.abort, l.Run.N)
		if err != nil {
			l.fail(err)
			return
		}
		out, moved := 0, false
		for _, b := range batches {
			if b.Phase != store.Submitted {
				continue
			}
			over, err := l.look(b)
			if err != nil {
				if failures++; failures >= batchPatience || !passes(err) {
					l.fail(fmt.Errorf("batch %s: %w", b.ID, err))
					return
				}
				out++
				continue
			}
			failures = 0
			if moved = moved || over; !over {
				out++
			}
		}
		if out == 0 {
			return
		}
		if moved {
			wait = every
		}
		select {
		case <-time.After(wait):
		case <-l.over.Done():
		}
		wait = min(2*wait, 300*every)
	}
}

// passes reports whether asking for the state of a batch may succeed later.
func passes(err error) bool {
	var f *verbatim.Failure
	if !errors.As(err, &f) {
		return false
	}
	switch f.Class {
	case verbatim.Auth, verbatim.Quota, verbatim.BadAsk:
		return false
	}
	return true
}

// look asks how a batch is, and keeps what has come of it once it is over.
func (l *lane) look(b store.Batch) (over bool, err error) {
	c := collecting{lane: l}
	state, err := l.Batch.Model.Collect(l.e.abort, b.ID, func(seq int64, reply verbatim.Reply, err error) error {
		if c.asked == nil {
			if err := c.draw(b.Places); err != nil {
				return err
			}
		}
		return c.answer(seq, reply, err)
	})
	if err != nil {
		return false, err
	}
	if !state.Over {
		if state.Raw != b.Raw {
			if err := l.e.writer.Saw(l.e.abort, b, state.Raw); err != nil {
				return false, err
			}
		}
		if state.Total > 0 {
			l.Batch.talk("Batch %s: %s, %d of %d requests are done.", b.ID, state.Raw, state.Done, state.Total)
		}
		return false, nil
	}
	if c.asked == nil {
		if err := c.draw(b.Places); err != nil {
			return false, err
		}
	}
	if err := c.rest(state.Raw); err != nil {
		return false, err
	}
	if err := l.e.writer.Collected(l.e.abort, b, state.Raw); err != nil {
		return false, err
	}
	l.Batch.talk("Batch %s: %s; %d answers of %d requests are kept.", b.ID, state.Raw, c.answers, len(b.Places))
	return true, nil
}

// A collecting keeps what comes of one batch.
type collecting struct {
	*lane
	asked   map[int64]verbatim.Request // not kept yet; nil before draw
	answers int
}

// draw draws the requests of the batch again, from the beginning of the plan.
func (c *collecting) draw(places []int64) error {
	c.asked = map[int64]verbatim.Request{}
	wanted := map[int64]bool{}
	for _, seq := range places {
		if c.places.Answered(seq) || c.collected.Has(seq) { // by a collecting that broke off
			c.answers++
		} else {
			wanted[seq] = true
		}
	}
	var none store.Places
	source, err := c.Source(&none)
	if err != nil {
		return err
	}
	for len(c.asked) < len(wanted) {
		requests, err := source.Next(nil)
		if err != nil {
			return err
		}
		if len(requests) == 0 {
			return fmt.Errorf("%d requests of the batch are not in the plan", len(wanted)-len(c.asked))
		}
		for _, r := range requests {
			if wanted[r.Seq] {
				r.Attempt = max(r.Attempt, c.places.Tries(r.Seq)+1)
				c.asked[r.Seq] = r
			}
		}
	}
	return nil
}

// answer keeps what the provider says of one request. What it says of a request
// that is not in the batch, or says again, is passed over.
func (c *collecting) answer(seq int64, reply verbatim.Reply, err error) error {
	r, ok := c.asked[seq]
	if !ok {
		return nil
	}
	delete(c.asked, seq)
	for i := range reply.Attempts {
		reply.Attempts[i].N = r.Attempt
	}
	if c.Batch.Settle != nil {
		c.Batch.Settle(r, &reply, err)
	}
	rec := c.judged(r, reply, err, time.Now(), 0)
	if rec.Reply != nil {
		rec.Reply.Times.Start, rec.Reply.Times.Total = time.Time{}, 0
		c.answers++
	}
	c.mu.Lock()
	c.out++
	c.mu.Unlock()
	if err := c.e.writer.Put(c.e.abort, c.Run.N, rec); err != nil {
		c.mu.Lock()
		c.out--
		c.mu.Unlock()
		return err
	}
	c.collected.Add(seq)
	return nil
}

// rest keeps of the requests that the provider said nothing of that they have no
// answer.
func (c *collecting) rest(state string) error {
	for seq, r := range c.asked {
		f := &verbatim.Failure{Class: verbatim.Overload, Err: fmt.Errorf("the batch is over (%s) and holds no answer to it", state),
			Attempts: []verbatim.Attempt{{N: r.Attempt, Start: time.Now(), Class: verbatim.Overload, Err: "no answer in the batch"}}}
		if err := c.answer(seq, verbatim.Reply{}, f); err != nil {
			return err
		}
	}
	return nil
}
