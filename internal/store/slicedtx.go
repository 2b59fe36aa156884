package store

import (
	"context"
	"time"

	"verbatim/internal/store/sqlite"
)

// A process that writes for long commits every SliceTime, and then does not lock the file for
// YieldTime.
const (
	SliceTime = 100 * time.Millisecond
	YieldTime = 5 * time.Millisecond
)

// LockGrace is how long a writer still waits for a lock after the context of its caller is done.
const LockGrace = 2 * time.Second

// A SlicedTx is a sequence of write transactions, so that other processes can write in between.
// Pause of a nil *SlicedTx does nothing.
type SlicedTx struct {
	ctx   context.Context
	file  *sqlite.File
	c     *sqlite.Conn
	Lease *Lease    // each slice checks that it is ours; nil: not claimed yet
	begun time.Time // the slice
	beat  time.Time // when the lease was renewed last
}

// NewSlicedTx returns a SlicedTx that has not begun. Its slices check and renew a lease, unless it
// is nil.
func NewSlicedTx(ctx context.Context, file *sqlite.File, c *sqlite.Conn, l *Lease) *SlicedTx {
	return &SlicedTx{ctx: ctx, file: file, c: c, Lease: l, beat: time.Now()}
}

// Begin begins a slice.
func (t *SlicedTx) Begin() error {
	if err := t.c.Begin(t.ctx); err != nil {
		return err
	}
	t.begun = time.Now()
	if t.Lease == nil {
		return nil
	}
	err := t.Lease.Check(t.ctx, t.c)
	if err == nil && t.begun.Sub(t.beat) >= BeatEvery {
		t.beat = t.begun
		err = t.Lease.Renew(t.ctx, t.c, t.begun)
	}
	return err
}

// Pause ends the slice after SliceTime, and begins another one. It calls settle before the commit.
func (t *SlicedTx) Pause(settle func() error) error {
	if t == nil || time.Since(t.begun) < SliceTime {
		return nil
	}
	if err := settle(); err != nil {
		return err
	}
	if err := t.End(); err != nil {
		return err
	}
	time.Sleep(YieldTime)
	return t.Begin()
}

// End commits the slice.
func (t *SlicedTx) End() error {
	if err := t.file.CheckMoved(); err != nil {
		return err
	}
	return t.c.Commit()
}
