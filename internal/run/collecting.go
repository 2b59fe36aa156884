package run

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// look asks for the state of a batch, and saves its results if it is over. message is about its state.
func (l *lane) look(b store.Batch) (over bool, message string, err error) {
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
	return true, fmt.Sprintf("%s; %d answers of %d requests are saved.", state.Raw, c.answers, len(b.Positions)), nil
}

// A collecting saves the results of one batch.
type collecting struct {
	*lane
	asked   map[int64]verbatim.Request // by position, those without a saved result; nil before draw
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
	c.asked = map[int64]verbatim.Request{}
	requested := map[int64]bool{}
	for _, seq := range b.Positions {
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

// answer saves the result of one request. A result of a request that is not in the batch, or a second
// one, is ignored.
func (c *collecting) answer(seq int64, reply verbatim.Reply, err error) error {
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
