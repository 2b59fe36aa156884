package store

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// A Phase is how far a batch is. The set is closed.
type Phase string

// The phases. A batch is out until it is abandoned or collected.
const (
	Intended  Phase = "intended"  // kept before it is sent: whether it was is not known
	Submitted Phase = "submitted" // the provider has it
	Abandoned Phase = "abandoned" // nobody waits for it any more
	Collected Phase = "collected" // all that came of it is kept
)

// phaseOver is the number of the first phase in which a batch is not out.
const phaseOver = 2

// A Batch is what was handed to a provider as one batch of a run.
type Batch struct {
	Run    int64
	Key    string // ours: names the batch where the provider's id is not known
	ID     string // the provider's; "" until it is known
	Phase  Phase
	Places []int64 // what is asked in it, rising
	Raw    string  // its state as the provider spelled it last
	// When it was saved, when the id came, and when it was over for us; zero before.
	Intended, Submitted, Ended time.Time
}

// Pending reports whether answers are still to come.
func (b *Batch) Pending() bool { return b.Phase == Intended || b.Phase == Submitted }

// maxBatch bounds the requests of a batch. No provider takes as many.
const maxBatch = 1 << 20

// Batches lists the batches of a run, the oldest first.
func (s *Store) Batches(ctx context.Context, run int64) ([]Batch, error) {
	var list []Batch
	err := s.with(func(c *conn) (err error) {
		list, err = c.batches(ctx, run)
		return err
	})
	return list, err
}

const selectBatch = `SELECT run, key, provider, state, places, raw, intended, submitted, ended FROM batch`

// batches lists them in an order that their contents alone decide.
func (c *conn) batches(ctx context.Context, run int64) ([]Batch, error) {
	var list []Batch
	var bad error
	err := c.each(ctx, func(r *rows) {
		b, err := scanBatch(r)
		if bad == nil {
			bad = err
		}
		list = append(list, b)
	}, selectBatch+` WHERE run = ? ORDER BY coalesce(intended, 0), key`, run)
	if err == nil {
		err = bad
	}
	return list, err
}

// scanBatch reads a row of selectBatch.
func scanBatch(r *rows) (b Batch, err error) {
	b.Run, b.Key, b.ID, b.Phase = r.int(), r.str(), r.str(), decode(phases, r.int())
	if b.Places, err = parseRanges(r.str()); err != nil {
		return b, &Error{Kind: Corrupt, Path: r.path, What: "the database is damaged: the places of a batch cannot be read", Err: err,
			Hint: verifyHint}
	}
	b.Raw = r.str()
	b.Intended, b.Submitted, b.Ended = moment(r.maybe()), moment(r.maybe()), moment(r.maybe())
	return b, nil
}

// batch returns the batch with a key.
func (c *conn) batch(ctx context.Context, key string) (b Batch, err error) {
	found, e := c.one(ctx, func(r *rows) { b, err = scanBatch(r) }, selectBatch+` WHERE key = ?`, key)
	if e != nil {
		return b, e
	}
	if !found {
		return b, fmt.Errorf("there is no batch %q", key)
	}
	return b, err
}

// add keeps a batch that is not saved yet.
func (b *Batch) add(c *conn) error {
	phase, err := codeOf(phases, b.Phase)
	if err != nil {
		return err
	}
	_, _, err = c.exec(`INSERT INTO batch (run, key, provider, state, n, places, raw, intended, submitted, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		b.Run, b.Key, textOf(b.ID), phase, len(b.Places), formatRanges(b.Places), textOf(b.Raw),
		instant(b.Intended), instant(b.Submitted), instant(b.Ended))
	return err
}

// set keeps what has become of a batch.
func (b *Batch) set(c *conn) error {
	phase, err := codeOf(phases, b.Phase)
	if err != nil {
		return err
	}
	_, _, err = c.exec(`UPDATE batch SET provider = ?, state = ?, raw = ?, intended = ?, submitted = ?, ended = ? WHERE key = ?`,
		textOf(b.ID), phase, textOf(b.Raw), instant(b.Intended), instant(b.Submitted), instant(b.Ended), b.Key)
	return err
}

// checkFree makes sure that positions may be asked in a new batch: in the run, rising,
// without an answer, and not out already.
func (c *conn) checkFree(ctx context.Context, run int64, places []int64) error {
	if len(places) == 0 || len(places) > maxBatch {
		return fmt.Errorf("a batch of %d requests: it has at least one and at most %d", len(places), maxBatch)
	}
	for i, seq := range places {
		if seq < 0 || seq > MaxSeq || i > 0 && seq <= places[i-1] {
			return fmt.Errorf("place %d of a batch: places of a run are from 0 to %d, and each is asked once", seq, MaxSeq)
		}
	}
	batches, err := c.batches(ctx, run)
	if err != nil {
		return err
	}
	for _, b := range batches {
		if !b.Pending() {
			continue
		}
		for _, seq := range places {
			if _, out := slices.BinarySearch(b.Places, seq); out {
				return fmt.Errorf("place %d is out in batch %s: collect or abandon that one first", seq, b.Key)
			}
		}
	}
	for _, r := range rangesOf(places) {
		var place int64
		answered, err := c.one(ctx, func(r *rows) { place = r.int() },
			`SELECT place FROM reply WHERE place BETWEEN ? AND ? AND grader IS NOT NULL LIMIT 1`, positionKey(run, r.first), positionKey(run, r.last))
		if err != nil {
			return err
		}
		if answered {
			return fmt.Errorf("place %d has an answer already, which is never replaced", sequenceOf(place))
		}
	}
	return nil
}
