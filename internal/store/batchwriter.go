package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"verbatim/internal/store/sqlite"
)

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
