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

// A batch is saved in three steps, each durable before the next: BeginBatch before it is sent,
// SetBatchID when the provider's id is known, FinishBatch when all its records are saved. A kill
// in between leaves a pending batch: its positions are not sent again until it is collected or
// abandoned.

// BeginBatch saves a batch of positions of a claimed run before it is sent, and gives it a key.
// most is the highest token limit of its requests, or AnyTokens. A position that has an answer,
// is in another pending batch or occurs twice is an error, and nothing is saved.
func (w *Writer) BeginBatch(ctx context.Context, run int64, positions []int64, most int) (Batch, error) {
	b := Batch{Run: run, Key: batchKey(newToken(), most), Phase: Intended, Positions: slices.Sorted(slices.Values(positions)), Intended: time.Now()}
	err := w.updateRun(ctx, run, func(c *sqlite.Conn) error {
		if err := checkFree(ctx, c, run, b.Positions); err != nil {
			return err
		}
		return b.Insert(c)
	})
	return b, err
}

// SetBatchID saves the provider's id of a batch, as soon as it is known. Another id than before is
// an error.
func (w *Writer) SetBatchID(ctx context.Context, b Batch, id string) error {
	return w.updateBatch(ctx, b, func(_ *sqlite.Conn, b *Batch) error {
		if id == "" || b.ID != "" && b.ID != id {
			return fmt.Errorf("batch %s: the provider's id is %q now, and was %q before", b.Key, id, b.ID)
		}
		if b.ID == "" {
			b.Submitted = time.Now()
		}
		b.ID, b.Phase = id, Submitted
		return nil
	})
}

// SetBatchStatus saves the state of a batch as the provider spells it.
func (w *Writer) SetBatchStatus(ctx context.Context, b Batch, raw string) error {
	return w.updateBatch(ctx, b, func(_ *sqlite.Conn, b *Batch) error {
		b.Raw = raw
		return nil
	})
}

// FinishBatch marks a batch as collected, after all records that were Put before are committed.
// Every position of the batch must have a record by then: an answer, or a failure if the provider
// has returned nothing for it. Otherwise it is an error, and the batch stays pending.
func (w *Writer) FinishBatch(ctx context.Context, b Batch, raw string) error {
	if err := w.waitCommitted(ctx); err != nil {
		return err
	}
	return w.updateBatch(ctx, b, func(c *sqlite.Conn, b *Batch) error {
		if b.Phase != Submitted {
			return fmt.Errorf("batch %s was never submitted", b.Key)
		}
		for _, r := range rangesOf(b.Positions) {
			var n int64
			_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { n = r.Int() }, `SELECT count(*) FROM reply WHERE place BETWEEN ? AND ?`,
				positionKey(b.Run, r.First), positionKey(b.Run, r.Last))
			if err != nil {
				return err
			}
			if want := r.Last - r.First + 1; n != want {
				return fmt.Errorf("batch %s: %d of the positions %d to %d have no record", b.Key, want-n, r.First, r.Last)
			}
		}
		b.Phase, b.Raw, b.Ended = collected, raw, time.Now()
		return nil
	})
}

// AbandonBatch gives a batch up: its answers are not waited for, and its positions may be sent
// again. If the provider has the batch, it may be billed all the same.
func (w *Writer) AbandonBatch(ctx context.Context, b Batch, raw string) error {
	return w.updateBatch(ctx, b, func(_ *sqlite.Conn, b *Batch) error {
		b.Phase, b.Raw, b.Ended = abandoned, raw, time.Now()
		return nil
	})
}

// updateBatch reads a pending batch again, lets change set its fields, and saves it.
func (w *Writer) updateBatch(ctx context.Context, b Batch, change func(*sqlite.Conn, *Batch) error) error {
	return w.updateRun(ctx, b.Run, func(c *sqlite.Conn) error {
		now, err := readBatch(ctx, c, b.Key)
		if err != nil {
			return err
		}
		if now.Run != b.Run || !now.Pending() {
			return fmt.Errorf("batch %s of run %d is %s and not pending", b.Key, now.Run, now.Phase)
		}
		if err := change(c, &now); err != nil {
			return err
		}
		return now.Update(c)
	})
}

// updateRun does work in a write transaction while the lease of a claimed run is ours.
func (w *Writer) updateRun(ctx context.Context, run int64, work func(*sqlite.Conn) error) error {
	if err := w.checkClaimed(run); err != nil {
		return err
	}
	return w.s.file.Update(ctx, func(c *sqlite.Conn) error {
		if err := w.leases[run].Check(ctx, c); err != nil {
			return err
		}
		return work(c)
	})
}

// waitCommitted waits until there is room for a whole group: all records that were Put before are
// committed then.
func (w *Writer) waitCommitted(ctx context.Context) error {
	if err := w.acquire(ctx, GroupSize); err != nil {
		return err
	}
	w.room.Release(GroupSize)
	return nil
}

// Batches lists the batches of a run, the oldest first.
func (s *Store) Batches(ctx context.Context, run int64) ([]Batch, error) {
	var list []Batch
	err := s.file.With(func(c *sqlite.Conn) (err error) {
		list, err = readBatches(ctx, c, run)
		return err
	})
	return list, err
}
