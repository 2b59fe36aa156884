package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"verbatim/internal/store/lease"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// A batch is saved in three steps, each durable before the next is taken: BeginBatch
// before it is sent, SetBatchID when the provider's id is known, FinishBatch when
// all its records are saved. A kill between any two leaves a batch that is out:
// its positions are not asked again until it is collected or abandoned.

// BeginBatch keeps, before anything is sent, that the positions of a claimed run are
// asked in one batch, and gives the batch its key. most is for rows.BatchKey. A position that
// has an answer, is out in another batch or stands twice is an error, and then nothing is saved.
func (w *Writer) BeginBatch(ctx context.Context, run int64, positions []int64, most int) (rows.Batch, error) {
	b := rows.Batch{Run: run, Key: rows.BatchKey(lease.NewToken(), most), Phase: rows.Intended, Positions: slices.Sorted(slices.Values(positions)), Intended: time.Now()}
	err := w.updateRun(ctx, run, func(c *sqlite.Conn) error {
		if err := rows.CheckFree(ctx, c, run, b.Positions); err != nil {
			return err
		}
		return b.Insert(c)
	})
	return b, err
}

// SetBatchID keeps the id that the provider gave the batch. It is called as soon
// as the id is known: by the answer to the submission, or found later.
func (w *Writer) SetBatchID(ctx context.Context, b rows.Batch, id string) error {
	return w.updateBatch(ctx, b, func(_ *sqlite.Conn, b *rows.Batch) error {
		if id == "" || b.ID != "" && b.ID != id {
			return fmt.Errorf("batch %s: the provider calls it %q, and called it %q before", b.Key, id, b.ID)
		}
		if b.ID == "" {
			b.Submitted = time.Now()
		}
		b.ID, b.Phase = id, rows.Submitted
		return nil
	})
}

// SetBatchStatus keeps the state of a batch as the provider spells it.
func (w *Writer) SetBatchStatus(ctx context.Context, b rows.Batch, raw string) error {
	return w.updateBatch(ctx, b, func(_ *sqlite.Conn, b *rows.Batch) error {
		b.Raw = raw
		return nil
	})
}

// FinishBatch marks a batch as collected, after all records that were Put before
// are committed. Every position of the batch has a record by then, an answer or a
// failure: a position that the provider said nothing about is a failure as well.
// Where one has none it is an error, and the batch stays out.
func (w *Writer) FinishBatch(ctx context.Context, b rows.Batch, raw string) error {
	if err := w.waitCommitted(ctx); err != nil {
		return err
	}
	return w.updateBatch(ctx, b, func(c *sqlite.Conn, b *rows.Batch) error {
		if b.Phase != rows.Submitted {
			return fmt.Errorf("batch %s was never submitted", b.Key)
		}
		for _, r := range rows.RangesOf(b.Positions) {
			var n int64
			_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { n = r.Int() }, `SELECT count(*) FROM reply WHERE place BETWEEN ? AND ?`,
				rows.PositionKey(b.Run, r.First), rows.PositionKey(b.Run, r.Last))
			if err != nil {
				return err
			}
			if want := r.Last - r.First + 1; n != want {
				return fmt.Errorf("batch %s: %d of the places %d to %d have no record", b.Key, want-n, r.First, r.Last)
			}
		}
		b.Phase, b.Raw, b.Ended = rows.Collected, raw, time.Now()
		return nil
	})
}

// AbandonBatch gives a batch up: what comes of it is not waited for, and its positions
// may be asked again. Where the provider has it, it may cost money all the same.
func (w *Writer) AbandonBatch(ctx context.Context, b rows.Batch, raw string) error {
	return w.updateBatch(ctx, b, func(_ *sqlite.Conn, b *rows.Batch) error {
		b.Phase, b.Raw, b.Ended = rows.Abandoned, raw, time.Now()
		return nil
	})
}

// updateBatch changes a batch that is out, as the file has it.
func (w *Writer) updateBatch(ctx context.Context, b rows.Batch, change func(*sqlite.Conn, *rows.Batch) error) error {
	return w.updateRun(ctx, b.Run, func(c *sqlite.Conn) error {
		now, err := rows.ReadBatch(ctx, c, b.Key)
		if err != nil {
			return err
		}
		if now.Run != b.Run || !now.Pending() {
			return fmt.Errorf("batch %s of run %d is %s and not out", b.Key, now.Run, now.Phase)
		}
		if err := change(c, &now); err != nil {
			return err
		}
		return now.Update(c)
	})
}

// updateRun changes what is saved of a claimed run next to its records.
func (w *Writer) updateRun(ctx context.Context, run int64, do func(*sqlite.Conn) error) error {
	held := w.leases[run]
	if held == nil {
		return fmt.Errorf("run %d is not claimed by this writer", run)
	}
	if err := context.Cause(w.ctx); err != nil {
		return err
	}
	return w.s.file.Update(ctx, func(c *sqlite.Conn) error {
		if err := held.Check(ctx, c); err != nil {
			return err
		}
		return do(c)
	})
}

// waitCommitted waits until all that was put is committed: then there is room for a
// whole group.
func (w *Writer) waitCommitted(ctx context.Context) error {
	if err := w.acquire(ctx, GroupSize); err != nil {
		return err
	}
	w.room.Release(GroupSize)
	return nil
}

// Batches lists the batches of a run, the oldest first.
func (s *Store) Batches(ctx context.Context, run int64) ([]rows.Batch, error) {
	var list []rows.Batch
	err := s.file.With(func(c *sqlite.Conn) (err error) {
		list, err = rows.ReadBatches(ctx, c, run)
		return err
	})
	return list, err
}
