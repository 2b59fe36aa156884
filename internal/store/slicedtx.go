package store

import (
	"context"
	"time"

	"verbatim/internal/store/sqlite"
)

// A process that writes for long commits every sliceTime, and then does not lock the file for
// yieldTime.
const (
	sliceTime = 100 * time.Millisecond
	yieldTime = 5 * time.Millisecond
)

// lockGrace is how long a writer still waits for a lock after the context of its caller is done.
const lockGrace = 2 * time.Second

// A slicedTx is a sequence of write transactions, so that other processes can write in between.
// Pause of a nil *slicedTx does nothing.
type slicedTx struct {
	ctx   context.Context
	file  *sqlite.File
	c     *sqlite.Conn
	Lease *lease    // each slice checks that it is ours; nil: not claimed yet
	begun time.Time // the slice
	beat  time.Time // when the lease was renewed last
}

// newSlicedTx returns a slicedTx that has not begun. Its slices check and renew a lease, unless it
// is nil.
func newSlicedTx(ctx context.Context, file *sqlite.File, c *sqlite.Conn, l *lease) *slicedTx {
	return &slicedTx{ctx: ctx, file: file, c: c, Lease: l, beat: time.Now()}
}

// Begin begins a slice.
func (t *slicedTx) Begin() error {
	if err := t.c.Begin(t.ctx); err != nil {
		return err
	}
	t.begun = time.Now()
	if t.Lease == nil {
		return nil
	}
	err := t.Lease.Check(t.ctx, t.c)
	if err == nil && t.begun.Sub(t.beat) >= beatEvery {
		t.beat = t.begun
		err = t.Lease.renew(t.ctx, t.c, t.begun)
	}
	return err
}

// Pause ends the slice after sliceTime, and begins another one. It calls settle before the commit.
func (t *slicedTx) pause(settle func() error) error {
	if t == nil || time.Since(t.begun) < sliceTime {
		return nil
	}
	if err := settle(); err != nil {
		return err
	}
	if err := t.End(); err != nil {
		return err
	}
	time.Sleep(yieldTime)
	return t.Begin()
}

// End commits the slice.
func (t *slicedTx) End() error {
	if err := t.file.CheckMoved(); err != nil {
		return err
	}
	return t.c.Commit()
}
