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

// batchSize bounds the requests of one batch: they are held in memory while they
// are handed over and while they are collected. Providers take more.
const batchSize = 10_000

// batchPatience is how often in a row the provider may fail to say how a batch
// is. With the growing waits that is an hour.
const batchPatience = 20

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

// hold tells what is out in batches, or may be, before any lane asks anything: the
// budget is theirs first.
func (l *lane) hold(ctx context.Context) error {
	if l.Batch == nil || l.Batch.Hold == nil {
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
		c := collecting{lane: l}
		if err := c.draw(b); err != nil {
			return err
		}
		l.Batch.Hold(slices.Collect(maps.Values(c.asked)))
	}
	return nil
}

// giveUp saves what the requests of a batch that is given up may have cost.
func (l *lane) giveUp(b store.Batch) error {
	if l.Batch.GiveUp == nil {
		return nil
	}
	c := collecting{lane: l}
	if err := c.draw(b); err != nil {
		return err
	}
	for seq, r := range c.asked {
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

// free gives back the money of a batch that was never handed over.
func (l *lane) free(b store.Batch) error {
	c := collecting{lane: l}
	if err := c.draw(b); err != nil {
		return err
	}
	for _, r := range c.asked {
		l.giveBack(r)
	}
	return nil
}

// giveBack gives back the money that is reserved for a request that was not handed over.
func (l *lane) giveBack(r verbatim.Request) {
	if l.Batch.Settle != nil {
		l.Batch.Settle(r, &verbatim.Reply{}, errNotHandedOver)
	}
}

var errNotHandedOver = errors.New("the batch was never handed over")

// submit hands over everything that the Source wants, as far as the provider
// takes it and there is money for it.
func (l *lane) submit() error {
	for more := true; more || len(l.waiting) > 0; {
		for more && len(l.waiting) < batchSize {
			requests, err := l.next()
			if err != nil {
				return err
			}
			for _, r := range requests {
				if err := l.check(&r); err != nil {
					return err
				}
				l.waiting = append(l.waiting, r)
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

// allEmpty returns what the Check of the lane says. It ends no collecting: batches that are
// out are paid for.
func (l *lane) allEmpty() error {
	if l.Check == nil {
		return nil
	}
	return l.Check()
}

// batches hands over and collects, until the Source wants no more, or nothing
// more can be handed over. What is out is collected whatever has ended that: it
// is paid for. Collecting gives back money that was set aside, so that more may
// be handed over then.
func (l *lane) batches() error {
	for {
		err := l.allEmpty()
		if err == nil {
			err = l.submit()
		}
		collected := l.collect(false)
		if err == nil {
			err = l.allEmpty()
		}
		if err == nil && len(l.waiting) > 0 && l.over.Err() == nil {
			continue
		}
		var f *verbatim.Failure
		short := errors.As(err, &f) && f.Class == verbatim.Quota && len(f.Attempts) == 0
		switch {
		case short && l.over.Err() != nil:
			return nil // it ended while batches were out, whose money comes back
		case !short || collected == 0 || l.over.Err() != nil:
			return err
		}
	}
}

// handOver sends as many of the requests as fit into one batch and says how many.
func (l *lane) handOver(requests []verbatim.Request) (int, error) {
	ctx := l.e.abort
	requests, most := slices.Clone(requests), AnyTokens
	if l.Batch.Most != nil {
		most = l.Batch.Most()
	}
	for i := range requests {
		l.Batch.within(&requests[i], most)
	}
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
	positions := make([]int64, n)
	for i, r := range requests {
		positions[i] = r.Seq
	}
	b, err := l.e.writer.BeginBatch(ctx, l.Run.N, positions, most)
	if err != nil {
		return 0, err
	}
	id, err := l.Batch.Model.Submit(ctx, b.Key, requests)
	var f *verbatim.Failure
	switch {
	case err == nil:
	case errors.As(err, &f) && refusedWhole(f.Class):
		// The provider said no: there is no batch, and its requests are free.
		for _, r := range requests {
			l.giveBack(r)
		}
		abandoned := l.e.writer.AbandonBatch(ctx, b, string(f.Class))
		if abandoned == nil && l.Batch.again(&requests[0], err) {
			return 0, nil
		}
		return 0, fmt.Errorf("batch %s: %w", b.Key, errors.Join(err, abandoned))
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
	return n, l.e.writer.SetBatchID(ctx, b, id)
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
// the lane is over. With once it looks at each batch once, also if the lane is over.
func (l *lane) collect(once bool) (collected int) {
	every := l.Batch.Every
	if every <= 0 {
		every = time.Second
	}
	wait, failures := every, 0
	last := map[string]string{} // of each batch, what was said of it last
	for once || l.over.Err() == nil {
		batches, err := l.e.Store.Batches(l.e.abort, l.Run.N)
		if err != nil {
			l.fail(err)
			return collected
		}
		out, moved := 0, false
		for _, b := range batches {
			if b.Phase != store.Submitted {
				continue
			}
			over, say, err := l.look(b)
			if err != nil {
				if l.e.abort.Err() != nil {
					return collected
				}
				if failures++; failures >= batchPatience || !passes(err) {
					l.fail(fmt.Errorf("batch %s: %w", b.ID, err))
					return collected
				}
				out++
				say = fmt.Sprintf("its state is unknown (%v); the provider is asked again, less and less often.", err)
			}
			if say != "" && say != last[b.Key] {
				last[b.Key] = say
				l.Batch.talk("Batch %s: %s", b.ID, say)
			}
			if err != nil {
				continue
			}
			failures = 0
			if over {
				collected++
				moved = true
			} else {
				out++
			}
		}
		if out == 0 || once {
			return collected
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
	return collected
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
