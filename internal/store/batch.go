package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/store/sqlite"
)

// A Batch is a row of the table batch: requests of a run that are sent to a provider together.
type Batch struct {
	Run       int64   `json:"-"`
	Key       string  `json:"key"`          // our own name of the batch, known before the provider's id is
	ID        string  `json:"id,omitempty"` // the provider's; "" until it is known
	Phase     Phase   `json:"state"`
	Positions []int64 `json:"-"`             // of its requests in the run, in rising order
	Raw       string  `json:"raw,omitempty"` // its last state as the provider spells it
	// When the batch was saved, when its id came, and when it was collected or abandoned; zero
	// before.
	Intended  time.Time `json:"intended,omitzero"`
	Submitted time.Time `json:"submitted,omitzero"`
	Ended     time.Time `json:"ended,omitzero"`
}

// Pending reports whether the batch is neither collected nor abandoned.
func (b *Batch) Pending() bool { return b.Phase == Intended || b.Phase == Submitted }

// AnyTokens means that the requests of a batch have the token limits of their run.
const AnyTokens = -1

// batchKey returns a key made of a token and of the highest token limit of the batch's
// requests, or AnyTokens. MostTokens reads the limit back from the key.
func batchKey(token string, most int) string {
	if most == AnyTokens {
		return token
	}
	return token + "-" + strconv.Itoa(most)
}

// MostTokens returns the token limit in the key, AnyTokens without one.
func (b *Batch) MostTokens() int {
	_, digits, _ := strings.Cut(b.Key, "-")
	if most, err := strconv.Atoi(digits); err == nil && most >= 0 {
		return most
	}
	return AnyTokens
}

const selectBatch = `SELECT run, key, provider, state, places, raw, intended, submitted, ended FROM batch`

// readBatches returns the batches of a run, the oldest first. The order is the same after an
// export and an import.
func readBatches(ctx context.Context, c *sqlite.Conn, run int64) ([]Batch, error) {
	return sqlite.QueryList(ctx, c, scanBatch, selectBatch+` WHERE run = ? ORDER BY coalesce(intended, 0), key`, run)
}

// scanBatch reads a row of selectBatch.
func scanBatch(r *sqlite.Rows) (b Batch, err error) {
	b.Run, b.Key, b.ID, b.Phase = r.Int(), r.Text(), r.Text(), Decode(phases, r.Int())
	if b.Positions, err = parseRanges(r.Text()); err != nil {
		return b, sqlite.UnreadableError(r.Path, "the positions of a batch", err)
	}
	b.Raw = r.Text()
	b.Intended, b.Submitted, b.Ended = moment(r.OptInt()), moment(r.OptInt()), moment(r.OptInt())
	return b, nil
}

// readBatch returns the batch with a key.
func readBatch(ctx context.Context, c *sqlite.Conn, key string) (Batch, error) {
	found, err := sqlite.QueryList(ctx, c, scanBatch, selectBatch+` WHERE key = ?`, key)
	if err != nil {
		return Batch{}, err
	}
	if len(found) == 0 {
		return Batch{}, fmt.Errorf("there is no batch %q", key)
	}
	return found[0], nil
}

// Insert saves a new batch.
func (b *Batch) Insert(c *sqlite.Conn) error {
	phase, err := codeOf(phases, b.Phase)
	if err != nil {
		return err
	}
	_, _, err = c.Exec(`INSERT INTO batch (run, key, provider, state, n, places, raw, intended, submitted, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		b.Run, b.Key, textOf(b.ID), phase, len(b.Positions), formatRanges(b.Positions), textOf(b.Raw),
		instant(b.Intended), instant(b.Submitted), instant(b.Ended))
	return err
}

// Update saves the id, the phase, the state and the times of a batch that was inserted before.
func (b *Batch) Update(c *sqlite.Conn) error {
	phase, err := codeOf(phases, b.Phase)
	if err != nil {
		return err
	}
	_, _, err = c.Exec(`UPDATE batch SET provider = ?, state = ?, raw = ?, intended = ?, submitted = ?, ended = ? WHERE key = ?`,
		textOf(b.ID), phase, textOf(b.Raw), instant(b.Intended), instant(b.Submitted), instant(b.Ended), b.Key)
	return err
}

// checkFree returns an error unless positions of a run may be sent in a new batch: they are
// valid and rising, have no answer, and are in no pending batch.
func checkFree(ctx context.Context, c *sqlite.Conn, run int64, positions []int64) error {
	if len(positions) == 0 || len(positions) > maxBatch {
		return fmt.Errorf("a batch of %d requests: it has at least one and at most %d", len(positions), maxBatch)
	}
	for i, seq := range positions {
		if seq < 0 || seq > MaxSeq || i > 0 && seq <= positions[i-1] {
			return fmt.Errorf("position %d of a batch: positions of a run are from 0 to %d, and each is sent once", seq, MaxSeq)
		}
	}
	batches, err := readBatches(ctx, c, run)
	if err != nil {
		return err
	}
	for _, b := range batches {
		if !b.Pending() {
			continue
		}
		for _, seq := range positions {
			if _, out := slices.BinarySearch(b.Positions, seq); out {
				return fmt.Errorf("position %d is in the pending batch %s: collect or abandon that one first", seq, b.Key)
			}
		}
	}
	for _, r := range rangesOf(positions) {
		var position int64
		answered, err := c.QueryOne(ctx, func(r *sqlite.Rows) { position = r.Int() },
			`SELECT place FROM reply WHERE place BETWEEN ? AND ? AND grader IS NOT NULL LIMIT 1`, positionKey(run, r.First), positionKey(run, r.Last))
		if err != nil {
			return err
		}
		if answered {
			return fmt.Errorf("position %d has an answer already, which is never replaced", sequenceOf(position))
		}
	}
	return nil
}
